import { Schema, Struct } from "effect"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { isTestName } from "../../../domain/names/TestName.ts"
import { broken, ruled } from "../../../domain/Rule.ts"
import { ScopeName } from "../../../domain/scopes/Scope.ts"
import { Line, SecureAddress, WebAddress } from "../../../domain/Text.ts"
import { Contact } from "./Contact.ts"
import { EnteredScopes } from "./EnteredScope.ts"
import { RedirectUris } from "./RedirectUri.ts"

/**
 * Fields of an app that users and this server rely on: once the app is approved, a change of one of them waits for
 * review. This is their only list. Client, ClientChange, Registration, ClientEdit, the differences that a reviewer sees
 * and the API derive from it, and the compiler names every place that a new field still needs.
 */
export const reviewedFields = {
  name: Schema.String,
  /** One sentence of the app about itself, for its users. */
  tagline: Schema.NullOr(Schema.String),
  website: Schema.String,
  /** Privacy policy of the app, `policy_uri` of RFC 7591 §2. */
  privacyUrl: Schema.NullOr(Schema.String),
  /** Terms of service of the app, `tos_uri` of RFC 7591 §2. */
  termsUrl: Schema.NullOr(Schema.String),
  /** Where its users reach the people behind it: a mail address or a page (`Contact`). */
  contact: Schema.NullOr(Schema.String),
  /** Address at which the picture of the app was when this version was submitted. */
  logoUrl: Schema.NullOr(Schema.String),
  /**
   * SHA-256 digest of the picture that is shown, in base64url, by which it is served at `/logos/`; null where there is
   * none.
   */
  logoDigest: Schema.NullOr(Schema.String),
  redirectUris: Schema.Array(Schema.String),
  /** All that the app may ask for, in catalogue order. */
  scopes: Schema.Array(ScopeName),
  /** Those of them that users may decline, in catalogue order (`OptionalScopes`). */
  optionalScopes: Schema.Array(ScopeName)
}
export type ReviewedField = keyof typeof reviewedFields

export const reviewedFieldNames: ReadonlyArray<ReviewedField> = Struct.keys(reviewedFields)

export const isReviewedField = Schema.is(Schema.Literals(reviewedFieldNames))

const ReviewedVersion = Schema.Struct(reviewedFields)
/** Reviewed fields at one time: as they serve, or as the owner wants them. */
export type ReviewedVersion = typeof ReviewedVersion.Type

/** Reviewed fields of a client or of a change. */
export const reviewedVersionOf = (source: ReviewedVersion): ReviewedVersion => Struct.pick(source, reviewedFieldNames)

/**
 * Version that an edit asks for: what the edit leaves out stays as it is, and so do scopes that no form of this release
 * has a box for. A scope takes its mark as optional with it when it goes.
 */
export const applyEdit = (
  { inOrder, unknownOf }: Catalogue,
  base: ReviewedVersion,
  edit: Partial<ReviewedVersion>
): ReviewedVersion => {
  const merged = { ...base, ...Struct.pick(edit, reviewedFieldNames) }
  const scopes = inOrder([...merged.scopes, ...unknownOf(base.scopes)])
  const optionalScopes = inOrder([...merged.optionalScopes, ...unknownOf(base.optionalScopes)])
  return { ...merged, scopes, optionalScopes: optionalScopes.filter((scope) => scopes.includes(scope)) }
}

/** What an app says of itself whose owner has entered no more than has to be. */
export const nothingSaid = {
  tagline: null,
  privacyUrl: null,
  termsUrl: null,
  contact: null
} satisfies Partial<ReviewedVersion>

// Nobody between could put another picture in its place.
export const LogoUrl = SecureAddress

/**
 * Same fields as a developer may enter them; the digest follows from the address. Stored values may have been entered
 * under older rules.
 */
export const reviewedInputs = {
  /** Shown to users on the consent page. */
  name: Line(1, 80).check(ruled((name) => isTestName(name) ? broken("testName") : undefined)),
  tagline: Schema.NullOr(Line(1, 120)),
  website: WebAddress,
  privacyUrl: Schema.NullOr(SecureAddress),
  termsUrl: Schema.NullOr(SecureAddress),
  contact: Schema.NullOr(Contact),
  logoUrl: Schema.NullOr(LogoUrl),
  redirectUris: RedirectUris,
  scopes: EnteredScopes,
  optionalScopes: EnteredScopes
} satisfies { readonly [F in Exclude<ReviewedField, "logoDigest">]: Schema.Codec<ReviewedVersion[F], unknown> }
