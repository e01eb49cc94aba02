import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { mostGrants } from "../../../src/core/grants/GrantCap.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { decisionPath } from "../../../src/doors/consent/ConsentView.ts"
import { authorizePath, codesOf, grant, requestingApp, Services } from "./Scenario.ts"

/** A request of an app that has as many grants of its user as it may have, given a minute apart. */
const atTheCap = Effect.gen(function*() {
  const app = yield* requestingApp()
  const other = yield* requestingApp()
  yield* grant(app.user, other.client.id, ["PROFILE_READ"])
  for (let i = 0; i < mostGrants; i++) {
    yield* grant(app.user, app.client.id, ["PROFILE_READ"])
    yield* TestClock.adjust("1 minute")
  }
  const live = yield* (yield* Grants).listLive(app.user, app.client.id)
  return { ...app, live, oldest: live.at(-1)?.id ?? assert.fail("no grant") }
})

/** Asserts that the oldest grant of the app has ended, and no other. */
const assertRoom = Effect.fnUntraced(function*({ client, live, oldest, user }: Effect.Success<typeof atTheCap>) {
  const grants = yield* Grants
  const left = (yield* grants.listLive(user, client.id)).map(({ id }) => id)
  assert.deepStrictEqual(left, live.map(({ id }) => id).filter((id) => id !== oldest))
  assert.lengthOf(yield* grants.listLive(user), mostGrants)
  assert.lengthOf(yield* codesOf(client.id), 1)
  const trail = yield* (yield* AuditLog).list({ userId: user, actions: ["grant.displaced"] })
  assert.deepStrictEqual(trail.map(({ grantId }) => grantId), [oldest])
})

layer(Services)("A user with a hundred grants of one app", (it) => {
  it.effect("loses the one used least recently when the app gets a code without a question", () =>
    Effect.gen(function*() {
      const app = yield* atTheCap
      assert.strictEqual((yield* app.tab.get(authorizePath(app.request))).status, 303)
      yield* assertRoom(app)
    }))

  it.effect("loses the one used least recently by allowing the app more, and none by denying it", () =>
    Effect.gen(function*() {
      const app = yield* atTheCap
      const decide = Effect.fnUntraced(function*(decision: string) {
        const { question } = yield* app.tab.get(authorizePath({ ...app.request, prompt: "consent" }))
        const { status } = yield* app.tab.post(decisionPath, {
          request: question,
          csrf: app.tab.csrf,
          decision
        })
        assert.strictEqual(status, 303)
      })
      yield* decide("deny")
      assert.lengthOf(yield* (yield* Grants).listLive(app.user, app.client.id), mostGrants)
      yield* decide("allow")
      yield* assertRoom(app)
    }))
})
