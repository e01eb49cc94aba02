import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Principal } from "../../core/tokens/AccessCheck.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { errorResponse } from "./ErrorResponse.ts"
import { type CallReader, fromForwardedHeaders, fromOriginalHeaders, withoutPrefix } from "./ForwardedCall.ts"
import { Guard } from "./Guard.ts"

const checkPath = "/v2/auth/oauth2/check"

/**
 * Answers a gateway whether a call may pass: 200 with the caller in headers, or 401 or 403 as RFC 6750 defines them
 * (docs/gateway.md). Each kind of gateway has an address of its own, which says which headers can be trusted.
 */
export const GatewayRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const catalogue = yield* Catalogue
  const guard = yield* Guard

  const handler = (readCall: CallReader) =>
    Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const call = readCall(request)
      if (call === undefined) return yield* misconfigured
      const verdict = yield* guard.check({ ...call, authorization: request.headers["authorization"] })
      if (verdict.allowed) {
        return HttpServerResponse.empty({ status: 200, headers: callerHeaders(catalogue, verdict.caller) })
      }
      // Gateways pass this on as the answer of the API, so it names the path that the client called.
      return yield* Effect.provideService(
        errorResponse(verdict.status, verdict, verdict.headers),
        HttpServerRequest.HttpServerRequest,
        request.modify({ url: call.target })
      )
    })

  yield* router.add("*", `${checkPath}/nginx`, handler(fromOriginalHeaders))
  yield* router.add("*", `${checkPath}/forwarded`, handler(fromForwardedHeaders))
  yield* router.add("*", `${checkPath}/envoy/*`, handler(withoutPrefix(`${checkPath}/envoy`)))
}))

/** Caller for the API. Every header is always set, if only to nothing, so that a client cannot supply one itself. */
const callerHeaders = ({ format }: Catalogue, caller: Principal | undefined): typeof anonymous =>
  caller === undefined ? anonymous : {
    "x-slotkey-user": headerText(caller.userId),
    "x-slotkey-client": headerText(caller.clientId),
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

/** An id as a header may contain it: the user ids of a platform's own identity source may be any text. */
const headerText = (id: string): string => /^[\x21-\x24\x26-\x7e]+$/.test(id) ? id : encodeURIComponent(id)

const misconfigured = errorResponse(400, {
  code: "call_missing",
  message: "The gateway did not say which method and path it asks about; see docs/gateway.md."
})
