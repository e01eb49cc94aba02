import { Option, Result, Schema } from "effect"
import { ClientId } from "../../domain/Ids.ts"
import {
  type AuthorizationError,
  InvalidRequest,
  InvalidScope,
  UnsupportedResponseType
} from "../../domain/OAuthError.ts"
import * as Parameters from "../../domain/Parameters.ts"
import { GrantedScopes, isSubset, parse } from "../../domain/scopes/Scope.ts"
import type { Client } from "../clients/Client.ts"
import * as RedirectUri from "../clients/RedirectUri.ts"

/** The authorization endpoint (RFC 6749 §3.1). */
export const authorizationPath = "/auth/oauth2/authorize"

/** What an app asks of the user, once every check has passed (RFC 6749 §4.1.1). */
export const AuthorizationRequest = Schema.Struct({
  clientId: ClientId,
  redirectUri: Schema.String,
  scopes: GrantedScopes,
  /** As it was sent, still encoded, so that it comes back byte for byte. */
  state: Schema.NullOr(Schema.String),
  /** The S256 challenge of RFC 7636 §4.2. */
  codeChallenge: Schema.NullOr(Schema.String)
})
export type AuthorizationRequest = typeof AuthorizationRequest.Type

/** Why the browser is sent nowhere: nobody vouches for the address, so only the user is told (RFC 6749 §4.1.2.1). */
export class Unredirectable extends Schema.TaggedError<Unredirectable>()("Unredirectable", {
  reason: Schema.Literals([
    "query-malformed",
    "client-missing",
    "client-repeated",
    "client-unknown",
    "redirect-uri-missing",
    "redirect-uri-repeated",
    "redirect-uri-unregistered",
    "client-pending",
    "client-rejected",
    "client-suspended"
  ])
}) {}

/** A query of which the client and its address are legible; the rest was not judged yet. */
export interface Query {
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string | null
  readonly others: Parameters.Parameters
  readonly repeats: boolean
}

/** The query of an address, still encoded. */
export const queryOf = (url: string): string => {
  const at = url.indexOf("?")
  return at < 0 ? "" : url.slice(at + 1)
}

/** Reads the query, judging only what decides whether an answer may be sent to the app at all. */
export const read = (query: string): Result.Result<Query, Unredirectable> => {
  const pairs = Parameters.pairs(query)
  if (Result.isFailure(pairs)) return unredirectable("query-malformed")
  // A parameter without a value counts as omitted, but one that is named twice is repeated all the same (RFC 6749 §3.1).
  const named = Map.groupBy(pairs.success, ({ name }) => name)
  const of = (name: string) => named.get(name)?.find(({ value }) => value !== "")
  const isRepeated = (name: string) => (named.get(name)?.length ?? 0) > 1

  if (isRepeated("client_id")) return unredirectable("client-repeated")
  if (isRepeated("redirect_uri")) return unredirectable("redirect-uri-repeated")
  const clientId = of("client_id")?.value
  if (clientId === undefined) return unredirectable("client-missing")
  const redirectUri = of("redirect_uri")?.value
  if (redirectUri === undefined) return unredirectable("redirect-uri-missing")
  return Result.succeed({
    clientId,
    redirectUri,
    state: isRepeated("state") ? null : of("state")?.encoded ?? null,
    others: new Map(pairs.success.filter(({ value }) => value !== "").map(({ name, value }) => [name, value])),
    repeats: [...named.values()].some(({ length }) => length > 1)
  })
}

/** Whether this client may be answered at this address. Asked again when the user decides. */
export const validateClient = (
  client: Option.Option<Client>,
  redirectUri: string
): Result.Result<Client, Unredirectable> => {
  if (Option.isNone(client)) return unredirectable("client-unknown")
  if (!RedirectUri.matches(client.value.redirectUris, redirectUri)) return unredirectable("redirect-uri-unregistered")
  if (client.value.status !== "approved") return unredirectable(`client-${client.value.status}`)
  return Result.succeed(client.value)
}

/** Judges the rest; a failure may be sent to the app, once the user has signed in (design, Authorization endpoint). */
export const validate = (
  client: Client,
  { others, redirectUri, repeats, state }: Query
): Result.Result<AuthorizationRequest, AuthorizationError> => {
  const responseType = others.get("response_type")
  const codeChallenge = others.get("code_challenge")
  const method = others.get("code_challenge_method")

  if (repeats) return invalid("a parameter is repeated")
  if (responseType !== undefined && responseType !== "code") return unsupported
  if (method !== undefined && codeChallenge === undefined) return invalid("code_challenge_method has no code_challenge")
  if (method !== undefined && method !== "S256") return invalid("code_challenge_method must be S256")
  if (codeChallenge !== undefined && !s256.test(codeChallenge)) {
    return invalid("code_challenge must be the base64url form of a SHA-256 hash: 43 characters")
  }
  if (client.kind === "public" && codeChallenge === undefined) {
    return invalid("a public client must send code_challenge")
  }
  return Result.map(scopesOf(client, others.get("scope")), (scopes) => ({
    clientId: client.id,
    redirectUri,
    scopes,
    state,
    codeChallenge: codeChallenge ?? null
  }))
}

/** Whether the client may ask for these scopes. Asked again when the user decides. */
export const validateScope = (client: Client, scopes: GrantedScopes): Result.Result<GrantedScopes, InvalidScope> => {
  if (isUnvalidated(client)) return Result.succeed(scopes)
  if (scopes === null) return noScope
  const foreign = scopes.filter((scope) => !isSubset([scope], client.scopes))
  return foreign.length === 0
    ? Result.succeed(scopes)
    : invalidScope(`scope exceeds what is registered for the app: ${foreign.join(" ")}`)
}

const scopesOf = (client: Client, text: string | undefined): Result.Result<GrantedScopes, InvalidScope> => {
  if (text === undefined) return validateScope(client, null)
  const scopes = parse(text)
  if (Result.isFailure(scopes)) return unknownScope(scopes.failure)
  // Separators alone name nothing; for a legacy client they must not widen to everything.
  return scopes.success.length > 0 ? validateScope(client, scopes.success) : noScope
}

/** A client from before scopes, whose scopes were not saved yet: it may ask for anything, or for all (spec §5.6). */
const isUnvalidated = (client: Client): boolean => client.legacy && client.scopes.length === 0

const s256 = /^[A-Za-z0-9_-]{43}$/

const unredirectable = (reason: Unredirectable["reason"]) => Result.fail(new Unredirectable({ reason }))
const invalid = (error_description: string) => Result.fail(new InvalidRequest({ error_description }))
const invalidScope = (error_description: string) => Result.fail(new InvalidScope({ error_description }))
const unsupported = Result.fail(new UnsupportedResponseType({ error_description: "response_type must be code" }))
const noScope = invalidScope("scope is missing: add it to the authorization URL with the scopes that the app needs")

// Names of the caller's making are repeated only where they look like a scope.
const unknownScope = (names: ReadonlyArray<string>) => {
  const legible = names.filter((name) => /^[A-Za-z0-9_.:-]{1,64}$/.test(name)).slice(0, 5)
  const list = legible.length === 0 ? "" : `: ${legible.join(" ")}`
  return invalidScope(`scope names what does not exist${list}`)
}
