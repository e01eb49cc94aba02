import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Basic from "../src/domain/Basic.ts"
import { sameText } from "../src/domain/ConstantTime.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"

/** Admits the user `operator` with `DASHBOARD_PASSWORD` (RFC 7617), and nobody when none is set. */
export const operator: Effect.Effect<
  void,
  HttpServerResponse.HttpServerResponse,
  AppConfig | HttpServerRequest.HttpServerRequest
> = Effect.gen(function*() {
  const { dashboardPassword } = yield* AppConfig
  if (Option.isNone(dashboardPassword)) {
    return yield* Effect.fail(HttpServerResponse.text("Set DASHBOARD_PASSWORD to open the dashboard.", { status: 404 }))
  }
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const expected = `operator:${Redacted.value(dashboardPassword.value)}`
  const basic = Basic.parse(headers["authorization"])
  if (!sameText(basic && `${basic.userId}:${basic.password}`, expected)) {
    return yield* Effect.fail(HttpServerResponse.text("The dashboard needs its credential.", {
      status: 401,
      headers: { "www-authenticate": "Basic realm=\"Slotkey jobs\", charset=\"UTF-8\"" }
    }))
  }
})
