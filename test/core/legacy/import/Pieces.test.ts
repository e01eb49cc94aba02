import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { layer as server } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { app, apply, jsonLines, listenTo, token, unique } from "./Scenario.ts"

/** Imports a text, and does something else at a step. */
const applyAnd = (text: string, at: string, act: Effect.Effect<unknown>) =>
  listenTo(
    Effect.flatMap(LegacyImport, (imports) => imports.apply(Stream.make(text), "cli")),
    (step) => step === at ? Effect.asVoid(act) : Effect.void
  )

/** Apps of a run with their secrets, grants and refresh tokens. */
const stored = Effect.fnUntraced(function*(run: string) {
  const sql = yield* SqlClient.SqlClient
  const like = `${run}-%`
  const [row] = yield* sql`SELECT (SELECT count(*)::int FROM clients WHERE id LIKE ${like}) AS apps,
    (SELECT count(*)::int FROM client_secrets WHERE client_id LIKE ${like}) AS secrets,
    (SELECT count(*)::int FROM grants WHERE client_id LIKE ${like}) AS grants,
    (SELECT count(*)::int FROM imported_refresh_tokens WHERE client_id LIKE ${like}) AS tokens,
    (SELECT count(*)::int FROM audit_log WHERE client_id LIKE ${like} AND action = 'client.imported') AS entries`
  return row
})

const jobs = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ payload: unknown }>`SELECT payload FROM outbox WHERE queue = 'migration-audits' ORDER BY id`
  return rows.map(({ payload }) => payload)
})

layer(server(), { timeout: 60_000 })("An import in many transactions", (it) => {
  it.effect("that is broken off is completed by the same import, whose apps have all of their secrets", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const run = unique()
      const ids = Array.from({ length: 250 }, (_, n) => `${run}-${n}`)
      const text = jsonLines(
        ...ids.map((client_id) =>
          app(owner, { client_id, refresh_tokens: [token(`refresh-${unique()}-${client_id}`, owner)] })
        ),
        ...ids.map((client_id) => ({
          client_id,
          secrets: [{ secret: "the second secret of all", algorithm: "clear" }]
        }))
      )
      const whole = { apps: 250, secrets: 500, grants: 250, tokens: 250, entries: 250 }

      const first = yield* Effect.exit(applyAnd(text, "apps written", Effect.die("the process ends")))
      assert.isTrue(Exit.isFailure(first))
      assert.deepStrictEqual(yield* stored(run), { apps: 100, secrets: 200, grants: 0, tokens: 0, entries: 100 })
      const second = yield* Effect.exit(applyAnd(text, "refresh tokens written", Effect.die("the process ends")))
      assert.isTrue(Exit.isFailure(second))
      assert.deepStrictEqual(yield* stored(run), { ...whole, grants: 100, tokens: 100 })

      const { apps, refreshTokens, secrets, there } = yield* apply(text)
      assert.deepStrictEqual({ apps, refreshTokens, secrets, there }, {
        apps: 0,
        refreshTokens: 150,
        secrets: 0,
        there: 350
      })
      assert.deepStrictEqual(yield* stored(run), whole)
    }))

  it.effect("has the board's verdicts renewed for all apps, unless it added nothing", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const before = yield* jobs
      const text = jsonLines(app(owner))
      yield* apply(text)
      assert.deepStrictEqual(yield* jobs, [...before, {}])
      yield* apply(text)
      assert.strictEqual((yield* jobs).length, before.length + 1)
    }))

  it.effect("leaves out what has changed since the file was read, and says so", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const run = unique()
      const [one, two, three] = ["one", "two", "three"].map((name) =>
        app(owner, { client_id: `${run}-${name}`, refresh_tokens: [token(`refresh-${unique()}-token`, owner)] })
      )
      const text = jsonLines(one ?? {}, two ?? {}, three ?? {})
      const imports = yield* LegacyImport
      const other = Effect.orDie(listenTo(imports.apply(Stream.make(jsonLines(one ?? {})), "cli")))
      const again = yield* applyAnd(text, "lines read", other)
      assert.deepStrictEqual(again.findings.slice(-2), [
        {
          line: 1,
          clientId: `${run}-one`,
          kind: "changed",
          isNotable: true,
          text: "left out: an app of this id was added or deleted here meanwhile"
        },
        {
          line: 1,
          clientId: `${run}-one`,
          kind: "changed",
          isNotable: true,
          text: "a refresh token is left out: it was imported meanwhile"
        }
      ])
      assert.deepStrictEqual([again.apps, again.refreshTokens, again.changed], [2, 2, 2])
      assert.deepStrictEqual(yield* stored(run), { apps: 3, secrets: 3, grants: 3, tokens: 3, entries: 3 })

      const four = app(owner, { client_id: `${run}-4`, refresh_tokens: [token(`refresh-${unique()}-token`, owner)] })
      const gone = yield* applyAnd(
        jsonLines(four),
        "apps written",
        Effect.orDie(sql`DELETE FROM clients WHERE id = ${four.client_id}`)
      )
      assert.strictEqual(
        gone.findings.at(-1)?.text,
        "a refresh token is left out: its app is no legacy app here any more"
      )
      assert.deepStrictEqual([gone.apps, gone.refreshTokens, gone.changed], [1, 0, 1])

      const five = app(owner, { client_id: `${run}-5` })
      const deleted = yield* applyAnd(
        jsonLines(five),
        "lines read",
        Effect.orDie(sql`INSERT INTO audit_log (at, actor, action, client_id)
          VALUES (${DateTime.toDateUtc(yield* DateTime.now)}, ${owner}, 'client.deleted', ${five.client_id})`)
      )
      assert.deepStrictEqual(deleted.findings.map(({ text }) => text).slice(-1), [
        "left out: an app of this id was added or deleted here meanwhile"
      ])
      assert.deepStrictEqual([deleted.apps, deleted.changed], [0, 1])
      assert.deepInclude(yield* stored(run), { apps: 3 })
    }))

  it.effect("skips nothing behind the place where a file cannot be read", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const header = "client_id,owner,name,redirect_uris,client_secret,client_secret_algorithm"
      const row = (id: string) => `${id},${owner},Old,https://old.example/a,a long enough secret,clear`
      const run = unique()
      const broken = [
        `${header}\n${row(`${run}-1`)}\n"${run}-2\n${row(`${run}-3`)}`,
        `${header},colour\n${row(`${run}-1`)},blue`,
        `[${JSON.stringify(app(owner, { client_id: `${run}-1` }))}`
      ]
      for (const text of broken) {
        assert.strictEqual((yield* Effect.flip(apply(text, { skips: true }))).code, "import_unfit", text)
      }
      assert.deepInclude(yield* stored(run), { apps: 0 })
    }))
})
