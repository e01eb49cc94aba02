import { Array as Arr, Effect, Option, Schema } from "effect"
import { AppConfig, type Settings } from "../../../foundation/config/AppConfig.ts"
import { profileFields } from "../../../foundation/config/Settings.ts"
import {
  type ExternalIdentity,
  ExternalProfile,
  longestBio,
  longestName,
  type Subject
} from "../people/ExternalIdentity.ts"
import * as NewUsername from "../people/NewUsername.ts"
import { lineForms, textForms } from "./ClaimText.ts"

/** Claims of an ID token or of another assertion about a user. */
export type Claims = Readonly<Record<string, unknown>>

interface Assertion extends Subject {
  readonly claims: Claims
}

/**
 * Identity that these claims tell of, by the settings `PROFILE_CLAIMS`, `ADMINISTRATOR_CLAIM`, `REVIEWER_CLAIM` and
 * `ORGANIZATION_DECIDER_CLAIM`. A claim that does not fit its field is left out, with a line in the log: nobody is kept
 * out because of a wrong time zone.
 */
export const identityOf = Effect.fnUntraced(function*(assertion: Assertion) {
  const { identity, misfits } = readIdentity(assertion, yield* AppConfig)
  if (misfits.length > 0) {
    const details = { issuer: assertion.issuer, fields: misfits }
    yield* Effect.logWarning("Claims of an identity provider do not fit the profile, and were left out", details)
  }
  return identity
})

/** Same, with the fields whose claims do not fit. */
export const readIdentity = (
  { claims, issuer, subject }: Assertion,
  config: Pick<Settings, ClaimSettings>
): { readonly identity: ExternalIdentity; readonly misfits: ReadonlyArray<string> } => {
  const readings = profileFields.map((field) => ({ field, ...readField(field, claims, config) }))
  const profile = readings.reduce<ExternalProfile>((parts, { part }) => ({ ...parts, ...part }), {})
  return {
    identity: {
      issuer,
      subject,
      profile: { ...profile, decidesForOrganization: decidesBy(claims, config) },
      roles: readRoles(claims, config)
    },
    misfits: readings.flatMap(({ field, fits }) => fits ? [] : [field])
  }
}

type ClaimSettings =
  | "administratorClaim"
  | "emailVerification"
  | "organizationDeciderClaim"
  | "profileClaims"
  | "reviewerClaim"

interface Reading {
  readonly part: ExternalProfile
  readonly fits: boolean
}

const absent: Reading = { part: {}, fits: true }

const readField = (
  field: typeof profileFields[number],
  claims: Claims,
  { emailVerification, profileClaims }: Pick<Settings, "emailVerification" | "profileClaims">
): Reading => {
  const claim = profileClaims[field]
  if (claim === undefined || claim === "") return absent
  const found = find(claims, claim)
  if (Option.isNone(found)) return nameless(field)
  // Apps may take an address for the person, so one that may be another's is none.
  if (field === "email" && (found.value === "" || !isVouchedFor(claims, claim, emailVerification))) return noAddress
  if (field === "organizationName" && found.value === "") return noOrganization
  const part = Arr.findFirst(formsOf(field, found.value), (value) => decodeProfile({ [field]: value }))
  return Option.match(part, {
    onNone: () => ({ ...nameless(field), fits: false }),
    onSome: (part) => ({ part, fits: true })
  })
}

// Users leave an organization, and then nothing speaks of it: a name that is not said holds no longer.
const noOrganization: Reading = { part: { organizationName: null }, fits: true }
const nameless = (field: typeof profileFields[number]) => field === "organizationName" ? noOrganization : absent

const noAddress: Reading = { part: { email: null }, fits: true }

/**
 * Tells whether the provider says of this claim that it has verified the address, by the claim beside it:
 * `email_verified` for `email` (OpenID Connect Core 1.0 §5.1). Some write it as a text.
 */
export const isVouchedFor = (
  claims: Claims,
  claim: string,
  emailVerification: Settings["emailVerification"]
): boolean =>
  Option.match(find(claims, `${claim}_verified`), {
    onNone: () => emailVerification === "assumed",
    onSome: (said) => said === true || said === "true"
  })

const decodeProfile = Schema.decodeUnknownOption(ExternalProfile)

/** Forms in which providers send what a field holds, the field's own first. */
const formsOf = (field: typeof profileFields[number], value: unknown): ReadonlyArray<unknown> => {
  if (typeof value !== "string") return [value]
  if (field === "name" || field === "organizationName") return lineForms(value, longestName)
  if (field === "bio") return textForms(value, longestBio)
  if (field === "username") return [NewUsername.from(value)]
  if (field === "locale") return [value.replaceAll("_", "-")]
  return /^-?\d{1,10}$/.test(value) ? [value, Number(value)] : [value]
}

const readRoles = (
  claims: Claims,
  { administratorClaim, reviewerClaim }: Pick<Settings, "administratorClaim" | "reviewerClaim">
): ExternalIdentity["roles"] => ({
  ...(Option.isSome(administratorClaim) ? { administrator: isSaid(claims, administratorClaim.value) } : {}),
  ...(Option.isSome(reviewerClaim) ? { reviewer: isSaid(claims, reviewerClaim.value) } : {})
})

const decidesBy = (
  claims: Claims,
  { organizationDeciderClaim }: Pick<Settings, "organizationDeciderClaim">
): boolean | null =>
  Option.match(organizationDeciderClaim, { onNone: () => null, onSome: (said) => isSaid(claims, said) })

const isSaid = (claims: Claims, { claim, value }: { readonly claim: string; readonly value: string }): boolean =>
  Option.exists(find(claims, claim), has(value))

const has = (wanted: string) => (value: unknown): boolean =>
  Array.isArray(value) ? value.includes(wanted) : value === wanted

/** Claim of this name, or one within others: `realm_access.roles`. Names of claims may have dots themselves. */
const find = (claims: Claims, name: string): Option.Option<unknown> => {
  if (Object.hasOwn(claims, name)) return Option.fromNullishOr(claims[name])
  const value = name.split(".").reduce<unknown>(
    (within, part) => isRecord(within) && Object.hasOwn(within, part) ? within[part] : undefined,
    claims
  )
  return Option.fromNullishOr(value)
}

const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))
