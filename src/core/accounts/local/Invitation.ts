import { Schema } from "effect"
import { Email, Role } from "../people/Account.ts"

/** An invitation that waits for the person to make the account. */
export class Invitation extends Schema.Class<Invitation>("Invitation")({
  id: Schema.String,
  email: Schema.String,
  role: Role,
  /** Account of the administrator who sent it, or the operator. */
  invitedBy: Schema.String,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
}) {}

export const NewInvitation = Schema.Struct({ email: Email, role: Role })
