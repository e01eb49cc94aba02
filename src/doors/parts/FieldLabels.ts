import type { ReviewedField } from "../../core/clients/records/ReviewedFields.ts"
import { type Message, type PlainValues, text } from "../../foundation/web/Message.ts"

/** Names that people read for the reviewed fields. */
export const fieldLabels: Readonly<Record<ReviewedField, Message<PlainValues>>> = {
  name: text("field.name"),
  tagline: text("field.tagline"),
  website: text("field.website"),
  privacyUrl: text("field.privacyUrl"),
  termsUrl: text("field.termsUrl"),
  contact: text("field.contact"),
  logoUrl: text("field.logoUrl"),
  logoDigest: text("field.logoDigest"),
  redirectUris: text("field.redirectUris"),
  scopes: text("field.scopes"),
  optionalScopes: text("field.optionalScopes")
}
