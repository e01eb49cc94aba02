import { Schema, Struct } from "effect"
import { Account } from "../../core/accounts/Account.ts"

/** The fields of an account that an app may see. */
export const profileFields = [
  "id",
  "username",
  "email",
  "name",
  "avatarUrl",
  "bio",
  "timeFormat",
  "defaultScheduleId",
  "weekStart",
  "timeZone",
  "locale",
  "organizationId"
] as const

/** The profile of the user for whom an app calls (specification §4.4). */
export const UserProfile = Schema.Struct(Struct.pick(Account.fields, profileFields)).annotate({ identifier: "Me" })

/** The same as claims, flat and in their standard form (OpenID Connect Core §5.1, §5.3.2); what is not known is left out. */
export const UserClaims = Schema.Struct({
  sub: Account.fields.id,
  name: Schema.String,
  preferred_username: Schema.String,
  email: Schema.String,
  picture: Schema.optionalKey(Schema.String),
  zoneinfo: Schema.String,
  locale: Schema.String
}).annotate({ identifier: "UserClaims" })

export const claimsOf = (
  { avatarUrl, email, id, locale, name, timeZone, username }: Account
): typeof UserClaims.Type => ({
  sub: id,
  name,
  preferred_username: username,
  email,
  ...(avatarUrl === null ? {} : { picture: avatarUrl }),
  zoneinfo: timeZone,
  locale
})

/** The scope that reading the profile needs (specification §4.4). */
export const profileScope = "PROFILE_READ"
