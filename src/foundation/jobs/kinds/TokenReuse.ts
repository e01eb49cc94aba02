import { Schema } from "effect"
import { ClientId, GrantId, UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Tells a user that a grant was ended because a replaced refresh token was used again (RFC 9700 §4.14.2). */
export const TokenReuse = define({
  queue: "token-reuse",
  payload: Schema.Struct({ grantId: GrantId, userId: UserId, clientId: ClientId }),
  subject: ({ grantId }) => `grant:${grantId}`
})
