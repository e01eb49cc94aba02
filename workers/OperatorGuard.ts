import { Clock, Duration, Effect, Option, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { dashboard } from "../src/core/audit/Operator.ts"
import * as SecurityEvents from "../src/core/audit/SecurityEvents.ts"
import * as Basic from "../src/domain/Basic.ts"
import { sameText } from "../src/domain/ConstantTime.ts"
import { FailureWindows } from "../src/domain/FailureWindows.ts"
import { retryAfterSeconds, TooManyAttempts } from "../src/domain/TooManyAttempts.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { clientAddress } from "../src/foundation/http/ClientAddress.ts"

/**
 * Makes the guard that admits the user `operator` with `DASHBOARD_PASSWORD` (RFC 7617), and nobody when none is set. An
 * address that has given too many wrong passwords has to wait, even with the right one; other addresses do not.
 */
export const makeOperator = Effect.map(AppConfig, (config) => {
  const { dashboardPassword } = config
  if (Option.isNone(dashboardPassword)) return Effect.fail(closed)
  const expected = `operator:${Redacted.value(dashboardPassword.value)}`
  const failures = new FailureWindows({ limit: failureLimit, window, capacity: 10_000 })

  return Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const address = clientAddress(config, request)
    const now = yield* Clock.currentTimeMillis
    const retryAfter = failures.retryAfter(dashboard, address, now)
    if (retryAfter !== undefined) return yield* Effect.fail(tooMany(new TooManyAttempts({ retryAfter })))
    const { authorization } = request.headers
    const given = Basic.parse(authorization)
    if (sameText(given && `${given.userId}:${given.password}`, expected)) return dashboard
    // Browsers ask without a credential first.
    const lockedOut = authorization === undefined ? undefined : failures.add(dashboard, address, now)
    if (lockedOut !== undefined) yield* SecurityEvents.report("dashboard.locked_out", { address: lockedOut })
    return yield* Effect.fail(unauthorized)
  })
})

/** Wrong passwords that are admitted from one address in one window. */
export const failureLimit = 20
export const window = Duration.minutes(15)

const closed = HttpServerResponse.text("Set DASHBOARD_PASSWORD to open the dashboard.", { status: 404 })

const unauthorized = HttpServerResponse.text("The dashboard needs its credential.", {
  status: 401,
  headers: { "www-authenticate": "Basic realm=\"Slotkey jobs\", charset=\"UTF-8\"" }
})

const tooMany = (error: TooManyAttempts) =>
  HttpServerResponse.text("Too many wrong passwords came from your address. Try again later.", {
    status: 429,
    headers: { "retry-after": retryAfterSeconds(error) }
  })
