import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { Device } from "../Device.ts"
import { define } from "../Job.ts"

export const CredentialEvent = Schema.Literals([
  "secret.generated",
  "secret.revoked",
  /** A secret that replaced a leaked one was shown to the owner. */
  "secret.revealed",
  /** A secret is about to end. */
  "secret.ending",
  "secret.ended",
  /** The end of the last secret has passed, and it works on. */
  "secret.overdue",
  /** A secret was found in public, and ended. */
  "secret.leaked",
  /** The same, and another was made that only the owner can reveal. */
  "secret.replaced",
  /** A refresh token of an app was found in public, and the grant ended. */
  "refresh_token.leaked",
  "api_key.created",
  "api_key.revoked",
  /** An API key was found in public, and ended. */
  "api_key.leaked"
])
export type CredentialEvent = typeof CredentialEvent.Type

/** Tells owners what became of a secret of their app or of an API key of their account. */
export const CredentialNotice = define({
  queue: "credential-notices",
  payload: Schema.Struct({
    /** Owner of the app or of the API key. */
    userId: UserId,
    event: CredentialEvent,
    /** App of a secret. */
    clientId: Schema.NullOr(ClientId),
    /** Last characters of each credential, and nothing else of it; empty where only its digest is known. */
    lastFour: Schema.Array(Schema.String),
    /** Actor, as in the audit trail. */
    by: Schema.String,
    /** Of the owner; nobody else's. */
    device: Schema.optionalKey(Device),
    /** End of the secret, where the event is about it. */
    endsAt: Schema.optionalKey(Schema.DateTimeUtcFromString),
    /** Address at which a leaked one was found, as its finder wrote it. */
    foundAt: Schema.optionalKey(Schema.String)
  }),
  subject: ({ userId }) => `user:${userId}`
})
