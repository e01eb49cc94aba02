import { type DateTime, type Option, Result, Schema } from "effect"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { Settings as AppSettings } from "../../../foundation/config/AppConfig.ts"
import type { Client } from "../../clients/records/Client.ts"
import * as RedirectUri from "../../clients/records/RedirectUri.ts"
import {
  readRequest,
  Unredirectable,
  type UnvalidatedRequest,
  validateClient,
  validateRequest
} from "../../consent/AuthorizationRequest.ts"
import { readLoggedResource } from "../../consent/NamedResource.ts"
import { LoggedRule } from "../../consent/RequestRule.ts"
import type { LoggedRequest } from "./RequestLog.ts"

/** Why a request of the log is not sure to be answered; docs/legacy.md says what to do about each. */
export const Cause = Schema.Literals([
  ...Unredirectable.fields.reason.literals,
  ...LoggedRule.literals,
  /** The file names the app, but its record does not fit or is left out, so that it is not imported. */
  "client-unfit",
  /**
   * All else is right, but a public client has to send `code_challenge`, and the log does not say whether this one did.
   */
  "challenge-unlogged"
])
export type Cause = typeof Cause.Type

/** A request that cannot be read, with the client that it names first, if any. */
interface Unread {
  readonly clientId: string | null
  readonly cause: Cause
}

/** Request of a line as the authorization endpoint reads it. */
export const readLogged = (request: LoggedRequest): Result.Result<UnvalidatedRequest, Unread> => {
  const query = request.query ?? queryOf(request)
  return Result.mapError(readRequest(query), ({ reason: cause }) => ({
    clientId: new URLSearchParams(query).get("client_id") || null,
    cause
  }))
}

/**
 * Judges a request as the authorization endpoint does; `undefined` if its user would be asked, or the app get its code.
 */
export const judge = (
  catalogue: Catalogue,
  logged: LoggedRequest,
  sent: UnvalidatedRequest,
  client: Option.Option<Client>,
  settings: Settings,
  now: DateTime.Utc
): Cause | undefined => {
  const cause = causeOf(catalogue, sent, client, settings, now)
  const isLogged = typeof logged.query === "string" || logged.code_challenge !== undefined
  if (cause !== "challenge-missing" || isLogged) return cause
  return causeOf(
    catalogue,
    { ...sent, parameters: new Map(sent.parameters).set("code_challenge", anyChallenge) },
    client,
    settings,
    now
  )
    ?? "challenge-unlogged"
}

const causeOf = (
  catalogue: Catalogue,
  sent: UnvalidatedRequest,
  client: Option.Option<Client>,
  { baseUrl, legacyScopeWords }: Settings,
  now: DateTime.Utc
): Cause | undefined => {
  const usable = validateClient(client, sent.redirectUri)
  if (Result.isFailure(usable)) return usable.failure.reason
  const resource = readLoggedResource(sent.parameters.get("resource"), baseUrl)
  const valid = validateRequest(catalogue, usable.success, sent, resource, legacyScopeWords, now)
  return Result.isFailure(valid) && isCause(valid.failure.rule) ? valid.failure.rule : undefined
}

const isCause = Schema.is(Cause)

/** Settings by which requests are judged. */
type Settings = Pick<AppSettings, "baseUrl" | "legacyScopeWords">

/** Value of the request to which a cause is due, without what may be secret in it. */
export const exampleOf = (cause: Cause, { parameters, redirectUri }: UnvalidatedRequest): string | null => {
  if (cause === "redirect-uri-unregistered") return RedirectUri.withoutSecrets(redirectUri)
  const name = shown[cause]
  return name === undefined ? null : parameters.get(name) ?? null
}

const shown: { readonly [C in Cause]?: string } = {
  "response-type-unsupported": "response_type",
  "response-mode-unsupported": "response_mode",
  "challenge-method-unsupported": "code_challenge_method",
  "challenge-malformed": "code_challenge",
  "scope-missing": "scope",
  "scope-unknown": "scope",
  "scope-unregistered": "scope",
  "scope-retired": "scope",
  "resource-malformed": "resource",
  "resource-unknown": "resource"
}

/** Query of a line that has parameters. */
const queryOf = (parameters: LoggedRequest): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : [])
  ).toString()

/** A challenge of the right form (RFC 7636 §4.2). */
const anyChallenge = "A".repeat(43)
