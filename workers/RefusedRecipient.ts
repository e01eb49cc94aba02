import { Schema } from "effect"

/**
 * Tells whether the mail server knows this recipient to be none, so that no later attempt can help. Only the answer to
 * RCPT TO can say so. Whatever may be about us is no verdict on the recipient and passes once it is mended: our sender,
 * a missing sign-in or TLS, a server that does not relay for us, a policy.
 */
export const isRefusedRecipient = (cause: unknown): boolean => {
  if (!refusal(cause)) return false
  const status = enhanced.exec(cause.response)?.[1]
  return status === undefined ? mailbox.has(cause.responseCode) : mailboxStatus.has(status)
}

const refusal = Schema.is(Schema.Struct({
  code: Schema.Literal("EENVELOPE"),
  command: Schema.Literal("RCPT TO"),
  responseCode: Schema.Int,
  response: Schema.String
}))

// Replies to RCPT TO that are about its mailbox (RFC 5321 §4.2.2); 552 is a full one, which may be emptied.
const mailbox = new Set([550, 551, 553])

// Permanent ones alone. It follows the reply (RFC 2034 §4); qmail writes it at the end of the text, after a "#".
const enhanced = /(?:^\d{3}[ -]|#)(5\.\d{1,3}\.\d{1,3})\b/

// Mailbox, host or syntax of the address, moved, a host that takes no mail, disabled (RFC 3463 §3.2 and §3.3, RFC
// 7505). 5.1.0, 5.1.7 and 5.1.8 are missing because servers say them of the sender, too, as late as at RCPT TO.
const mailboxStatus = new Set(["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"])
