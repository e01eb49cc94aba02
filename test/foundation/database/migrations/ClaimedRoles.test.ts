import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { migrations } from "../../../../src/foundation/database/migrations/index.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

/** Brings the schema up to the step of this number. */
const migrate = (newest: number) =>
  Migrator.make({})({
    table: "slotkey_migrations",
    loader: Migrator.fromRecord(
      Object.fromEntries(Object.entries(migrations).filter(([name]) => Number.parseInt(name, 10) <= newest))
    )
  })

layer(TestDatabase.layerEmpty, { excludeTestServices: true })("The roles of linked accounts", (it) => {
  it.effect("that a sign-in gave have an end after the upgrade, and those that were set here have none", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(30)
      const account = Effect.fnUntraced(function*(id: string, role: string, linked = true) {
        const at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`INSERT INTO accounts
          ${sql.insert({ id, email: `${id}@example.test`, username: id, name: id, role, linked, createdAt: at })}`
        return (actor: string, action: string, details: object) =>
          sql`INSERT INTO audit_log
            ${sql.insert({ at, actor, action: `account.${action}`, userId: id, details: JSON.stringify(details) })}`
      })
      const issuer = "https://id.test"
      const signedIn = yield* account("signed-in", "admin")
      yield* signedIn("signed-in", "created", { role: "admin", issuer, subject: "1" })
      yield* signedIn("cli", "disabled", {})
      const put = yield* account("put", "admin")
      yield* put("petra", "created", { role: "admin", issuer, subject: "2" })
      const appointed = yield* account("appointed", "reviewer")
      yield* appointed("appointed", "created", { role: "user", issuer, subject: "3" })
      yield* appointed("cli", "role_changed", { role: "reviewer" })
      const taken = yield* account("taken", "reviewer")
      yield* taken("cli", "role_changed", { role: "admin" })
      yield* taken("taken", "role_changed", { role: "reviewer", issuer })
      yield* account("forgotten", "admin")
      yield* account("plain", "user")
      yield* account("local", "admin", false)

      yield* migrate(31)
      const rows = yield* sql<{ id: string; roleHere: string; hasEnd: boolean }>`
        SELECT id, role_here, role_until IS NOT NULL AS has_end FROM accounts`
      assert.deepStrictEqual(
        Object.fromEntries(rows.map(({ hasEnd, id, roleHere }) => [id, [roleHere, hasEnd]])),
        {
          "signed-in": ["user", true],
          put: ["admin", false],
          appointed: ["reviewer", false],
          taken: ["user", true],
          forgotten: ["user", true],
          plain: ["user", false],
          local: ["user", false]
        }
      )
    }))
})
