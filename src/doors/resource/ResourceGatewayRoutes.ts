import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { errorResponse } from "./ErrorResponse.ts"
import { type CallReader, fromForwardedHeaders, fromOriginalHeaders, withoutPrefix } from "./ForwardedCall.ts"
import { checkPath, gatewayAnswer } from "./GatewayAnswer.ts"
import type { Call } from "./Guard.ts"
import { resourceCheck } from "./ResourceCheck.ts"

const path = `${checkPath}/resources/:id` as const

/**
 * Same as `GatewayRoutes` for calls of a registered resource. The address says which one, and may name the scopes that
 * a call needs: the gateway's configuration has it, and nothing that a client sends is part of it.
 */
export const ResourceGatewayRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const answer = yield* gatewayAnswer
  const checkOf = yield* resourceCheck

  const check = Effect.fnUntraced(function*(call: Call) {
    const { id = "", scopes } = yield* HttpRouter.params
    return yield* checkOf(id, scopes?.split(","), call)
  })
  const handler = (readCall: CallReader) => {
    const handle = answer(readCall, check)
    return (...request: Parameters<typeof handle>) =>
      Effect.catchTag(
        handle(...request),
        "Misnamed",
        ({ message }) => errorResponse(400, { code: "resource_unknown", message })
      )
  }

  for (const address of [path, `${path}/scopes/:scopes`] as const) {
    yield* router.add("*", `${address}/nginx`, handler(fromOriginalHeaders))
    yield* router.add("*", `${address}/forwarded`, handler(fromForwardedHeaders))
    yield* router.add("*", `${address}/envoy/*`, handler(behindEnvoy))
  }
}))

const behindEnvoy: CallReader = (request) => {
  const [prefix] = /^\/v2\/auth\/oauth2\/check\/resources\/[^/?]+(?:\/scopes\/[^/?]+)?\/envoy/.exec(request.url) ?? []
  return prefix === undefined ? undefined : withoutPrefix(prefix)(request)
}
