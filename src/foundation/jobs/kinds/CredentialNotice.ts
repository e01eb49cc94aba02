import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { Device } from "../Device.ts"
import { define } from "../Job.ts"

export const CredentialEvent = Schema.Literals([
  "secret.generated",
  "secret.revoked",
  "api_key.created",
  "api_key.revoked"
])
export type CredentialEvent = typeof CredentialEvent.Type

/** Tells owners that a secret of their app or an API key of their account was made or revoked. */
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
    device: Schema.optionalKey(Device)
  }),
  subject: ({ userId }) => `user:${userId}`
})
