import { Schema, Struct } from "effect"
import type { Scope } from "../../../domain/scopes/Scope.ts"
import { Text } from "../../../domain/Text.ts"
import { ClientKind } from "../records/ClientKind.ts"
import * as RedirectUri from "../records/RedirectUri.ts"
import { RefreshGrace } from "../records/RefreshGrace.ts"
import { reviewedInputs, scopesWith } from "../records/ReviewedFields.ts"

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

type IsScope = (name: string) => name is Scope

/**
 * In characters, as `scope` has them. Tokens, addresses of requests and what a gateway is answered are headers, and
 * gateways commonly take 8 kB of a request and 4 kB of an answer.
 */
const mostOfScopes = 3_000

const fitting = Schema.makeFilter((scopes: ReadonlyArray<string>) =>
  scopes.join(" ").length <= mostOfScopes ||
  `must take at most ${mostOfScopes} characters together, as tokens with them travel in headers`
)

/** Request that registers an app, where the operator takes these private-use schemes and the API has these scopes. */
export const registrationWith = (schemes: RedirectUri.Schemes, isScope: IsScope) =>
  registration(schemes, scopesWith(isScope))

const registration = (schemes: RedirectUri.Schemes, scopes: typeof fields.scopes) =>
  Schema.Struct({
    kind: required(ClientKind),
    ...Struct.map(fields, required),
    logoUrl: Schema.optionalKey(fields.logoUrl),
    redirectUris: required(RedirectUri.redirectUrisWith(schemes)),
    scopes: required(scopes.check(Schema.isMinLength(1, { message: "must name at least one scope" }), fitting))
  }).annotate({ identifier: "Registration" })

export const Registration = registration(new Set(), fields.scopes)
export type Registration = typeof Registration.Type

/** Request that changes an app: absent fields stay as they are. The kind never changes. */
export const clientEditWith = (schemes: RedirectUri.Schemes, isScope: IsScope) =>
  clientEdit(schemes, scopesWith(isScope))

const clientEdit = (schemes: RedirectUri.Schemes, scopes: typeof fields.scopes) =>
  Schema.Struct({
    ...Struct.map(fields, Schema.optionalKey),
    redirectUris: Schema.optionalKey(RedirectUri.redirectUrisWith(schemes)),
    scopes: Schema.optionalKey(scopes.check(fitting)),
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

export const ClientEdit = clientEdit(new Set(), fields.scopes)
export type ClientEdit = typeof ClientEdit.Type

/** A type of decoded values as any texts: before they are checked. */
type Unchecked<A> = A extends string ? string : A extends ReadonlyArray<string> ? ReadonlyArray<string> : A

/** A registration as it arrives; the registry decodes it. */
export type RegistrationInput = { readonly [K in keyof Registration]: Unchecked<Registration[K]> }

/** An edit as it arrives; the registry decodes it. */
export type EditInput = { readonly [K in keyof ClientEdit]: Unchecked<ClientEdit[K]> }

/** A reviewer's reason for a decision, which the owner reads. */
export const Reason = Text(1, 1000)
