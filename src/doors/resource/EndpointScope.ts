import { type Array, Context } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { allOf, anyOf, Requirement, type ScopesNeeded } from "../../domain/scopes/Requirement.ts"
import type { Scope } from "../../domain/scopes/Scope.ts"

/** Scope of an endpoint or a call; any of several, or all of them. */
export type Needs =
  | Scope
  | { readonly anyOf: Array.NonEmptyReadonlyArray<Scope> }
  | { readonly allOf: Array.NonEmptyReadonlyArray<Scope> }

/** Scope of an endpoint behind `RequireScope`: `endpoint.annotateMerge(needs("BOOKING_READ"))`. */
export const needs = (scope: Needs): Context.Context<never> => {
  const needed = neededOf(scope)
  return annotations(Requirement.Scope(needed), securityOf(needed))
}

/** Scope of an endpoint behind `ScopeIfToken`, which is open to anyone without a token. */
export const needsIfToken = (scope: Needs): Context.Context<never> => {
  const needed = neededOf(scope)
  return annotations(Requirement.ScopeIfToken(needed), [...securityOf(needed), {}])
}

/** Requirement of an endpoint; closed unless it is annotated in the way that its middleware (`tag`) expects. */
export const requirementOf = (endpoint: HttpApiEndpoint.Top, tag: "Scope" | "ScopeIfToken"): Requirement => {
  const requirement = Context.get(endpoint.annotations, Needed)
  return requirement._tag === tag ? requirement : unlisted
}

/** Addresses at which clients reach the authorization server. */
export interface Addresses {
  readonly authUrl: string
  readonly baseUrl: string
}

/** OAuth 2.0 as the security of an API, in its OpenAPI document. */
export const oauth2 = (catalogue: Catalogue, addresses: Addresses) =>
  OpenApi.annotations({
    transform: (document) => ({
      ...document,
      components: {
        ...document["components"],
        securitySchemes: { ...document["components"]?.securitySchemes, slotkey: oauth2Scheme(catalogue, addresses) }
      }
    })
  })

/** Authorization code flow with the scopes for new apps, as a security scheme of OpenAPI (3.1 §4.8.27). */
export const oauth2Scheme = ({ describe, lasting }: Catalogue, { authUrl, baseUrl }: Addresses) => ({
  type: "oauth2",
  description: "An access token of an app, as a bearer token (RFC 6750).",
  flows: {
    authorizationCode: {
      authorizationUrl: `${authUrl}/auth/oauth2/authorize`,
      tokenUrl: `${baseUrl}/v2/auth/oauth2/token`,
      refreshUrl: `${baseUrl}/v2/auth/oauth2/token`,
      scopes: Object.fromEntries(lasting.map((scope) => [scope, describe(scope).title]))
    }
  }
})

/** Scopes as requirements have them. */
export const neededOf = (needs: Needs): ScopesNeeded =>
  typeof needs === "string"
    ? { scope: needs }
    : "anyOf" in needs
    ? anyOf(needs.anyOf, inTheirOrder)
    : allOf(needs.allOf)

/** An endpoint is defined before there is a catalogue to tell which is the least risky: `Admission` has one. */
const inTheirOrder = () => 0 as const

/** Alternatives, each of which may be of several scopes (OpenAPI 3.1 §4.8.30). */
const securityOf = ({ and = [], or = [], scope }: ScopesNeeded) => [
  { slotkey: [scope, ...and] },
  ...or.map((other) => ({ slotkey: [other] }))
]

const unlisted = Requirement.Closed({ reason: "unlisted" })

const Needed = Context.Reference<Requirement>("slotkey/doors/resource/EndpointScope/Needed", {
  defaultValue: () => unlisted
})

const annotations = (requirement: Requirement, security: ReadonlyArray<Record<string, ReadonlyArray<Scope>>>) =>
  Context.merge(
    Context.make(Needed, requirement),
    OpenApi.annotations({ override: { security } })
  )
