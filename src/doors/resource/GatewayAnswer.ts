import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Principal } from "../../core/tokens/AccessCheck.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { errorResponse } from "./ErrorResponse.ts"
import type { CallReader } from "./ForwardedCall.ts"
import type { Call, Verdict } from "./Guard.ts"

/** Addresses at which gateways ask begin with this. */
export const checkPath = "/v2/auth/oauth2/check"

/** Makes the answers to a gateway: 200 with the caller in headers, or 401 or 403 as RFC 6750 defines them. */
export const gatewayAnswer = Effect.gen(function*() {
  const catalogue = yield* Catalogue

  return <E, R>(readCall: CallReader, check: (call: Call) => Effect.Effect<Verdict, E, R>) =>
    Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const call = readCall(request)
      if (call === undefined) return yield* misconfigured
      const verdict = yield* check({ ...call, authorization: request.headers["authorization"] })
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
})

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
