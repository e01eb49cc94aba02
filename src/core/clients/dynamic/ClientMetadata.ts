import { Effect, Schema } from "effect"
import * as Input from "../../../domain/Input.ts"
import {
  InvalidClientMetadata,
  InvalidRedirectUri,
  InvalidSoftwareStatement,
  type MetadataError,
  UnapprovedSoftwareStatement
} from "../../../domain/OAuthError.ts"
import { Line, SecureAddress, WebAddress } from "../../../domain/Text.ts"
import type { ClientKind } from "../records/ClientKind.ts"
import { Contact } from "../records/Contact.ts"
import { kindFaults, redirectUrisWith, type Schemes } from "../records/RedirectUri.ts"
import { LogoUrl, reviewedInputs } from "../records/ReviewedFields.ts"

/** What decides which metadata a server takes. */
export interface Taken {
  readonly schemes: Schemes
  readonly grantTypes: ReadonlyArray<string>
  readonly authMethods: ReadonlyArray<string>
}

const metadataWith = ({ authMethods, grantTypes, schemes }: Taken) =>
  Schema.Struct({
    redirect_uris: redirectUrisWith(schemes),
    client_name: Schema.optionalKey(reviewedInputs.name),
    client_uri: Schema.optionalKey(WebAddress),
    logo_uri: Schema.optionalKey(LogoUrl),
    policy_uri: Schema.optionalKey(SecureAddress),
    tos_uri: Schema.optionalKey(SecureAddress),
    contacts: Schema.optionalKey(Schema.Array(Contact).check(most(mostContacts))),
    grant_types: Schema.Array(Schema.Literals(grantTypes)).check(
      most(grantTypes.length),
      Schema.makeFilter((types) => types.includes("authorization_code") || "must have authorization_code")
    ),
    response_types: Schema.Array(Schema.Literals(["code"])).check(
      most(1),
      Schema.makeFilter((types) => types.length > 0 || "must have code")
    ),
    token_endpoint_auth_method: Schema.Literals(authMethods),
    scope: Schema.optionalKey(Schema.String.check(
      Schema.makeFilter((text) => text.length <= 3_000 || "must have at most 3000 characters"),
      Schema.makeFilter((text) => isScopes(text) || "must be names with a space between two")
    )),
    software_id: Schema.optionalKey(Line(1, 255)),
    software_version: Schema.optionalKey(Line(1, 255))
  })

/** Metadata that a server knows, each member by the rules for apps of developers; all else is ignored. */
export type ClientMetadata = ReturnType<typeof metadataWith>["Type"]

/** Makes the reader of a body: metadata with the defaults of RFC 7591 §2, or why they are not taken. */
export const metadataReader = (taken: Taken) => {
  const decode = Input.decode(metadataWith(taken))

  return Effect.fnUntraced(function*(body: unknown): Effect.fn.Return<ClientMetadata, MetadataError> {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return yield* noObject
    const said = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ""))
    const { software_statement } = said
    if (typeof software_statement === "string") return yield* statementNotApproved
    if (software_statement !== undefined) return yield* statementNoText
    const metadata = yield* Effect.mapError(
      decode({ ...defaults, ...said }),
      ({ details = [] }) => metadataError(details)
    )
    const faults = kindFaults(kindOf(metadata), metadata.redirect_uris, taken.schemes)
    return faults.length > 0 ? yield* metadataError(faults) : metadata
  })
}

/** Client type of an app that authenticates so. */
export const kindOf = ({ token_endpoint_auth_method: method }: ClientMetadata): ClientKind =>
  method === "none" ? "public" : "confidential"

/** Error with the faults in it, by the names of the RFC; those of redirect URIs have an error of their own. */
export const metadataError = (faults: ReadonlyArray<Input.Fault>): MetadataError => {
  const named = faults.map(({ message, path }) => ({ path: path.replace("redirectUris", "redirect_uris"), message }))
  const ofUris = named.filter(({ path }) => path.startsWith("redirect_uris"))
  const told = (ofUris.length > 0 ? ofUris : named).slice(0, mostTold).map(({ message, path }) => `${path} ${message}`)
  const error_description = inAscii(told.join("; "))
  return ofUris.length > 0
    ? new InvalidRedirectUri({ error_description })
    : new InvalidClientMetadata({ error_description })
}

const noObject = new InvalidClientMetadata({ error_description: "the metadata must be a JSON object" })

const defaults = {
  grant_types: ["authorization_code"],
  response_types: ["code"],
  token_endpoint_auth_method: "client_secret_basic"
}

const statementNotApproved = new UnapprovedSoftwareStatement({
  error_description: "software statements are not taken: leave software_statement out"
})
const statementNoText = new InvalidSoftwareStatement({ error_description: "software_statement is no JWT" })

const most = (number: number) =>
  Schema.makeFilter((list: ReadonlyArray<string>) => list.length <= number || `must have at most ${number} entries`)

const mostContacts = 10
const mostTold = 5

const isScopes = (text: string) => /^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text)

/** Characters of a description (RFC 6749 §5.2). */
const inAscii = (text: string) => text.replaceAll(/[“”"]/g, "'").replaceAll("\\", "/").replaceAll(/[^\x20-\x7e]/g, "?")
