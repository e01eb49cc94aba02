import { assert, layer } from "@effect/vitest"
import { Array, Effect, Order, Random } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import type { UserId } from "../../src/domain/Ids.ts"
import { newAccount } from "../core/clients/Scenario.ts"
import { approvedApp, layer as server } from "../support/TestServer.ts"

/** Installations of each kind; `NAIVE_APPS=200` is what docs/decisions/tokens.md quotes. */
const perKind = Number(process.env["NAIVE_APPS"] ?? 2)

/** Seconds for which a thief refreshes every second; later once a minute. */
const haste = perKind < 100 ? 65 : 3600

type App = Effect.Success<ReturnType<typeof approvedApp>>

/** An app as one user has it, with the refresh token that it stored last. */
interface Install {
  readonly app: App
  readonly user: UserId
  refreshToken: string
  refusals: number
}

/** Connects the app for a new user. The callback runs as often as asked, and the app keeps what the first one got. */
const connect = Effect.fnUntraced(function*(app: App, callbacks: number) {
  const user = yield* newAccount("user")
  const code = yield* app.code({ user })
  const answers = yield* Effect.all(Array.makeBy(callbacks, () => app.exchange(code)), { concurrency: "unbounded" })
  const tokens = answers.find(({ status }) => status === 200)
  return { app, user, refreshToken: String(tokens?.json["refresh_token"]), refusals: 0 } satisfies Install
})

/** Answers the new refresh token, or the old one if it was refused. */
const refresh = Effect.fnUntraced(function*(install: Install, token: string) {
  const { json, status } = yield* install.app.refresh(token)
  if (status === 200) return String(json["refresh_token"])
  install.refusals++
  return token
})

const refreshOnce = Effect.fnUntraced(function*(install: Install) {
  install.refreshToken = yield* refresh(install, install.refreshToken)
})

/**
 * Eight calls that meet a 401 within 100 ms. Each refreshes with the token that it then sees, without a lock, and
 * stores what it gets when it gets it. The ways to the server and back take from 10 to 100 ms, so answers overtake each
 * other.
 */
const refreshEightTimes = Effect.fnUntraced(function*(install: Install) {
  const delay = Random.nextIntBetween(10, 100)
  const calls = yield* Effect.all(Array.makeBy(8, () =>
    Effect.gen(function*() {
      const seen = yield* Random.nextIntBetween(0, 100)
      const handled = seen + (yield* delay)
      return { seen, handled, stored: handled + (yield* delay), token: "" }
    })))
  const steps = calls.flatMap((call) => [
    { at: call.seen, act: Effect.sync(() => void (call.token = install.refreshToken)) },
    {
      at: call.handled,
      act: Effect.suspend(() => Effect.map(refresh(install, call.token), (token) => void (call.token = token)))
    },
    { at: call.stored, act: Effect.sync(() => void (install.refreshToken = call.token)) }
  ])
  yield* Effect.forEach(Array.sortWith(steps, ({ at }) => at, Order.Number), ({ act }) => act, { discard: true })
})

/** Somebody who has a copy of what the app stored. */
const steal = (install: Install): Install => ({ ...install, refusals: 0 })

const minute = 60
const hour = 60 * minute

layer(server())("Apps that neither lock nor look", (it) => {
  it.effect(
    "keep their users, beside careful ones, and thieves who refresh every second are found",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const registry = yield* ClientRegistry
        const short = yield* approvedApp()
        yield* registry.edit(short.owner, short.client.id, { refreshGrace: "short" })
        const apps = [short, yield* approvedApp(), yield* approvedApp({ kind: "public" })]
        const installs = (callbacks: number, count: number) =>
          Effect.forEach(apps.flatMap((app) => Array.makeBy(count, () => app)), (app) => connect(app, callbacks))
        const naive = yield* installs(2, perKind)
        const restless = yield* installs(2, Math.ceil(perKind / 4))
        const careful = yield* installs(1, perKind)
        const [early, late] = [yield* installs(1, 1), yield* installs(1, 1)]
        const victims = [...early, ...late]
        const thieves: Array<{ readonly since: number; readonly install: Install }> = []
        const enter = (second: number, installs: ReadonlyArray<Install>) =>
          installs.forEach((install) => thieves.push({ since: second, install }))

        let now = 0
        for (let second = 1; second <= hour + minute; second++) {
          const active = thieves.filter(({ since }) => second - since < haste || second % minute === 0)
          const isBurst = second % (30 * minute) === 0
          const isRestless = second % 12 === 0 && second % (30 * minute) < 2 * minute
          if (active.length === 0 && !isBurst && !isRestless) continue
          yield* TestClock.adjust(`${second - now} seconds`)
          now = second
          if (isBurst) {
            // A thief who has copied the token just before is served within the grace, and found at its victim's next
            // refresh.
            const copies = second < hour ? late.map(steal) : []
            for (const install of [...careful, ...victims]) yield* refreshOnce(install)
            enter(second, copies)
          }
          if (isBurst) { for (const install of naive) yield* refreshEightTimes(install) }
          if (isRestless) { for (const install of restless) yield* refreshEightTimes(install) }
          for (const { install } of active) yield* refreshOnce(install)
          if (second === 12) enter(second, early.map(steal))
        }

        const endings = Effect.fnUntraced(function*(installs: ReadonlyArray<Install>) {
          const users = installs.map(({ user }) => user)
          return yield* sql<{ reason: string }>`SELECT revocation_reason AS reason FROM grants
          WHERE user_id = ANY(${users}) AND revoked_at IS NOT NULL`
        })
        const honest = [...naive, ...restless, ...careful]
        assert.deepStrictEqual(yield* endings(honest), [])
        assert.isTrue(honest.every(({ refusals }) => refusals === 0))
        assert.deepStrictEqual(yield* endings(victims), victims.map(() => ({ reason: "refresh_token.reused" })))
        const [told] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM outbox WHERE queue = 'token-reuse'`
        assert.strictEqual(told?.n, victims.length)
      }),
    600_000
  )
})
