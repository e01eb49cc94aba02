import { Context, Effect, Layer, Option } from "effect"
import type { Principal } from "../../core/tokens/AccessCheck.ts"
import { EndpointPolicy } from "../../domain/catalogue/EndpointPolicy.ts"
import type { Requirement } from "../../domain/scopes/Requirement.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import * as Unavailable from "../../foundation/http/Unavailable.ts"
import * as OutageLog from "../../foundation/log/OutageLog.ts"
import { Admission, type AnyToken } from "./Admission.ts"
import { uncheckable } from "./ErrorResponse.ts"

/** A call of the platform API as it came over the wire. */
export interface Call {
  readonly method: string
  /** Path and query, neither decoded nor normalised. */
  readonly target: string
  readonly authorization: string | undefined
}

/** Answer to a check, in plain values for programs of any kind. */
export type Verdict = Pass | Refusal

export interface Pass {
  readonly allowed: true
  /** Caller; `undefined` for a call that needs no token and has no valid one. */
  readonly caller: Principal | undefined
}

export interface Refusal {
  readonly allowed: false
  readonly status: 401 | 403 | 503
  readonly code: string
  readonly message: string
  /** Headers for the response: the challenge of RFC 6750 §3, or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Checks calls of the platform API against the endpoint policy. `GatewayRoutes` asks it for gateways; programs that
 * serve the API themselves ask it through the library, with or without Effect (`PlainGuard`).
 */
export class Guard extends Context.Service<Guard, {
  /** Without a requirement of the program's own, which is for paths that no policy lists, the policy has one. */
  check(call: Call, required?: Requirement | AnyToken): Effect.Effect<Verdict>
}>()("slotkey/doors/resource/Guard") {
  static readonly layer: Layer.Layer<Guard, never, Admission | EndpointPolicy> = Layer.effect(
    Guard,
    Effect.gen(function*() {
      const policy = yield* EndpointPolicy
      const { admit } = yield* Admission

      const check = (call: Call, required?: Requirement | AnyToken): Effect.Effect<Verdict> => {
        if (required !== undefined) return verdictOn(admit(required, call.authorization))
        const { operation, requirement } = policy.find(call.method, call.target)
        return verdictOn(admit(requirement, call.authorization, operation, call))
      }

      return Guard.of({ check })
    })
  )
}

/** Answer to the check of a call that was admitted, or was not. */
export const verdictOn = (admitted: ReturnType<Admission["Service"]["admit"]>): Effect.Effect<Verdict> =>
  admitted.pipe(
    Effect.map((caller): Verdict => ({ allowed: true, caller: Option.getOrUndefined(caller) })),
    Effect.catchTags({
      TokenRefused: ({ challenge, code, message }) => refusal(401, code, message, { "www-authenticate": challenge }),
      CallRefused: ({ challenge, code, message }) => refusal(403, code, message, { "www-authenticate": challenge }),
      TemporarilyUnavailable: () => Effect.succeed<Verdict>({ allowed: false, ...uncheckable })
    }),
    Effect.catchCause((cause) => {
      const outage = Outages.outageOf(cause)
      return outage === undefined ? Effect.failCause(cause) : Effect.as(OutageLog.report(outage), during(outage))
    })
  )

const during = (outage: Outages.DatabaseOutage): Verdict => ({
  allowed: false,
  ...uncheckable,
  ...Unavailable.during(outage)
})

const refusal = (status: Refusal["status"], code: string, message: string, headers: Refusal["headers"]) =>
  Effect.succeed<Verdict>({ allowed: false, status, code, message, headers })
