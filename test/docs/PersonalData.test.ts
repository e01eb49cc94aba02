import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { ReviewDesk } from "../../src/core/clients/review/ReviewDesk.ts"
import * as Clients from "../core/clients/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const page = readFileSync(new URL("../../docs/operations/personal-data.md", import.meta.url), "utf8")

const statements = [...page.matchAll(/^```sql\n(.*?)^```/gms)].flatMap(([, code = ""]) => code.split(/;\n/))
  .filter((statement) => statement !== "")

const namesIn = (cell = ""): ReadonlyArray<string> => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)

/** Columns that the page lists, as `table.column`. */
const listed = (page.split(/<!-- \/?personal -->/)[1] ?? "").split("\n").flatMap((row) => {
  const [, table, columns] = row.split("|")
  return namesIn(columns).map((column) => `${namesIn(table).join()}.${column}`)
})

/** Names of columns that tell who somebody is, what they are called, or where they can be reached. */
const suggestsPerson =
  /[._](email|name|username|subject|recipient|actor|address|agent)$|(user|owner|account|organization)_id$|_by$/

// Its names are those of migrations.
const isOfNobody = (column: string): boolean => column.startsWith("slotkey_migrations.")

layer(TestDatabase.layer, { excludeTestServices: true })("docs/operations/personal-data.md", (it) => {
  it.effect("lists columns that exist, and among them all whose names suggest a person", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ name: string }>`SELECT table_name || '.' || column_name AS name
        FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`
      const columns = rows.map(({ name }) => name)
      assert.isNotEmpty(listed)
      assert.deepStrictEqual(listed.filter((column) => !columns.includes(column)), [])
      const suspects = columns.filter((column) => suggestsPerson.test(column) && !isOfNobody(column))
      assert.deepStrictEqual(suspects.filter((column) => !listed.includes(column)), [])
    }))

  it.effect("has statements that run on the schema", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(statements, 10)
      for (const statement of statements) yield* sql.unsafe(statement.replaceAll(/:'(id|email)'/g, "'nobody'"))
    }))
})

layer(Clients.Services)("what a person gets who asks for their data", (it) => {
  it.effect("has the questions of reviewers and the own answers, and no note of a reviewer nor who asked", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const desk = yield* ReviewDesk
      const { admin, owner } = yield* Clients.people
      const { client: { id } } = yield* Clients.newClient(owner)
      yield* desk.note(admin, id, "Looks like spam.")
      yield* desk.ask(admin, id, "What for?")
      yield* desk.answer(owner, id, "For doors.")
      const of = (person: string) =>
        Effect.map(
          sql.unsafe(statements[0]?.replaceAll(/:'(id|email)'/g, `'${person}'`) ?? ""),
          (rows) => rows.map((row) => JSON.stringify(row)).filter((row) => /"(note|question|answer)"/.test(row)).join()
        )
      const got = yield* of(owner)
      for (const part of ["What for?", "For doors."]) assert.include(got, part)
      for (const hidden of ["spam", admin]) assert.notInclude(got, hidden)
      assert.include(yield* of(admin), "Looks like spam.")
    }))
})
