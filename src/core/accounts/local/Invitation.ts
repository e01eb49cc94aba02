import { Schema } from "effect"
import { Email, Role } from "../people/Account.ts"

/** An invitation that waits for the person to make the account. */
export class Invitation extends Schema.Class<Invitation>("Invitation")({
  id: Schema.String,
  email: Schema.String,
  /** Role that the account will have. */
  role: Role,
  /** Account of the administrator who sent it, or the operator. */
  invitedBy: Schema.String,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
}) {}

/** An address to invite. */
export const NewInvitation = Schema.Struct({ email: Email, role: Role })
