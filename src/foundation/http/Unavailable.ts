/** An answer 503 (RFC 9110 §15.6.4), which says after how many seconds to try again (RFC 9110 §10.2.3). */
const unavailable = <const Seconds extends string>(seconds: Seconds) => ({
  status: 503,
  code: "temporarily_unavailable",
  headers: { "retry-after": seconds }
} as const)

/** The server has too much to do, or could not finish one statement: the next moment may do. */
export const busy = unavailable("1")

/** The database cannot be reached, which takes longer to mend. */
export const databaseAway = unavailable("5")

/** Answer while something is out of order that may be in order again at once, or takes longer. */
export const during = ({ isBrief }: { readonly isBrief: boolean }) => isBrief ? busy : databaseAway
