import { Schema } from "effect"
import { ApiKeyId, UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

const Payload = Schema.Struct({
  userId: UserId,
  /** Keys that are about to end. */
  apiKeyIds: Schema.Array(ApiKeyId)
})

/** Warns an owner that API keys are about to end. */
export const ApiKeyEndMail = define({
  queue: "api-key-end-mails",
  payload: Payload,
  subject: ({ userId }) => `user:${userId}`
})
