import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { broken, ruled } from "../../../domain/Rule.ts"
import { isPrintable, Line, Text } from "../../../domain/Text.ts"

/** A reviewer decides about apps; an administrator does that and all else. */
export const Role = Schema.Literals(["user", "reviewer", "admin"])
export type Role = typeof Role.Type

/** Roles as sentences name them. */
export const roleLabels: Readonly<Record<Role, string>> = {
  user: "user",
  reviewer: "reviewer",
  admin: "administrator"
}

export const isAdmin = (role: Role): boolean => role === "admin"
export const mayReview = (role: Role): boolean => role !== "user"

/** A well-formed e-mail address; whose it is has not been verified. */
export const Email = Schema.Trim.check(
  ruled((text) =>
    text.length <= 254 && isPrintable(text) && /^[^\s@<>]+@[^\s@<>]+$/.test(text)
      ? undefined
      : broken("email", { example: "ann@example.com" })
  )
)

/** A name that can stand in a URL: letters, digits, dots, hyphens and underscores. */
export const Username = Schema.Trim.check(
  ruled((text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) ? undefined : broken("username", { most: 64 }))
)

/** Name of a time zone of the IANA database. */
export const TimeZone = Schema.Trim.check(ruled((zone) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone === "" ? noZone : undefined
  } catch {
    return noZone
  }
}))

const noZone = broken("timeZone", { example: "Europe/Berlin" })

/** A language tag (BCP 47), with hyphens. */
export const Locale = Schema.Trim.check(ruled((tag) => {
  try {
    return tag.length <= 35 && Intl.getCanonicalLocales(tag).length === 1 ? undefined : noLanguage
  } catch {
    return noLanguage
  }
}))

const noLanguage = broken("language", { example: "en-GB" })

export const weekDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const

/** Fields that people may change about themselves. */
export const Profile = Schema.Struct({
  name: Line(1, 100),
  username: Username,
  bio: Schema.NullOr(Text(0, 1000)),
  timeFormat: Schema.Literals([12, 24]),
  weekStart: Schema.Literals(weekDays),
  timeZone: TimeZone,
  /** Empty for the language that the browser wants. */
  locale: Schema.optionalKey(Schema.Union([Schema.Literal(""), Locale]))
})
export type Profile = typeof Profile.Type

/** A user as the rest of the server knows them, whatever identity source they come from. */
export class Account extends Schema.Class<Account>("Account")({
  id: UserId,
  /** Empty if none is known. */
  email: Schema.String,
  /**
   * Whether somebody vouches that the address is the user's. Apps get no address of which this is false, and learn that
   * it was verified only where this is true.
   */
  emailVerified: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  username: Schema.String,
  name: Schema.String,
  role: Role,
  avatarUrl: Schema.NullOr(Schema.String),
  bio: Schema.NullOr(Schema.String),
  timeFormat: Schema.Literals([12, 24]),
  defaultScheduleId: Schema.NullOr(Schema.Int),
  weekStart: Schema.String,
  timeZone: Schema.String,
  /** Language tag (BCP 47); empty if none is known. */
  locale: Schema.String,
  organizationId: Schema.NullOr(Schema.Int),
  /** Name of the organization; without one, nobody says that the user is in any. */
  organizationName: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /**
   * Whether the user may decide what an app may do in the whole organization at the highest risk. If nobody says, all
   * users may, unless `ORGANIZATION_DECIDER_CLAIM` is set.
   */
  decidesForOrganization: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  createdAt: Schema.DateTimeUtcFromDate
}) {
  get isAdmin() {
    return isAdmin(this.role)
  }

  get mayReview() {
    return mayReview(this.role)
  }
}

/** Owner of an app as its reviewers see them. */
export const Owner = Schema.Struct({
  id: UserId,
  name: Schema.String,
  username: Schema.String,
  email: Schema.String
}).annotate({ identifier: "Owner" })

/** An account as an operator sees it. */
export const ListedAccount = Schema.Struct({
  ...Account.fields,
  disabled: Schema.Boolean,
  /** Role that claims of its provider have lent it, and until when it counts, or has counted; else `null`. */
  claimedRole: Schema.NullOr(Role),
  claimedUntil: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Issuer at which its user signs in; `null` for a local account. */
  issuer: Schema.NullOr(Schema.String)
})
export type ListedAccount = typeof ListedAccount.Type
