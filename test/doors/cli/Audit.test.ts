// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientId } from "../../../src/domain/Ids.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { slotkey } from "../../support/Cli.ts"
import { eventually } from "../../support/Eventually.ts"
import { besideServer } from "./Scenario.ts"

const record = (n: number, details = {}) =>
  Effect.flatMap(
    AuditLog,
    (audit) =>
      audit.record({ actor: `actor ${n % 2}`, action: `act.${n % 3}`, clientId: ClientId.make(`app ${n}`), details })
  )

describe("slotkey audit", () => {
  it.live(
    "lists the trail by actor, action, app, user and time, page by page",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const ann = yield* newAccount("ann")
        yield* (yield* ManagedAccounts).setDisabled(ann, true, "cli")
        for (let n = 1; n <= 6; n++) yield* record(n, { n })
        const numbers = (...flags: ReadonlyArray<string>) =>
          Effect.map(
            json("audit", "list", ...flags),
            ({ entries }) => entries.map(({ details }: { readonly details: { readonly n?: number } }) => details.n)
          )
        assert.deepStrictEqual(yield* numbers("--actor", "actor 1"), [5, 3, 1])
        assert.deepStrictEqual(yield* numbers("--act", "act.0"), [6, 3])
        assert.deepStrictEqual(yield* numbers("--client", "app 4"), [4])
        const { next } = yield* json("audit", "list", "--limit", "2")
        assert.deepStrictEqual(yield* numbers("--limit", "2", "--after", next), [4, 3])
        const [entry] = (yield* json("audit", "list", "--user", `${ann}@example.com`)).entries
        assert.deepInclude(entry, { action: "account.disabled", userId: ann, actor: "cli" })

        const now = yield* DateTime.now
        const hence = DateTime.formatIso(DateTime.add(now, { hours: 1 }))
        assert.deepStrictEqual(yield* numbers("--since", hence), [])
        // The first is the catalogue that the database took.
        assert.lengthOf(yield* numbers("--until", hence), 8)
        assert.match(
          (yield* run("audit", "list", "--client", "app 4")).stdout,
          /^\S+Z\tactor 0\tact\.1\tapp 4\t\t\{"n":4\}\n$/
        )
        assert.strictEqual((yield* run("audit", "list", "--user", "nobody@example.com")).code, 3)
      })),
    120_000
  )

  it.live("exports JSON lines, the oldest first", () =>
    besideServer(Effect.fnUntraced(function*({ run }) {
      const audit = yield* AuditLog
      const entries = Array.from({ length: 2_500 }, (_, n) => ({ actor: "many", action: "counted", details: { n } }))
      yield* audit.recordAll(entries)
      const { code, stdout } = yield* run("audit", "export", "--actor", "many")
      assert.strictEqual(code, 0)
      const lines: ReadonlyArray<{ readonly details: { readonly n: number } }> = stdout.trimEnd().split("\n").map((
        line
      ) => JSON.parse(line))
      assert.deepStrictEqual(lines.map(({ details }) => details.n), entries.map(({ details }) => details.n))
    })), 120_000)

  it.live(
    "follows the trail, and misses no entry whose transaction commits late",
    () =>
      besideServer(Effect.fnUntraced(function*({ env }) {
        const sql = yield* SqlClient.SqlClient
        yield* record(0, { name: "before" })
        const lines: Array<string> = []
        const names = () => lines.map((line) => JSON.parse(line).details.name)
        const following = yield* Effect.forkChild(
          slotkey(["audit", "follow", "--json"], { env, onLine: (line) => lines.push(line) })
        )
        // What is written before the command has begun is not followed, so entries come until one is seen.
        yield* eventually(Effect.map(record(1, { name: "begun" }), () => lines.length > 0))
        const written = yield* Deferred.make<void>()
        const overtaking = yield* Effect.forkChild(
          Effect.andThen(Deferred.await(written), record(3, { name: "second" }))
        )
        yield* Effect.gen(function*() {
          yield* record(2, { name: "first" })
          yield* Deferred.succeed(written, undefined)
          // An embedded database runs one transaction after the other.
          if (!("DATABASE_URL" in env)) return
          yield* Fiber.join(overtaking)
          yield* Effect.sleep("1500 millis")
        }).pipe(sql.withTransaction)
        yield* eventually(Effect.sync(() => names().includes("second")))

        // The one that overtakes may also have begun to write before the other.
        const [begun, third] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const older = yield* Effect.forkChild(
          Effect.gen(function*() {
            yield* sql`SELECT pg_current_xact_id()::text`
            yield* Deferred.succeed(begun, undefined)
            if ("DATABASE_URL" in env) yield* Deferred.await(third)
            yield* record(5, { name: "fourth" })
          }).pipe(sql.withTransaction)
        )
        yield* Deferred.await(begun)
        yield* Effect.gen(function*() {
          yield* record(4, { name: "third" })
          yield* Deferred.succeed(third, undefined)
          if (!("DATABASE_URL" in env)) return
          yield* Fiber.join(older)
          yield* Effect.sleep("1500 millis")
        }).pipe(sql.withTransaction)
        yield* eventually(Effect.sync(() => names().includes("third") && names().includes("fourth")))
        yield* Fiber.interrupt(following)
        const last = "DATABASE_URL" in env ? ["third", "fourth"] : ["fourth", "third"]
        assert.deepStrictEqual(names().filter((name) => name !== "begun"), ["first", "second", ...last])
      })),
    120_000
  )
})
