import { Schema, Struct } from "effect"
import { Text } from "../../../domain/Text.ts"
import { ClientKind } from "../records/ClientKind.ts"
import { NewScopes } from "../records/EnteredScope.ts"
import * as RedirectUri from "../records/RedirectUri.ts"
import { RefreshGrace } from "../records/RefreshGrace.ts"
import { reviewedInputs } from "../records/ReviewedFields.ts"

interface Required extends Struct.Lambda {
  <S extends Schema.Top>(schema: S): S["Rebuild"]
  readonly "~lambda.out": this["~lambda.in"] extends Schema.Top ? this["~lambda.in"]["Rebuild"] : never
}
const required = Struct.lambda<Required>((schema) =>
  schema.pipe(Schema.annotateKey({ messageMissingKey: "is required" }))
)

const fields = {
  ...reviewedInputs,
  /** Description of the app for its reviewer. */
  purpose: Text(1, 2000)
}

/** Request that registers an app, where the operator takes these private-use schemes. */
export const registrationWith = (schemes: RedirectUri.Schemes) =>
  Schema.Struct({
    kind: required(ClientKind),
    ...Struct.map(fields, required),
    ...Struct.map(
      Struct.pick(fields, ["tagline", "privacyUrl", "termsUrl", "contact", "logoUrl", "optionalScopes"]),
      Schema.optionalKey
    ),
    redirectUris: required(RedirectUri.redirectUrisWith(schemes)),
    scopes: required(NewScopes.check(Schema.isMinLength(1, { message: "must name at least one scope" })))
  }).annotate({ identifier: "Registration" })

export const Registration = registrationWith(new Set())
export type Registration = typeof Registration.Type

/** Request that changes an app: absent fields stay as they are. The kind never changes. */
export const clientEditWith = (schemes: RedirectUri.Schemes) =>
  Schema.Struct({
    ...Struct.map(fields, Schema.optionalKey),
    redirectUris: Schema.optionalKey(RedirectUri.redirectUrisWith(schemes)),
    /** For confidential clients; a public one keeps the short grace. */
    refreshGrace: Schema.optionalKey(RefreshGrace),
    /**
     * For legacy clients: saves the scopes even though URLs or API calls were seen that they break, or too few were
     * seen.
     */
    breakOldUrls: Schema.optionalKey(Schema.Boolean),
    /** Fetches the logo again although its address stays the same. */
    refetchLogo: Schema.optionalKey(Schema.Boolean),
    /** Version that the edit starts from: when it is no longer current, nothing is changed. */
    version: Schema.optionalKey(Schema.Int)
  }).annotate({ identifier: "ClientEdit" })

export const ClientEdit = clientEditWith(new Set())
export type ClientEdit = typeof ClientEdit.Type

/** A type of decoded values as any texts: before they are checked. */
type Unchecked<A> = A extends string ? string : A extends ReadonlyArray<string> ? ReadonlyArray<string> : A

/** A registration as it arrives; the registry decodes it. */
export type RegistrationInput = { readonly [K in keyof Registration]: Unchecked<Registration[K]> }

/** An edit as it arrives; the registry decodes it. */
export type EditInput = { readonly [K in keyof ClientEdit]: Unchecked<ClientEdit[K]> }

/** A reviewer's reason for a decision, which the owner reads. */
export const Reason = Text(1, 1000)
