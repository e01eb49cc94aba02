import { Schema } from "effect"
import { createHash } from "node:crypto"
import { UserId } from "../../../domain/Ids.ts"
import { Device } from "../Device.ts"
import { define } from "../Job.ts"

const Payload = Schema.Union([
  /** Somebody has forgotten the password of the account at this address, if there is one. */
  Schema.Struct({
    mail: Schema.Literal("password-reset"),
    email: Schema.String,
    device: Schema.optionalKey(Device)
  }),
  Schema.Struct({ mail: Schema.Literal("invitation"), linkId: Schema.String }),
  /** An account wants another address: a mail there, to confirm it. */
  Schema.Struct({ mail: Schema.Literal("email-change"), linkId: Schema.String }),
  /** Same: a mail to the address that it had, whatever becomes of the change. */
  Schema.Struct({
    mail: Schema.Literal("email-change-notice"),
    userId: UserId,
    email: Schema.String,
    wanted: Schema.String,
    device: Schema.optionalKey(Device)
  })
])

/** Mails a link with which its reader makes or changes a local account. The job never holds the link itself. */
export const AccountMail = define({
  queue: "account-mails",
  payload: Payload,
  subject: (payload) =>
    "linkId" in payload
      ? `link:${payload.linkId}`
      : "userId" in payload
      ? `user:${payload.userId}`
      : `address:${digestOf(payload.email)}`
})

// Logs name the subject of a job, and people type passwords into the field of an address.
const digestOf = (email: string): string =>
  createHash("sha256").update(email.toLowerCase()).digest("base64url").slice(0, 16)
