import { Schema, Struct } from "effect"
import { Account } from "../../core/accounts/people/Account.ts"

/** Fields of an account that an app may see. */
const profileFields = [
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

/** Profile of the user for whom an app calls (specification §4.4). */
export const UserProfile = Schema.Struct({
  ...Struct.pick(Account.fields, profileFields),
  email: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Me" })

export const profileOf = (account: Account): typeof UserProfile.Type => ({
  ...Struct.pick(account, profileFields),
  email: emailOf(account),
  // Apps may take it for a language tag.
  locale: account.locale === "" ? "en" : account.locale
})

/**
 * Same as claims, flat and in their standard form (OpenID Connect Core §5.1); what is not known is left out (§5.3.2).
 * Beside `sub` there is `id`, by which libraries that know no OpenID Connect look for a user.
 */
export const UserClaims = Schema.Struct({
  id: Account.fields.id,
  sub: Account.fields.id,
  name: Schema.optionalKey(Schema.String),
  preferred_username: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(Schema.String),
  email_verified: Schema.optionalKey(Schema.Literal(true)),
  picture: Schema.optionalKey(Schema.String),
  zoneinfo: Schema.optionalKey(Schema.String),
  locale: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "UserClaims" })

export const claimsOf = (account: Account): typeof UserClaims.Type => {
  const { avatarUrl, emailVerified, id, locale, name, timeZone, username } = account
  const email = emailOf(account)
  // A source may fill in the id for a name that it does not know.
  const isUnnamed = name === id
  return {
    id,
    sub: id,
    ...(name === "" || isUnnamed ? {} : { name }),
    ...(username === "" || isUnnamed && username === id ? {} : { preferred_username: username }),
    ...(email === null ? {} : { email, ...(emailVerified === true ? { email_verified: true } : {}) }),
    ...(avatarUrl === null ? {} : { picture: avatarUrl }),
    ...(timeZone === "" ? {} : { zoneinfo: timeZone }),
    ...(locale === "" ? {} : { locale })
  }
}

/** Address that apps get: they may take it for the person. */
const emailOf = ({ email, emailVerified }: Account): string | null =>
  email === "" || emailVerified === false ? null : email
