import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Principal } from "../../core/tokens/AccessCheck.ts"
import { format } from "../../domain/scopes/Scope.ts"
import { errorResponse } from "./ErrorResponse.ts"
import { forwarded, original, prefixed, type Reader } from "./ForwardedCall.ts"
import { Guard } from "./Guard.ts"

const check = "/v2/auth/oauth2/check"

/**
 * Answers a gateway whether a call may pass: 200 with who calls in headers, or 401 and 403 as RFC 6750 has it. Each
 * kind of gateway has an address of its own, so that its configuration says which headers can be trusted.
 */
export const GatewayRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const guard = yield* Guard

  const answer = (read: Reader) =>
    Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const call = read(request)
      if (call === undefined) return yield* misconfigured
      const verdict = yield* guard.check({ ...call, authorization: request.headers["authorization"] })
      if (verdict.allowed) return HttpServerResponse.empty({ status: 200, headers: identity(verdict.caller) })
      // The caller reads this as the answer of the API, so it names the path that he called.
      return yield* Effect.provideService(
        errorResponse(verdict.status, verdict, verdict.headers),
        HttpServerRequest.HttpServerRequest,
        request.modify({ url: call.target })
      )
    })

  yield* router.add("*", `${check}/nginx`, answer(original))
  yield* router.add("*", `${check}/forwarded`, answer(forwarded))
  yield* router.add("*", `${check}/envoy/*`, answer(prefixed(`${check}/envoy`)))
}))

/** All of them are there each time, empty for an anonymous call, so that none of the client's own can stand in. */
const identity = (caller: Principal | undefined): typeof anonymous =>
  caller === undefined ? anonymous : {
    "x-slotkey-user": visible(caller.userId),
    "x-slotkey-client": visible(caller.clientId),
    "x-slotkey-grant": caller.grantId,
    // A legacy grant has no scope restriction (specification §5.6); `*` is no scope, so nothing mistakes it for one.
    "x-slotkey-scope": caller.scopes === null ? "*" : format(caller.scopes),
    "cache-control": "no-store",
    "content-length": "0"
  }

const anonymous = {
  "x-slotkey-user": "",
  "x-slotkey-client": "",
  "x-slotkey-grant": "",
  "x-slotkey-scope": "",
  "cache-control": "no-store",
  "content-length": "0"
}

/** An id as a header may hold it: a platform's own user ids may be anything. */
const visible = (id: string): string => /^[\x21-\x24\x26-\x7e]+$/.test(id) ? id : encodeURIComponent(id)

const misconfigured = errorResponse(400, {
  code: "call_missing",
  message: "The gateway did not say which method and path it asks about; see docs/gateway.md."
})
