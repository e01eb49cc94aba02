import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Asks an owner or co-owner of legacy apps to move them to scopes: one mail about all of them (specification §5.6). */
export const MigrationMail = define({
  queue: "migration-mails",
  payload: Schema.Struct({ userId: UserId }).pipe(Schema.encodeKeys({ userId: "ownerId" })),
  subject: ({ userId }) => `user:${userId}`
})
