import { Schema } from "effect"
import { Scope } from "../../domain/scopes/Scope.ts"
import { Line, Text, WebAddress } from "../../domain/Text.ts"
import { ClientKind } from "./Client.ts"
import { RedirectUris } from "./RedirectUri.ts"

// A page over https would not load an image over http.
const LogoUrl = WebAddress.check(Schema.makeFilter((text) => /^https:/i.test(text) || "must be an https address"))

const fields = {
  name: Line(1, 80),
  purpose: Text(1, 2000),
  website: WebAddress,
  logoUrl: Schema.NullOr(LogoUrl),
  redirectUris: RedirectUris,
  scopes: Schema.Array(Scope.annotate({ message: "is not a scope of the catalogue" }))
}

const required = <S extends Schema.Top>(schema: S) =>
  schema.pipe(Schema.annotateKey({ messageMissingKey: "is required" }))

/** What a developer sends to register an app. */
export const Registration = Schema.Struct({
  kind: required(ClientKind),
  /** What users read on the consent page. */
  name: required(fields.name),
  /** What the app does and why, for the reviewer. */
  purpose: required(fields.purpose),
  website: required(fields.website),
  logoUrl: Schema.optionalKey(fields.logoUrl),
  redirectUris: required(fields.redirectUris),
  scopes: required(
    fields.scopes.check(Schema.isMinLength(1, { message: "must name at least one scope" }))
  )
})
export type Registration = typeof Registration.Type

/** What the owner sends to change an app; what is absent stays as it is. The kind never changes. */
export const ClientEdit = Schema.Struct({
  name: Schema.optionalKey(fields.name),
  purpose: Schema.optionalKey(fields.purpose),
  website: Schema.optionalKey(fields.website),
  logoUrl: Schema.optionalKey(fields.logoUrl),
  redirectUris: Schema.optionalKey(fields.redirectUris),
  scopes: Schema.optionalKey(fields.scopes),
  /** Of a client from before scopes: saves its scopes even though URLs without scope are still in use. */
  breakOldUrls: Schema.optionalKey(Schema.Boolean),
  /** The version that the edit starts from: when it is no longer current, nothing is changed. */
  version: Schema.optionalKey(Schema.Int)
})
export type ClientEdit = typeof ClientEdit.Type

/** The words of an administrator to the owner. */
export const Reason = Text(1, 1000)
