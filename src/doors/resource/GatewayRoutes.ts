import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { fromForwardedHeaders, fromOriginalHeaders, withoutPrefix } from "./ForwardedCall.ts"
import { checkPath, gatewayAnswer } from "./GatewayAnswer.ts"
import { Guard } from "./Guard.ts"

/**
 * Answers a gateway whether a call may pass (docs/gateway.md). Each kind of gateway has an address of its own, which
 * says which headers can be trusted.
 */
export const GatewayRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const answer = yield* gatewayAnswer
  const { check } = yield* Guard

  yield* router.add("*", `${checkPath}/nginx`, answer(fromOriginalHeaders, check))
  yield* router.add("*", `${checkPath}/forwarded`, answer(fromForwardedHeaders, check))
  yield* router.add("*", `${checkPath}/envoy/*`, answer(withoutPrefix(`${checkPath}/envoy`), check))
}))
