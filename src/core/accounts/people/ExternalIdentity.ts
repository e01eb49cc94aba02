import { Schema } from "effect"
import { isPrintable, Line, Text, WebAddress } from "../../../domain/Text.ts"
import type { profileFields } from "../../../foundation/config/Settings.ts"
import { Email, Locale, TimeZone, Username, weekDays } from "./Account.ts"

const Int32 = Schema.Int.check(Schema.isBetween({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }))

// In UTF-16 code units.
export const longestName = 100
export const longestBio = 1000

/**
 * Facts that an identity provider or the platform may tell of a user. Those that it does not tell stay as they were.
 */
export const ExternalProfile = Schema.Struct(
  {
    name: Schema.optionalKey(Line(1, longestName)),
    username: Schema.optionalKey(Username),
    // An address that was verified to be the user's; with `null` it is forgotten.
    email: Schema.optionalKey(Schema.NullOr(Email)),
    avatarUrl: Schema.optionalKey(Schema.NullOr(WebAddress)),
    bio: Schema.optionalKey(Schema.NullOr(Text(0, longestBio))),
    timeZone: Schema.optionalKey(TimeZone),
    locale: Schema.optionalKey(Locale),
    timeFormat: Schema.optionalKey(Schema.Literals([12, 24])),
    weekStart: Schema.optionalKey(Schema.Literals(weekDays)),
    organizationId: Schema.optionalKey(Schema.NullOr(Int32)),
    organizationName: Schema.optionalKey(Schema.NullOr(Line(1, longestName))),
    defaultScheduleId: Schema.optionalKey(Schema.NullOr(Int32))
  } satisfies Record<typeof profileFields[number], unknown>
)
export type ExternalProfile = typeof ExternalProfile.Type

/** Holds for the name of an issuer, or of a user there: compared as it is, and never shortened or folded. */
export const isSubjectName = Schema.makeFilter((name: string) =>
  name.length >= 1 && name.length <= 255 && isPrintable(name) ||
  "must have 1 to 255 characters, none of them control characters"
)

/** Tells the id of a user at another server that can be kept (OpenID Connect Core 1.0 §2, `sub`). */
export const isSubject = Schema.is(Schema.String.check(isSubjectName))

/** A user as another server names them: no address and no name says who somebody is. */
export interface Subject {
  readonly issuer: string
  readonly subject: string
}

/** A subject as one text, by which releases that run at the same time lock the account. */
export const identityKey = ({ issuer, subject }: Subject) =>
  `[${JSON.stringify(issuer)},${JSON.stringify(subject)}]` as const

/** A user whom an identity provider, or the platform, vouches for. */
export interface ExternalIdentity extends Subject {
  readonly profile: ExternalProfile & {
    /** What a sign-in says, by `ORGANIZATION_DECIDER_CLAIM`; `null` without the setting. */
    readonly decidesForOrganization?: boolean | null
  }
  /** Roles of which it says whether the user has them. */
  readonly roles: { readonly administrator?: boolean; readonly reviewer?: boolean }
}
