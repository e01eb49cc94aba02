import { Context, Effect, Layer, type Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import type { Principal } from "../../core/tokens/AccessCheck.ts"
import { Admission } from "./Admission.ts"
import { wire } from "./Denied.ts"
import { requirementOf } from "./EndpointScope.ts"
import { unavailable } from "./ErrorResponse.ts"

/** Caller of an endpoint behind `RequireScope`: user, client, grant and scopes. */
export class Caller extends Context.Service<Caller, Principal>()("slotkey/doors/resource/RequireScope/Caller") {}

/** Caller of an endpoint behind `ScopeIfToken`, if the call has a token. */
export class PossibleCaller extends Context.Service<PossibleCaller, Option.Option<Principal>>()(
  "slotkey/doors/resource/RequireScope/PossibleCaller"
) {}

const contract = {
  error: [wire.tokenRefused, wire.callRefused],
  security: { slotkey: HttpApiSecurity.bearer }
} as const

/**
 * Admits calls whose token covers the scope of the endpoint, which `needs` names; others get 401 or 403 as RFC 6750
 * defines them. An endpoint that names no scope is closed.
 */
export class RequireScope extends HttpApiMiddleware.Service<RequireScope, { provides: Caller }>()(
  "slotkey/doors/resource/RequireScope",
  contract
) {
  static readonly layer: Layer.Layer<RequireScope, never, Admission> = Layer.effect(
    RequireScope,
    Effect.map(Admission, ({ admit }) =>
      RequireScope.of({
        slotkey: Effect.fnUntraced(function*(handler, { endpoint }) {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const principal = yield* admit(requirementOf(endpoint, "Scope"), headers["authorization"], endpoint)
          // A requirement of a scope admits nobody without a token.
          return yield* Effect.provideService(handler, Caller, yield* Effect.orDie(Effect.fromOption(principal)))
        }, Effect.catchTag("TemporarilyUnavailable", () => unavailable))
      }))
  )
}

/** Admits calls without a token; a token must cover the scope of the endpoint, which `needsIfToken` names. */
export class ScopeIfToken extends HttpApiMiddleware.Service<ScopeIfToken, { provides: PossibleCaller }>()(
  "slotkey/doors/resource/RequireScope/ScopeIfToken",
  contract
) {
  static readonly layer: Layer.Layer<ScopeIfToken, never, Admission> = Layer.effect(
    ScopeIfToken,
    Effect.map(Admission, ({ admit }) =>
      ScopeIfToken.of({
        slotkey: Effect.fnUntraced(function*(handler, { endpoint }) {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const principal = yield* admit(requirementOf(endpoint, "ScopeIfToken"), headers["authorization"], endpoint)
          return yield* Effect.provideService(handler, PossibleCaller, principal)
        }, Effect.catchTag("TemporarilyUnavailable", () => unavailable))
      }))
  )
}
