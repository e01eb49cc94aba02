import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Warns an owner or co-owner of apps that imported grants of them are about to end. */
export const EndWarningMail = define({
  queue: "end-warning-mails",
  payload: Schema.Struct({
    userId: UserId,
    /** First owner of the apps that a mail to a co-owner is about; absent in one to that owner. */
    firstOwner: Schema.optionalKey(UserId),
    /** The mail is about the grants that end by then. */
    until: Schema.DateTimeUtcFromString
  }).pipe(Schema.encodeKeys({ userId: "ownerId" })),
  subject: ({ userId }) => `user:${userId}`
})
