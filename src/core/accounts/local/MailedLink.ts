import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { Role } from "../people/Account.ts"

/** Power of a mailed link, and the path of the page behind it. */
export const paths = {
  "email-change": "/confirm-address",
  "invitation": "/invitation",
  "password-reset": "/reset-password"
} as const
export type Purpose = keyof typeof paths

export class MailedLink extends Schema.Class<MailedLink>("MailedLink")({
  id: Schema.String,
  /** Account that the link changes; an invitation has none yet. */
  accountId: Schema.NullOr(UserId),
  /** Address that the link is mailed to. */
  email: Schema.String,
  /** Role of an invitation, and who sent it, as in the audit trail. */
  role: Schema.NullOr(Role),
  invitedBy: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.DateTimeUtcFromDate
}) {}

/** The link was used, withdrawn or replaced, or it has expired. */
export class LinkUnusable extends Schema.TaggedError<LinkUnusable>()("LinkUnusable", {}) {}
