import { Context, Effect, Layer, Option } from "effect"
import { AccessCheck, type Principal } from "../../core/tokens/AccessCheck.ts"
import * as Bearer from "../../domain/Bearer.ts"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { decide, type Requirement } from "../../domain/scopes/Requirement.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { type Denied, explain, invalidToken } from "./Denied.ts"
import { metadataUrl } from "./ResourceMetadata.ts"

/** Decides who may call the API, whichever way the question comes: from a gateway or from a handler. */
export class Admission extends Context.Service<Admission, {
  /**
   * Who calls, by the `Authorization` header: nobody in particular where a call needs no token and has no valid one.
   * The grant is looked up each time, so a revoked one is refused from the next call on, on every node.
   */
  admit(
    requirement: Requirement,
    authorization: string | undefined
  ): Effect.Effect<Option.Option<Principal>, Denied | TemporarilyUnavailable>
}>()("slotkey/doors/resource/Admission") {
  /** For the API at `baseUrl`, which the challenges name. */
  static readonly layerAt = (baseUrl: string): Layer.Layer<Admission, never, AccessCheck> =>
    Layer.effect(
      Admission,
      Effect.gen(function*() {
        const tokens = yield* AccessCheck
        const resourceMetadata = metadataUrl(baseUrl)

        const verify = (credentials: Bearer.Credentials) =>
          credentials._tag === "Token"
            ? Effect.catchTag(
              Effect.asSome(tokens.check(credentials.token)),
              "InvalidToken",
              ({ reason }) =>
                Effect.as(Effect.annotateLogs(Effect.logDebug("Refused an access token"), { reason }), Option.none())
            )
            : Effect.succeedNone

        const admit = Effect.fnUntraced(function*(requirement: Requirement, authorization: string | undefined) {
          const credentials = Bearer.parse(authorization)
          const hasToken = credentials._tag !== "None"
          // Where no token helps, none is looked at.
          const principal = requirement._tag === "Closed" ? Option.none<Principal>() : yield* verify(credentials)
          if (hasToken && Option.isNone(principal) && needsToken[requirement._tag]) {
            return yield* invalidToken(resourceMetadata)
          }

          const decision = decide(requirement, Option.isSome(principal) ? principal.value.scopes : "none")
          if (decision._tag !== "Allowed") return yield* explain(decision, { hasToken, resourceMetadata })
          return principal
        })

        return Admission.of({ admit })
      })
    )

  static readonly layer: Layer.Layer<Admission, never, AccessCheck | AppConfig> = Layer.unwrap(
    Effect.map(AppConfig, ({ baseUrl }) => Admission.layerAt(baseUrl))
  )
}

/** Whether a token that is sent must be valid. */
const needsToken = { Public: false, ScopeIfToken: true, Scope: true, Closed: false } as const
