import { Schema, Struct } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { Text } from "../../../domain/Text.ts"

/** A note is among reviewers; a question is for the owner of the app, and an answer comes from them. */
export const MessageKind = Schema.Literals(["note", "question", "answer"])
export type MessageKind = typeof MessageKind.Type

export const MessageText = Text(1, 2000)

/** What somebody wrote about an app while it was reviewed. */
export const ReviewMessage = Schema.Struct({
  id: Schema.String,
  kind: MessageKind,
  /** Account that wrote it; `null` once that is deleted. */
  author: Schema.NullOr(UserId),
  text: Schema.String,
  /** Version of the app that it is about. */
  version: Schema.Int,
  at: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "ReviewMessage" })
export type ReviewMessage = typeof ReviewMessage.Type

/** Same as the owner of the app sees it: without notes, and without the name of a reviewer. */
export const OwnerMessage = Schema.Struct({
  ...Struct.omit(ReviewMessage.fields, ["author"]),
  kind: Schema.Literals(["question", "answer"])
}).annotate({ identifier: "OwnerMessage" })
export type OwnerMessage = typeof OwnerMessage.Type
