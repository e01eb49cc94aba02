import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Role } from "../../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import * as TestServer from "../../support/TestServer.ts"

const queueFor = Effect.fnUntraced(function*(role: Role) {
  const token = yield* (yield* Sessions).start(yield* newAccount(role, role))
  const cookie = `${cookieName(yield* AppConfig)}=${Redacted.value(token)}`
  const { ask } = yield* TestServer.serverClient
  return (yield* ask("/review", { headers: { cookie } })).text
})

layer(TestServer.layer({ DASHBOARD_URL: "https://jobs.example/queues" }))("the review queue", (it) => {
  it.effect("leads administrators to the dashboard of the jobs", () =>
    Effect.gen(function*() {
      const link = "<a href=\"https://jobs.example/queues\">Jobs</a>"
      assert.include(yield* queueFor("admin"), link)
      assert.notInclude(yield* queueFor("reviewer"), link)
    }))
})
