// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, References } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import * as Testing from "../../src/testing.ts"
import { newAccount, newClient } from "../core/clients/Scenario.ts"
import { slotkey } from "../support/Cli.ts"
import { eventually } from "../support/Eventually.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { approvedApp } from "../support/TestServer.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const server = (env: Readonly<Record<string, string>>, url: string) =>
  Layer.mergeAll(Testing.layer(env), HttpServer.layerServices).pipe(
    Layer.provideMerge(TestDatabase.at(url)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )

type App = Effect.Success<ReturnType<typeof approvedApp>>

/** Refreshes a chain until the test stops it, repeats what is answered with 503, and returns the last token. */
const keepRefreshing = Effect.fnUntraced(function*({ refresh }: App, first: unknown, isOver: () => boolean) {
  let token = first
  while (!isOver()) {
    const { json, status } = yield* refresh(token)
    if (status === 200) token = json["refresh_token"]
    else assert.strictEqual(status, 503)
  }
  return token
})

/** Exchanges codes one after the other, and returns the tokens of those that were answered. */
const exchangeAll = Effect.fnUntraced(
  function*({ exchange }: App, codes: ReadonlyArray<string>, isOver: () => boolean) {
    const tokens: Array<unknown> = []
    for (const code of codes) {
      if (isOver()) break
      let answer = yield* exchange(code)
      while (answer.status === 503) answer = yield* exchange(code)
      if (answer.status === 200) tokens.push(answer.json["refresh_token"])
    }
    return tokens
  }
)

describe.skipIf(TestPostgres.missing !== undefined)("A server and a worker", () => {
  it.live("lose and double nothing when the primary is killed and its standby promoted", () =>
    Effect.gen(function*() {
      const primary = yield* TestPostgres.make
      const standby = yield* TestPostgres.standbyOf(primary)
      const smtp = yield* TestSmtp.make
      const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`
      const env = {
        DATABASE_URL: url,
        MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
        BASE_URL: "https://slotkey.test",
        SMTP_URL: smtp.url,
        REVIEW_UNDO_WINDOW: "0 seconds",
        JOB_BACKOFF: "50 millis",
        JOB_LOCK: "1 second"
      }

      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const review = yield* ClientReview
        const worker = yield* WorkerProcess.start(env)
        yield* eventually(Effect.promise(() => fetch(`${worker.url}/readyz`).then(({ ok }) => ok, () => false)))
        const app = yield* approvedApp()
        const developer = yield* newAccount("developer")
        const [early, late] = [yield* newClient(developer), yield* newClient(developer)]
        const codes = yield* Effect.forEach(Array.from({ length: 400 }), () => app.code())
        const chains = yield* Effect.forEach(Array.from({ length: 8 }), () => app.tokens())
        const revoked = yield* app.tokens()

        let answered = 0
        let isOver = false
        const counting = {
          ...app,
          refresh: (token: unknown) =>
            Effect.tap(app.refresh(token), ({ status }) =>
              Effect.sync(() => {
                if (status === 200) answered++
              }))
        }
        const refreshing = yield* Effect.forkChild(Effect.forEach(
          chains,
          (chain) => keepRefreshing(counting, chain["refresh_token"], () => isOver),
          { concurrency: "unbounded" }
        ))
        const exchanging = yield* Effect.forkChild(exchangeAll(app, codes, () => isOver))
        const more = Effect.suspend(() => {
          const before = answered
          return eventually(Effect.sync(() => answered > before + 20))
        })

        yield* more
        yield* review.approve(app.admin, early.client.id, early.client.version)
        yield* app.post("/v2/auth/oauth2/revoke", { ...app.credentials, token: String(revoked["refresh_token"]) })
        yield* primary.killAll
        // A read-only database serves what it can.
        yield* eventually(Effect.map(app.me(chains[0]?.["access_token"]), ({ status }) => status === 200))
        yield* standby.promote
        yield* more
        yield* review.approve(app.admin, late.client.id, late.client.version)
        isOver = true

        for (const token of yield* Fiber.join(refreshing)) {
          assert.strictEqual((yield* app.refresh(token)).status, 200, "an answered refresh is there")
        }
        const exchanged = yield* Fiber.join(exchanging)
        for (const token of exchanged) {
          assert.strictEqual((yield* app.refresh(token)).status, 200, "an answered exchange is there")
        }
        assert.strictEqual((yield* app.refresh(revoked["refresh_token"])).status, 400, "a revocation is there")
        // Each grant has a code of its own. (Not all codes have a grant: the sweep of a full hour deletes the revoked
        // one.)
        const strangers = yield* sql`SELECT id FROM grants g
          WHERE user_id = ${app.user} AND NOT EXISTS (SELECT 1 FROM codes c WHERE c.grant_id = g.id)`
        assert.deepStrictEqual(strangers, [], "no code became two grants")

        const told = () =>
          new Set(
            smtp.received.filter(({ to }) => to.startsWith(developer)).map(({ message }) =>
              /^Message-ID: .*$/mi.exec(message)?.[0]
            )
          )
        yield* eventually(Effect.sync(() => told().size >= 2))
        assert.strictEqual((yield* slotkey(["accounts", "list"], { env })).code, 0)
        yield* eventually(Effect.map(sql`SELECT 1 FROM outbox WHERE done_at IS NULL`, (open) => open.length === 0))
        assert.strictEqual(told().size, 2, "each decision has its mail, and one alone")
      }).pipe(Effect.scoped, Effect.provide(server(env, url)))
    }).pipe(Effect.scoped), 240_000)
})
