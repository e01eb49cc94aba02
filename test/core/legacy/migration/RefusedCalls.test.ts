import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { layer as server } from "../../../support/TestServer.ts"
import { merge } from "../../usage/Scenario.ts"
import { legacyApp, type Visitor } from "../Scenario.ts"

layer(server({ SESSION_LIFETIME: "400 days" }), { timeout: 60_000 })(
  "The refused API calls of a legacy app",
  (it) => {
    it.effect("are shown by operation, with how often and last when", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const ann = yield* app.user
        const token = (yield* app.connect(ann)).json["access_token"]
        const narrow = (yield* app.connect(ann, "BOOKING_READ")).json["access_token"]
        const call = (...asked: Parameters<typeof app.check>) => Effect.map(app.check(...asked), ({ status }) => status)
        assert.strictEqual(yield* call("GET", "/v2/bookings/7/attendees", token), 200)
        assert.strictEqual(yield* call("POST", "/v2/api-keys/refresh", token), 403)
        yield* TestClock.adjust("3 seconds")
        assert.strictEqual(yield* call("GET", "/v2/auth/oauth2/clients/mine-1", token), 403)
        assert.strictEqual(yield* call("GET", "/v2/auth/oauth2/clients/mine-2", token), 403)
        assert.strictEqual(yield* call("GET", "/v1/secret-7", token), 403)
        assert.strictEqual(yield* call("GET", "/v2//bookings", token), 403)
        assert.strictEqual(yield* call("POST", "/v2/bookings/7/attendees", narrow), 403)
        assert.strictEqual((yield* app.me(narrow)).status, 403)
        // Nobody knows whose calls these are.
        assert.strictEqual(yield* call("POST", "/v2/api-keys/refresh", "no token of ours"), 403)

        const state = yield* awaitCalls(app.owner, `${app.path}/migration`, 7)
        const { refusedCalls } = state["data"] as { readonly refusedCalls: ReadonlyArray<Record<string, unknown>> }
        assert.deepStrictEqual(
          refusedCalls.map(({ cause, operation, requests }) => [requests, cause, operation]),
          [
            [2, "closed", "GET /v2/auth/oauth2/clients/{clientId}"],
            [1, "closed", "POST /v2/api-keys/refresh"],
            [1, "insufficient_scope", "GET /v2/me"],
            [1, "insufficient_scope", "POST /v2/bookings/{bookingUid}/attendees"],
            [1, "malformed", null],
            [1, "unlisted", null]
          ]
        )
        const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
        assert.deepStrictEqual(new Set(refusedCalls.map(({ lastDay }) => lastDay)), new Set([today]))

        const page = (yield* app.owner.get(`/settings/apps/${app.id}/migration`)).text
        assert.match(
          page,
          /<code>GET \/v2\/auth\/oauth2\/clients\/{clientId}<\/code>.*closed to apps.*<td data-label="Calls">2<\/td><td data-label="Last"><time/
        )
        assert.notInclude(page, "mine-1")
        assert.include((yield* app.admin.get(`/review/${app.id}`)).text, "POST /v2/api-keys/refresh")
        yield* merge
        const export_ = (format: string) =>
          app.admin.get(`/v2/admin/legacy-clients/export?format=${format}&search=${app.id}`)
        assert.include((yield* export_("csv")).text, "2 closed GET /v2/auth/oauth2/clients/{clientId}; 1 closed POST")
        assert.include((yield* export_("json")).text, `"operation":"POST /v2/api-keys/refresh"`)
      }))

    it.effect("are counted after its scopes were saved, too, and forgotten with the days of the audit", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const { json } = yield* app.connect(yield* app.user)
        yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
        assert.strictEqual((yield* app.check("POST", "/v2/api-keys/refresh", json["access_token"])).status, 403)
        yield* awaitCalls(app.owner, `${app.path}/migration`, 1)
        yield* TestClock.adjust("29 days")
        assert.include((yield* app.owner.get(`/settings/apps/${app.id}/migration`)).text, "/v2/api-keys/refresh")
        yield* TestClock.adjust("2 days")
        const later = yield* app.owner.call("GET", `${app.path}/migration`)
        assert.include(later.text, `"refusedCalls":[]`)
      }))
  }
)

/** Awaits what is counted in the background. */
const awaitCalls = (owner: Visitor, path: string, calls: number) =>
  Effect.andThen(TestClock.adjust("1 minute"), owner.call("GET", path)).pipe(
    Effect.map(({ json }) => json),
    Effect.repeat({ until: (json) => total(json) >= calls, times: 200 }),
    Effect.tap((json) => Effect.sync(() => assert.strictEqual(total(json), calls)))
  )

const total = (json: Record<string, unknown>): number =>
  (json["data"] as { readonly refusedCalls: ReadonlyArray<{ readonly requests: number }> }).refusedCalls
    .reduce((sum, { requests }) => sum + requests, 0)
