import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { GrantedScopes } from "../../../domain/scopes/Scope.ts"
import { define } from "../Job.ts"

export const Payload = Schema.Struct({
  userId: UserId,
  clientId: ClientId,
  /** Scopes that the user allowed; a release before did not write them. */
  scopes: Schema.optionalKey(GrantedScopes)
})
export type Payload = typeof Payload.Type

/** Tells a user that an app was connected to their account. */
export const NewConnection = define({
  queue: "new-connections",
  payload: Payload,
  subject: ({ userId }) => `user:${userId}`
})
