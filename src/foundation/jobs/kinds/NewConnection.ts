import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { GrantedScopes } from "../../../domain/scopes/Scope.ts"
import { define } from "../Job.ts"

const Payload = Schema.Struct({
  userId: UserId,
  clientId: ClientId,
  /** The scopes that the user allowed. */
  scopes: GrantedScopes
})

/** Tells a user that an app was connected to their account. */
export const NewConnection = define({
  queue: "new-connections",
  payload: Payload,
  subject: ({ userId }) => `user:${userId}`
})
