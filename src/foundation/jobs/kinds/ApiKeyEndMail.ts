import { Schema } from "effect"
import { ApiKeyId, UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Warns an owner that API keys are about to end. */
export const ApiKeyEndMail = define({
  queue: "api-key-end-mails",
  payload: Schema.Struct({
    userId: UserId,
    /** Keys that are about to end. */
    apiKeyIds: Schema.Array(ApiKeyId)
  }),
  subject: ({ userId }) => `user:${userId}`
})
