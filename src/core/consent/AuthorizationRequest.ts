import { type DateTime, Option, Result, Schema } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { readLegacy } from "../../domain/catalogue/LegacyScope.ts"
import { isOver, whyNotAsked } from "../../domain/catalogue/Retirement.ts"
import { ClientId } from "../../domain/Ids.ts"
import { InvalidRequest, InvalidScope, type InvalidTarget, UnsupportedResponseType } from "../../domain/OAuthError.ts"
import * as Parameters from "../../domain/Parameters.ts"
import { GrantedScopes, quotable } from "../../domain/scopes/Scope.ts"
import { Client } from "../clients/records/Client.ts"
import * as RedirectUri from "../clients/records/RedirectUri.ts"
import { isTestable } from "../clients/records/TestScopes.ts"
import { type NamedResource, validateTarget } from "./NamedResource.ts"
import type { Refusal, RequestRule } from "./RequestRule.ts"

/** Authorization endpoint (RFC 6749 §3.1). */
export const authorizationPath = "/auth/oauth2/authorize"

/** A valid authorization request (RFC 6749 §4.1.1). */
export const AuthorizationRequest = Schema.Struct({
  clientId: ClientId,
  redirectUri: Schema.String,
  scopes: GrantedScopes,
  /** Identifier of the resource for which they are asked (RFC 8707 §2); `null` for the API. */
  resource: Schema.NullOr(Schema.String),
  /** Percent-encoded as it was sent, so that it returns byte for byte. */
  state: Schema.NullOr(Schema.String),
  /** S256 challenge of RFC 7636 §4.2. */
  codeChallenge: Schema.NullOr(Schema.String)
})
export type AuthorizationRequest = typeof AuthorizationRequest.Type

/** A request that must not be answered with a redirect: only the user learns of the error (RFC 6749 §4.1.2.1). */
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
  ]),
  /** Client of the request, where it names one that there is. */
  client: Schema.optionalKey(Client),
  /** `client_id` of a request that fails before its client is looked for. */
  named: Schema.optionalKey(Schema.String)
}) {}

/** A request whose client and redirect URI can be read; nothing of it has been validated. */
export interface UnvalidatedRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string | null
  /** All parameters that have a value. */
  readonly parameters: Parameters.Parameters
  /** Names of parameters that are sent twice, which RFC 6749 §3.1 forbids. */
  readonly repeated: ReadonlyArray<string>
}

/** Query of a URL, still percent-encoded. */
export const queryOf = (url: string): string => {
  const at = url.indexOf("?")
  return at < 0 ? "" : url.slice(at + 1)
}

/**
 * Reads a query, and fails only where the client or the redirect URI is unclear: the app hears of any other mistake.
 */
export const readRequest = (query: string): Result.Result<UnvalidatedRequest, Unredirectable> => {
  const pairs = Parameters.pairs(query)
  if (Result.isFailure(pairs)) return unredirectable("query-malformed")
  // A parameter without a value counts as omitted, but one that is named twice still counts as repeated (RFC 6749
  // §3.1).
  const named = Map.groupBy(pairs.success, ({ name }) => name)
  const find = (name: string) => named.get(name)?.find(({ value }) => value !== "")
  const isRepeated = (name: string) => (named.get(name)?.length ?? 0) > 1

  if (isRepeated("client_id")) return unredirectable("client-repeated")
  const clientId = find("client_id")?.value
  const ofClient = clientId === undefined ? {} : { named: clientId }
  if (isRepeated("redirect_uri")) return unredirectable("redirect-uri-repeated", ofClient)
  if (clientId === undefined) return unredirectable("client-missing")
  const redirectUri = find("redirect_uri")?.value
  if (redirectUri === undefined) return unredirectable("redirect-uri-missing", ofClient)
  return Result.succeed({
    clientId,
    redirectUri,
    state: isRepeated("state") ? null : find("state")?.encoded ?? null,
    parameters: new Map(pairs.success.filter(({ value }) => value !== "").map(({ name, value }) => [name, value])),
    repeated: [...named.keys()].filter(isRepeated)
  })
}

/** Checks that the client may be used and has registered the redirect URI; checked again when the user decides. */
export const validateClient = (
  client: Option.Option<Client>,
  redirectUri: string
): Result.Result<Client, Unredirectable> => {
  if (Option.isNone(client)) return unredirectable("client-unknown")
  if (!RedirectUri.matches(client.value.redirectUris, redirectUri)) {
    return unredirectable("redirect-uri-unregistered", { client: client.value })
  }
  if (client.value.status !== "approved") {
    return unredirectable(`client-${client.value.status}`, { client: client.value })
  }
  return Result.succeed(client.value)
}

