import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** What became of the people who have a part in an app, beside its gift by an operator. */
export const OwnersEvent = Schema.Literals([
  /** An invited person is a co-owner now; told to the owners. */
  "joined",
  /** A co-owner has left; told to the owners. */
  "left",
  /** The role of the recipient is another one. */
  "role_changed",
  /** The recipient is no co-owner any more. */
  "removed",
  /** The app is to be another's; told to all who have a part in it. */
  "transfer_asked",
  "transfer_withdrawn",
  /** The first owner has left the platform, and another is in their place; told to all who have a part in the app. */
  "inherited",
  /** The app was deleted. */
  "deleted"
])
export type OwnersEvent = typeof OwnersEvent.Type

/** Tells somebody who has a part in an app, or had one, that its owners are others now, or are to be. */
export const OwnerChange = define({
  queue: "owner-changes",
  payload: Schema.Struct({
    /** User to tell. */
    userId: UserId,
    clientId: ClientId,
    /** True if the app is theirs now; false if it was, or is not theirs alone. */
    isOwner: Schema.Boolean,
    /** Without it, an operator gave the app to another. */
    event: Schema.optionalKey(OwnersEvent),
    /** Person whom the event is about; not always the recipient. */
    person: Schema.optionalKey(UserId),
    /** Role of that person in the app from now on. */
    role: Schema.optionalKey(Schema.Literals(["first", "owner", "developer"])),
    /** App as it was, where it is none any more. */
    app: Schema.optionalKey(Schema.Struct({ name: Schema.String, website: Schema.String }))
  }),
  subject: ({ userId }) => `user:${userId}`
})
