import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { GrantedScopes } from "../../../domain/scopes/Scope.ts"
import { Device } from "../Device.ts"
import { define } from "../Job.ts"

/** Tells a user that an app was connected to their account. */
export const NewConnection = define({
  queue: "new-connections",
  payload: Schema.Struct({
    userId: UserId,
    clientId: ClientId,
    scopes: GrantedScopes,
    device: Schema.optionalKey(Device)
  }),
  subject: ({ userId }) => `user:${userId}`
})