/** Validates the other parameters. The app may learn of a failure once the user has signed in (docs/design.md). */
export const validateRequest = (
  catalogue: Catalogue,
  client: Client,
  { parameters, redirectUri, repeated, state }: UnvalidatedRequest,
  /** Resource that it names, or why there is none. */
  resource: Result.Result<NamedResource, Refusal<InvalidTarget>>,
  /** Words that the old server took in `scope` (`LEGACY_SCOPE_WORDS`). */
  scopeWords: ReadonlySet<string>,
  now: DateTime.Utc
): Result.Result<AuthorizationRequest, Refusal> => {
  const responseType = parameters.get("response_type")
  const responseMode = parameters.get("response_mode")
  const codeChallenge = parameters.get("code_challenge")
  const method = parameters.get("code_challenge_method")

  if (repeated.length > 0) {
    const isOfResource = repeated.every((name) => name === "resource")
    return invalid("parameter-repeated", isOfResource ? Parameters.oneResource : "a parameter is repeated")
  }
  if (responseType !== undefined && responseType !== "code") return unsupported
  // Legacy apps live with a query, whatever their addresses ask for.
  if (responseMode !== undefined && responseMode !== "query" && !client.isLegacyClient) {
    return invalid("response-mode-unsupported", "response_mode must be query")
  }
  if (method !== undefined && codeChallenge === undefined) {
    return invalid("challenge-missing", "code_challenge_method has no code_challenge")
  }
  if (method !== undefined && method !== "S256") {
    return invalid("challenge-method-unsupported", "code_challenge_method must be S256")
  }
  if (codeChallenge !== undefined && !s256.test(codeChallenge)) {
    return invalid("challenge-malformed", "code_challenge must be the base64url form of a SHA-256 hash: 43 characters")
  }
  if (client.kind === "public" && codeChallenge === undefined) {
    return invalid("challenge-missing", "a public client must send code_challenge")
  }
  if (Result.isFailure(resource)) return Result.fail(resource.failure)
  const target = resource.success
  const scopes: Result.Result<GrantedScopes, Refusal> = Result.flatMap(
    validateScopeText(catalogue, client, parameters.get("scope"), scopeWords),
    (scopes) => validateDay(catalogue, scopes, now)
  )
  return Result.map(Result.flatMap(scopes, (scopes) => validateTarget(catalogue, target, scopes)), (scopes) => ({
    clientId: client.id,
    redirectUri,
    scopes,
    resource: target === null ? null : target.identifier,
    state,
    codeChallenge: codeChallenge ?? null
  }))
}

/**
 * Checks that the client may request these scopes; checked again when the user decides. Registered for a
 * scope, it may request every scope that this one covers (specification §2.3 rule 1).
 */
export const validateScope = (
  catalogue: Catalogue,
  client: Client,
  scopes: GrantedScopes
): Result.Result<GrantedScopes, Refusal<InvalidScope>> => {
  const { covers, isScope } = catalogue
  if (mayRequestAnyScope(client)) return Result.succeed(scopes)
  if (scopes === null) return noScope
  // The user may have been asked by another release, which knows a scope that this one could not explain.
  const excess = scopes.filter((scope) => !isScope(scope) || !covers(client.scopes, scope))
  if (excess.length > 0) {
    return invalidScope("scope-unregistered", `scope exceeds what is registered for the app: ${excess.join(" ")}`)
  }
  // The catalogue may have changed since the test app was made.
  const risky = client.isTestApp ? scopes.filter((scope) => !isTestable(catalogue, scope)) : []
  return risky.length === 0
    ? Result.succeed(scopes)
    : invalidScope("scope-unregistered", `scope exceeds what test apps get: ${risky.join(" ")}`)
}

const validateScopeText = (
  catalogue: Catalogue,
  client: Client,
  text: string | undefined,
  scopeWords: ReadonlySet<string>
): Result.Result<GrantedScopes, Refusal<InvalidScope>> => {
  if (text === undefined) return validateScope(catalogue, client, null)
  if (mayRequestAnyScope(client)) {
    const read = readLegacy(catalogue, text, new Set([...scopeWords, ...client.scopeWords]))
    return Result.isFailure(read) ? unknownScope(read.failure) : Result.succeed(read.success)
  }
  const scopes = catalogue.parse(text)
  if (Result.isFailure(scopes)) return unknownScope(scopes.failure, client.migratedAt !== null)
  return scopes.success.length > 0 ? validateScope(catalogue, client, scopes.success) : noScope
}

/**
 * Checks that users may still be asked for these scopes. Who was asked in time may decide later, so this is not checked
 * again. One that may not be asked for fails the request, as an unknown one does: an app that got less than it asked
 * for would learn of that call by call.
 */
const validateDay = (
  catalogue: Catalogue,
  scopes: GrantedScopes,
  now: DateTime.Utc
): Result.Result<GrantedScopes, Refusal<InvalidScope>> => {
  const over = (scopes ?? []).filter((scope) => isOver(catalogue, scope, now))
  return over.length === 0
    ? Result.succeed(scopes)
    : invalidScope("scope-retired", `scope names ${over.map((scope) => whyNotAsked(catalogue, scope)).join("; ")}`)
}

/** A legacy client whose scopes have not been saved: it may request any scope, or everything (specification §5.6). */
const mayRequestAnyScope = (client: Client): boolean => client.legacy && client.scopes.length === 0

const s256 = /^[A-Za-z0-9_-]{43}$/

const unredirectable = (
  reason: Unredirectable["reason"],
  of: { readonly client?: Client; readonly named?: string } = {}
) => Result.fail(new Unredirectable({ reason, ...of }))
const invalid = (rule: RequestRule, error_description: string) =>
  Result.fail({ rule, error: new InvalidRequest({ error_description }) })
const invalidScope = (rule: RequestRule, error_description: string) =>
  Result.fail({ rule, error: new InvalidScope({ error_description }) })
const unsupported = Result.fail({
  rule: "response-type-unsupported" as const,
  error: new UnsupportedResponseType({ error_description: "response_type must be code" })
})
const noScope = invalidScope(
  "scope-missing",
  "scope is missing: add it to the authorization URL with the scopes that the app needs"
)

const unknownScope = (names: ReadonlyArray<string>, isMigrated = false) => {
  const why = isMigrated ? "; words of the previous server are refused since the app's scopes were saved" : ""
  return invalidScope("scope-unknown", `scope names what does not exist${quotable(names)}${why}`)
}
