// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import * as Testing from "../../src/testing.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { approvedApp } from "../support/TestServer.ts"

class Postgres
  extends Context.Service<Postgres, TestPostgres.TestPostgres>()("slotkey/test/flows/Stalls.test/Postgres")
{}

/** A server on a PostgreSQL server of its own. */
const server = (tokenTimeout: string) =>
  Layer.mergeAll(
    Testing.layer({ REFRESH_GRACE: "2 seconds", TOKEN_TIMEOUT: tokenTimeout }),
    HttpServer.layerServices
  ).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(Postgres, ({ url }) => TestDatabase.at(url)))),
    Layer.provideMerge(Layer.effect(Postgres, TestPostgres.make))
  )

const longerThanGrace = Duration.millis(2_500)

/** Asserts that the chain goes on, and that nobody got a mail about a theft. */
const assertHonest = Effect.fnUntraced(function*(app: Effect.Success<ReturnType<typeof approvedApp>>, token: unknown) {
  const sql = yield* SqlClient.SqlClient
  const next = yield* app.refresh(token)
  assert.strictEqual(next.status, 200, next.text)
  assert.strictEqual((yield* app.me(next.json["access_token"])).status, 200)
  assert.deepStrictEqual(yield* sql`SELECT id FROM outbox WHERE queue = 'token-reuse'`, [])
})

describe("A client that repeats its refresh", () => {
  if (TestPostgres.missing !== undefined) return it.skip(TestPostgres.missing)

  // Statements that are held up run late in the first case, and are given up in the second, which PostgreSQL may not
  // learn.
  for (const tokenTimeout of ["20 seconds", "3 seconds"]) {
    layer(server(tokenTimeout), { excludeTestServices: true, timeout: "2 minutes" })((it) => {
      // A public client, because its grace is short in any case.
      it.effect(
        `keeps its grant when PostgreSQL stood still for longer than the grace (${tokenTimeout})`,
        () =>
          Effect.gen(function*() {
            const postgres = yield* Postgres
            const app = yield* approvedApp({ kind: "public" })
            const { refresh_token } = yield* app.tokens()

            yield* postgres.stalled(
              app.refresh(refresh_token).pipe(
                Effect.timeoutOption("300 millis"),
                Effect.repeat({ times: 9 }),
                Effect.andThen(Effect.sleep("1 second"))
              )
            )
            const repeated = yield* Effect.repeat(app.refresh(refresh_token), { while: ({ status }) => status === 503 })
            assert.strictEqual(repeated.status, 200, repeated.text)
            yield* assertHonest(app, repeated.json["refresh_token"])
          }),
        60_000
      )
    })
  }

  layer(server("20 seconds"), { excludeTestServices: true, timeout: "2 minutes" })((it) => {
    it.effect("gets the grace in full after its request waited for the row", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const app = yield* approvedApp({ kind: "public" })
        const { refresh_token } = yield* app.tokens()
        const locked = yield* Effect.forkChild(sql.withTransaction(
          Effect.andThen(sql`SELECT id FROM grants FOR UPDATE`, Effect.sleep(longerThanGrace))
        ))
        yield* Effect.sleep("200 millis")
        const refreshed = yield* app.refresh(refresh_token)
        yield* Fiber.join(locked)
        const repeated = yield* app.refresh(refresh_token)
        assert.strictEqual(repeated.status, 200, repeated.text)
        assert.strictEqual(repeated.json["refresh_token"], refreshed.json["refresh_token"])
        yield* assertHonest(app, repeated.json["refresh_token"])
      }), 60_000)
  })
})
