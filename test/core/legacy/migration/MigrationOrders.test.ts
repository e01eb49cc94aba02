import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { layer as server } from "../../../support/TestServer.ts"
import { legacyApp } from "../Scenario.ts"

layer(server({ SESSION_LIFETIME: "400 days" }), { timeout: 60_000 })("On the way to scopes", (it) => {
  it.effect(
    "no order of steps makes an old token fail before its user has authorized again, or a new one too wide",
    () =>
      Effect.gen(function*() {
        let ended = 0
        for (let seed = 1; seed <= 10; seed++) ended += yield* walk(seed)
        // The walks must get as far as the end of old tokens.
        assert.isAbove(ended, 3)
      }),
    120_000
  )
})

interface Held {
  readonly user: number
  /** The requested scopes; the empty string asks for everything. */
  readonly scope: string
  token: string
  /** True once its user has authorized the app anew since the scopes were saved. */
  superseded: boolean
}

/** Takes random steps of users, owner and administrator, and checks the promises after each step. */
const walk = Effect.fnUntraced(function*(seed: number) {
  const random = randomOf(seed)
  const app = yield* legacyApp
  const users = [yield* app.user, yield* app.user]
  const held: Array<Held> = []
  const trace: Array<string> = []
  const some = (): ReadonlyArray<string> => choices[random(choices.length)]!
  const save = Effect.gen(function*() {
    const wanted = some()
    trace.push(`save ${wanted}`)
    yield* app.owner.call("PATCH", app.path, { scopes: wanted, breakOldUrls: random(5) > 0 })
  })
  const act = {
    connect: Effect.gen(function*() {
      const [user, scope] = [random(2), random(3) === 0 ? "" : some().join(" ")]
      trace.push(`connect ${user} ${scope}`)
      const before = yield* app.client
      const code = (yield* app.authorize(users[user]!, scope === "" ? undefined : scope)).get("code")
      if (code === null) return assert.isFalse(before.legacy, trace.join("\n"))
      // The owner may save the scopes between the authorization and the exchange.
      if (random(3) === 0) yield* save
      const answer = yield* app.exchange(code)
      assert.strictEqual(answer.status, 200, trace.join("\n"))
      const granted = String(answer.json["scope"])
      assert.strictEqual(granted, scopesInOrder(scope), trace.join("\n"))
      const { legacy } = yield* app.client
      if (!legacy && scope !== "") {
        for (const one of held) if (one.user === user && one.scope === "") one.superseded = true
      }
      held.push({ user, scope, token: String(answer.json["refresh_token"]), superseded: false })
    }),
    save,
    undo: Effect.suspend(() => {
      trace.push("undo")
      return app.owner.call("POST", `${app.path}/migration/undo`, {})
    }),
    approve: Effect.suspend(() => {
      trace.push("approve")
      return Effect.ignore(app.approve)
    }),
    reject: Effect.suspend(() => {
      trace.push("reject")
      return Effect.ignore(app.reject)
    }),
    wait: Effect.suspend(() => {
      trace.push("wait")
      return TestClock.adjust(`${random(4)} days`)
    })
  }
  yield* Effect.repeat(act.connect, { times: 1 })
  const steps = [
    act.connect,
    act.connect,
    act.connect,
    act.connect,
    save,
    save,
    act.undo,
    act.approve,
    act.reject,
    act.wait
  ]
  for (let step = 0; step < 16; step++) {
    yield* steps[random(steps.length)]!
    for (const one of held) {
      const answer = yield* app.refresh(one.token)
      const told = `${JSON.stringify(one)} after\n${trace.join("\n")}`
      assert.strictEqual(answer.status, one.superseded ? 400 : 200, told)
      if (answer.status !== 200) continue
      assert.strictEqual(answer.json["scope"], scopesInOrder(one.scope), told)
      one.token = String(answer.json["refresh_token"])
    }
  }
  return held.filter(({ superseded }) => superseded).length
})

const choices = [
  ["PROFILE_READ"],
  ["PROFILE_READ"],
  ["PROFILE_READ", "BOOKING_READ"],
  ["PROFILE_READ", "TEAM_BOOKING_READ"]
]

const scopesInOrder = (scope: string) =>
  ["BOOKING_READ", "PROFILE_READ", "TEAM_BOOKING_READ"].filter((one) => scope.split(" ").includes(one)).join(" ")

/** A random number generator (from Numerical Recipes) that makes the same walk for the same seed. */
const randomOf = (seed: number) => {
  let state = Math.imul(seed, 0x9e3779b1)
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
