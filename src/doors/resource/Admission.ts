import { Context, Effect, Layer, Option } from "effect"
import { AccessCheck, type Principal } from "../../core/tokens/AccessCheck.ts"
import { legacyNeed, type Need, needOf, unknownNeed } from "../../core/usage/Need.ts"
import { UsageNotes } from "../../core/usage/UsageNotes.ts"
import type { Outcome } from "../../core/usage/Use.ts"
import * as Bearer from "../../domain/Bearer.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { OtherCatalogues } from "../../domain/catalogue/OtherCatalogues.ts"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import type { Operation } from "../../domain/operations/EndpointRules.ts"
import { anyOf, decide, Decision, Requirement, scopeList } from "../../domain/scopes/Requirement.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import { readAudience } from "./BaseUrl.ts"
import { type Denied, denied, invalidToken, tokenNeeded } from "./Denied.ts"
import { metadataUrl } from "./ResourceMetadata.ts"

// This room checks the calls of the platform API: for gateways (`GatewayRoutes`), for programs that use the library
// (`Guard`, `PlainGuard`, `RequireScope`), and for the one call that this server answers itself (`MeRoute`).

/**
 * Verifies the token of a call and compares its scopes with what the call requires; all checks of this room end here.
 */
export class Admission extends Context.Service<Admission, {
  /**
   * Caller by the `Authorization` header; none where the call needs no token and has no valid one. The grant is looked
   * up for each call, so a revocation counts from the next call on, on every node.
   *
   * Where other catalogues count beside the program's own, each must allow the call. They are asked by the call, or
   * about the profile; else they have to cover the scopes that are required here.
   */
  admit(
    requirement: Requirement | AnyToken,
    authorization: string | undefined,
    operation?: Operation,
    asked?: Asked
  ): Effect.Effect<Option.Option<Principal>, Denied | TemporarilyUnavailable>
}>()("slotkey/doors/resource/Admission") {
  /** `baseUrl` is the address of the API, whose metadata the challenges name, unless a resource is guarded. */
  static readonly layerAt = (baseUrl: string, of: Guarded = {}): Layer.Layer<Admission, never, AccessCheck> =>
    Layer.effect(
      Admission,
      Effect.gen(function*() {
        const admissionTo = yield* admissions
        const { profileScope } = yield* Catalogue
        const { baseScopes = [profileScope], resource } = of
        return admissionTo({
          identifier: yield* readAudience({ baseUrl, resource }),
          baseScopes
        })
      })
    )
}

/** Requirement of a token that counts, whatever its scopes: the program looks at those itself. */
export const anyToken = { _tag: "Token" } as const
export type AnyToken = typeof anyToken

/** What is guarded, if it is not the API with the scope of the profile as its base set. */
export interface Guarded extends BaseScopes {
  /** Identifier of a resource. */
  readonly resource?: string | undefined
}

export interface BaseScopes {
  /** Scopes that a challenge names which knows of no operation: the base set of the resource. */
  readonly baseScopes?: ReadonlyArray<ScopeName> | undefined
}

