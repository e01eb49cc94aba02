const unavailable = <const Seconds extends string>(seconds: Seconds) => ({
  status: 503,
  code: "temporarily_unavailable",
  headers: { "retry-after": seconds }
} as const)

// The answer 503 (RFC 9110 §15.6.4) and the seconds after which to try again, for each of its two causes.

/** Too much to do, or a check that just failed: the next moment may do. */
export const busy = unavailable("1")

/** The database cannot be reached, which takes longer to mend. */
export const databaseAway = unavailable("5")
