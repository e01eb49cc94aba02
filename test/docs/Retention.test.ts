import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { table as settings } from "../../src/foundation/config/Settings.ts"
import { english } from "../../src/foundation/messages/Languages.ts"
import { durationIn } from "../../src/foundation/web/DateText.ts"
import * as Sweeps from "../../workers/Sweeps.ts"
import { assertTable } from "../support/DocumentTable.ts"
import { layerOn } from "../support/TestJobs.ts"
import { unswept, unsweptJobStore } from "./Unswept.ts"

layer(layerOn("postgres"), { excludeTestServices: true })("docs/operations/retention.md", (it) => {
  it.effect("knows every table: it is swept, or there is a reason why it does not grow", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ schema: string; name: string }>`
        SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`
      const { bullmq = [], public: own = [], ...others } = Array.groupBy(tables, ({ schema }) => schema)
      assert.deepStrictEqual(others, {})
      assert.sameMembers(own.map(({ name }) => name), [
        ...new Set(Sweeps.all.map(({ table }) => table)),
        ...Object.keys(unswept)
      ])
      assert.sameMembers(bullmq.map(({ name }) => name), Object.keys(unsweptJobStore))
    }))

  it.effect("lists the sweeps with settings and defaults, and the reasons (UPDATE_DOCS=1 writes the tables)", () =>
    Effect.sync(() => {
      const document = "docs/operations/retention.md"
      assertTable(
        document,
        "sweeps",
        ["table", "what is deleted", "setting", "default"],
        Sweeps.all.map((sweep) => {
          const { retention, rows, table } = sweep
          if (typeof retention !== "string") return [`\`${table}\``, rows, "", durationIn(english, retention)]
          const { default: fallback, name } = settingOf(retention)
          return [`\`${table}\``, rows, `\`${name}\``, fallback]
        })
      )
      const reasons = (tables: Readonly<Record<string, string>>) =>
        Object.entries(tables).map(([name, reason]) => [`\`${name}\``, reason])
      assertTable(document, "unswept", ["table", "why it does not grow"], reasons(unswept))
      assertTable(document, "job-store", ["table in `bullmq`", "why it does not grow"], reasons(unsweptJobStore))
    }))

  it.effect("names the tables that are vacuumed sooner than by default", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ name: string; options: ReadonlyArray<string> }>`
        SELECT c.relname AS name, c.reloptions AS options FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND EXISTS (SELECT 1 FROM unnest(c.reloptions) o WHERE o LIKE 'autovacuum%') ORDER BY 1`
      assertTable(
        "docs/operations/retention.md",
        "vacuum",
        ["table", "storage parameters"],
        rows.map(({ name, options }) => [
          `\`${name}\``,
          options.filter((option) => option.startsWith("autovacuum")).map((option) => `\`${option}\``).join(", ")
        ])
      )
    }))
})

const settingOf = (key: string) => {
  const found = Object.entries(settings).find(([name]) => name === key)
  if (found === undefined) throw new Error(`${key} is no setting`)
  return found[1]
}