/** Makes the admission to the API, or to a resource. */
export const admissions: Effect.Effect<(to: Protected) => Admission["Service"], never, AccessCheck> = Effect.gen(
  function*() {
    const tokens = yield* AccessCheck
    const catalogue = yield* Catalogue
    const others = yield* OtherCatalogues
    const usage = yield* UsageNotes

    return ({ baseScopes, identifier }: Protected) => {
      const resourceMetadata = metadataUrl(identifier)

      // What is for another resource is no token here.
      const ofAudience = (token: Principal): Option.Option<Principal> =>
        token.audience === identifier ? Option.some(token) : Option.none()

      const verify = (
        credentials: Bearer.Credentials
      ): Effect.Effect<Option.Option<Principal>, TemporarilyUnavailable> =>
        credentials._tag === "Token"
          ? tokens.check(credentials.token).pipe(
            Effect.map(ofAudience),
            Effect.catchTag(
              "InvalidToken",
              ({ reason }) =>
                Effect.as(Effect.annotateLogs(Effect.logDebug("Refused an access token"), { reason }), Option.none())
            )
          )
          : Effect.succeedNone

      /** App that calls what is closed to all. It is refused in any case, so nothing here makes the call fail. */
      const verifyToCount = (credentials: Bearer.Credentials) =>
        usage.looksUp && credentials._tag === "Token"
          ? Effect.catchCause(verify(credentials), () => Effect.succeedNone)
          : Effect.succeedNone

      const admitToken = Effect.fnUntraced(function*(authorization: string | undefined) {
        const credentials = Bearer.parseLoosely(authorization)
        const principal = yield* verify(credentials)
        if (Option.isSome(principal)) {
          const { clientId, grantId } = principal.value
          // The program looks at the scopes by itself, so nobody knows which of them it needs.
          usage.note({ grantId, clientId, outcome: "introspected", need: unknownNeed, operation: undefined })
          return principal
        }
        const scope = baseScopes.join(" ")
        return yield* credentials._tag === "None"
          ? tokenNeeded(resourceMetadata, scope)
          : invalidToken(resourceMetadata, scope)
      })

      const admit = Effect.fnUntraced(function*(
        required: Requirement | AnyToken,
        authorization: string | undefined,
        operation?: Operation,
        asked?: Asked
      ) {
        if (required._tag === "Token") return yield* admitToken(authorization)
        const requirement = asked === undefined ? leastFirst(catalogue, required) : required
        // What is closed here is refused in any case.
        const stricter = others.now().length === 0 || requirement._tag === "Closed"
          ? nothingElse
          : alsoRequired(others.now(), requirement, asked)
        const credentials = Bearer.parseLoosely(authorization)
        const hasToken = credentials._tag !== "None"
        const principal = yield* requirement._tag === "Closed" ? verifyToCount(credentials) : verify(credentials)
        if (
          hasToken && Option.isNone(principal) &&
          (needsValidToken[requirement._tag] || stricter.some((also) => needsValidToken[also.requirement._tag]))
        ) {
          return yield* invalidToken(
            resourceMetadata,
            "scope" in requirement ? scopeList(requirement) : baseScopes.join(" ")
          )
        }

        const granted = Option.isSome(principal) ? principal.value.scopes : "none"
        const own = decide(requirement, granted, catalogue)
        const decision = own._tag === "Allowed" && stricter.length > 0 ? strictest(stricter, granted) : own
        if (Option.isSome(principal) && requirement._tag !== "Public") {
          const { clientId, grantId, scopes } = principal.value
          usage.note({
            grantId,
            clientId,
            outcome: outcomeOf(decision, scopes),
            need: neededBy(requirement),
            operation
          })
        }
        if (decision._tag !== "Allowed") {
          const held = Option.isSome(principal) ? principal.value.scopes ?? [] : []
          return yield* denied(decision, {
            hasToken,
            resourceMetadata,
            wanted: (scopes) => catalogue.format([...held, ...scopes])
          })
        }
        return principal
      })

      return Admission.of({ admit })
    }
  }
)

/** API or resource whose calls are checked. */
interface Protected {
  /** Audience of its tokens, and the address whose metadata the challenges name. */
  readonly identifier: string
  readonly baseScopes: ReadonlyArray<ScopeName>
}

/** Endpoints name their scopes before there is a catalogue to tell which is the least risky. */
const leastFirst = ({ byRisk }: Catalogue, requirement: Requirement): Requirement =>
  "or" in requirement && requirement.or !== undefined
    ? { ...requirement, ...anyOf([requirement.scope, ...requirement.or], byRisk) }
    : requirement

/** Call by which other catalogues find what they require of it. */
type Asked = { readonly method: string; readonly target: string } | "profile"

interface AlsoRequired {
  readonly requirement: Requirement
  readonly catalogue: Catalogue
}

const nothingElse: ReadonlyArray<AlsoRequired> = []

const alsoRequired = (
  others: ReadonlyArray<Catalogue>,
  own: Requirement,
  asked: Asked | undefined
): ReadonlyArray<AlsoRequired> =>
  others.map((catalogue) => ({
    catalogue,
    requirement: asked === undefined
      ? own
      : asked === "profile"
      ? Requirement.Scope({ scope: catalogue.profileScope })
      : catalogue.policy.match(asked.method, asked.target)
  }))

/** First refusal, or the leave of all. */
const strictest = (stricter: ReadonlyArray<AlsoRequired>, granted: GrantedScopes | "none"): Decision => {
  const decisions = stricter.map(({ catalogue, requirement }) => decide(requirement, granted, catalogue))
  return decisions.find(({ _tag }) => _tag !== "Allowed") ?? Decision.Allowed()
}

/** Public operations are not noted. */
const outcomeOf = (decision: Decision, scopes: GrantedScopes): Outcome =>
  decision._tag === "Allowed"
    ? scopes === null ? "unrestricted" : "allowed"
    : decision._tag === "Refused"
    ? decision.reason
    : "insufficient_scope"

const neededBy = (requirement: Requirement): Need =>
  "scope" in requirement ? needOf(requirement) : requirement._tag === "LegacyGrant" ? legacyNeed : unknownNeed

/** Requirements under which an invalid token is refused even where none would be needed. */
const needsValidToken = { Public: false, ScopeIfToken: true, Scope: true, LegacyGrant: true, Closed: false } as const
