import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { EndpointPolicy } from "../scopes/EndpointPolicy.ts"
import { format } from "../scopes/Scope.ts"
import type { Principal } from "../tokens/AccessCheck.ts"
import { Admission } from "./Admission.ts"
import type { Denied } from "./Denied.ts"
import { forwarded, original, prefixed, type Reader } from "./ForwardedCall.ts"
import { busy, refuse } from "./Refusal.ts"

const check = "/v2/auth/oauth2/check"

/**
 * Answers a gateway whether a call may pass: 200 with who calls in headers, or 401 and 403 as RFC 6750 has it. Each
 * kind of gateway has an address of its own, so that its configuration says which headers can be trusted.
 */
export const GatewayRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const policy = yield* EndpointPolicy
  const admission = yield* Admission

  const answer = (read: Reader) =>
    Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const call = read(request)
      if (call === undefined) return yield* misconfigured
      return yield* admission.admit(policy.match(call.method, call.target), request.headers["authorization"]).pipe(
        Effect.map(pass),
        Effect.catchTags({
          TokenRefused: (denied) => turnAway(denied, 401, call.target),
          CallRefused: (denied) => turnAway(denied, 403, call.target),
          TemporarilyUnavailable: () => busy
        })
      )
    })

  yield* router.add("*", `${check}/nginx`, answer(original))
  yield* router.add("*", `${check}/forwarded`, answer(forwarded))
  yield* router.add("*", `${check}/envoy/*`, answer(prefixed(`${check}/envoy`)))
}))

/** All of them are there each time, empty for an anonymous call, so that none of the client's own can stand in. */
const pass = (principal: Option.Option<Principal>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 200,
    headers: Option.match(principal, { onNone: () => anonymous, onSome: identity })
  })

const anonymous = {
  "x-slotkey-user": "",
  "x-slotkey-client": "",
  "x-slotkey-grant": "",
  "x-slotkey-scope": "",
  "cache-control": "no-store"
}

const identity = ({ clientId, grantId, scopes, userId }: Principal): typeof anonymous => ({
  "x-slotkey-user": visible(userId),
  "x-slotkey-client": visible(clientId),
  "x-slotkey-grant": grantId,
  // A legacy grant has no scope restriction (specification §5.6); `*` is no scope, so nothing can mistake it for one.
  "x-slotkey-scope": scopes === null ? "*" : format(scopes),
  "cache-control": "no-store"
})

/** An id as a header may hold it: a platform's own user ids may be anything. */
const visible = (id: string): string => /^[\x21-\x24\x26-\x7e]+$/.test(id) ? id : encodeURIComponent(id)

const turnAway = ({ challenge, code, message }: Denied, status: 401 | 403, target: string) =>
  refuse(status, { code, message }, { "www-authenticate": challenge }).pipe(
    // The caller reads this as the answer of the API, so it names the path that he called.
    Effect.updateService(HttpServerRequest.HttpServerRequest, (request) => request.modify({ url: target }))
  )

const misconfigured = refuse(400, {
  code: "call_missing",
  message: "The gateway did not say which method and path it asks about; see docs/gateway.md."
})
