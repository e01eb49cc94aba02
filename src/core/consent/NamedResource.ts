import { Result } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { InvalidScope, InvalidTarget } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import * as ResourceIdentifier from "../../domain/ResourceIdentifier.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import type { Resource } from "../resources/Resource.ts"
import type { Refusal } from "./RequestRule.ts"

/** Resource that a request names (RFC 8707 §2); `null` is the API, which is also meant where none is named. */
export type NamedResource = Pick<Resource, "baseScopes" | "identifier" | "scopes"> | null

/** Request as it was sent. */
export interface Sent {
  readonly parameters: Parameters
}

/** Reads the parameter: what it names is the API, or has to be found. */
export const readResource = (
  text: string | undefined,
  baseUrl: string
): { readonly isApi: true } | { readonly isApi: false; readonly identifier: string | undefined } => {
  if (text === undefined) return { isApi: true }
  const identifier = ResourceIdentifier.canonical(text)
  return identifier === ResourceIdentifier.canonical(baseUrl) ? { isApi: true } : { isApi: false, identifier }
}

/**
 * Request with what it asks for. One that names a resource and no scopes asks for the base set of that (RFC 6749 §3.3),
 * as clients of MCP do which were told of none. For the API `scope` is required (specification §4.1).
 */
export const withScope = <A extends Sent>(sent: A, named: Result.Result<NamedResource, unknown>): A => {
  if (Result.isFailure(named) || named.success === null || sent.parameters.has("scope")) return sent
  return { ...sent, parameters: new Map([...sent.parameters, ["scope", named.success.baseScopes.join(" ")]]) }
}

/** Resource of a request of another server's log, which named nothing that is registered here but the API perhaps. */
export const readLoggedResource = (
  text: string | undefined,
  baseUrl: string
): Result.Result<NamedResource, Refusal<InvalidTarget>> => {
  const named = readResource(text, baseUrl)
  if (named.isApi) return Result.succeed(null)
  return Result.fail(named.identifier === undefined ? malformedResource : unknownResource)
}

/** The text is no absolute URI, or has a fragment. */
export const malformedResource: Refusal<InvalidTarget> = {
  rule: "resource-malformed",
  error: new InvalidTarget({ error_description: "resource must be an absolute URI without a fragment" })
}

/** Nothing of that identifier is registered, or not any more. */
export const unknownResource: Refusal<InvalidTarget> = {
  rule: "resource-unknown",
  error: new InvalidTarget({ error_description: "resource is not known here" })
}

/**
 * Checks that scopes can be asked for a resource; checked again when the user decides. What no scope restricts is for
 * the API alone (specification §5.6).
 */
export const validateTarget = (
  { covers }: Catalogue,
  resource: NamedResource,
  scopes: GrantedScopes
): Result.Result<GrantedScopes, Refusal<InvalidScope | InvalidTarget>> => {
  if (resource === null) return Result.succeed(scopes)
  if (scopes === null) return unrestricted
  const excess = scopes.filter((scope) => !covers(resource.scopes, scope))
  return excess.length === 0 ? Result.succeed(scopes) : Result.fail({
    rule: "scope-elsewhere",
    error: new InvalidScope({ error_description: `scope exceeds what the resource has: ${excess.join(" ")}` })
  })
}

const unrestricted = Result.fail({
  rule: "resource-unrestricted" as const,
  error: new InvalidTarget({
    error_description: "a request for everything is for the API alone: name scopes, or no resource"
  })
})
