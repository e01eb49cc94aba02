import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { decidedScopes, riskOf } from "../../../../src/core/clients/review/DecidedScopes.ts"
import { scopesInSql } from "../../../../src/core/clients/review/ScopesInSql.ts"
import { builtInFile } from "../../../../src/domain/catalogue/BuiltIn.ts"
import { type Catalogue, make } from "../../../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile } from "../../../../src/domain/catalogue/file/CatalogueFile.ts"
import { judge } from "../../../../src/domain/catalogue/Judgement.ts"
import * as Clients from "../Scenario.ts"

/** Numbers below a limit, the same in each run: a failure can be had again. */
const dice = (seed: number) => {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor(state / 2 ** 32 * limit)
  }
}

/** A catalogue of which nobody has thought: scopes of any facts, each of which may imply any before it. */
const anyCatalogue = (roll: (limit: number) => number): Catalogue => {
  const file = builtInFile()
  const areas = file.areas ?? []
  const scopes = Array.from({ length: 12 }, (_, at): CatalogueFile["scopes"][number] => ({
    name: `SCOPE_${at}`,
    level: file.levels[roll(file.levels.length)]?.id ?? "",
    ...(roll(5) === 0 ? {} : { area: areas[roll(4)]?.id ?? "" }),
    access: roll(2) === 0 ? "read" : "write",
    title: `Scope ${at}`,
    covers: "Things.",
    ...(["removes", "admits", "forwards", "sensitive"] as const).reduce(
      (facts, fact) => roll(5) === 0 ? { ...facts, [fact]: true } : facts,
      {}
    ),
    implies: Array.from({ length: at }, (_, of) => `SCOPE_${of}`).filter(() => roll(6) === 0)
  }))
  return make({ ...file, scopes, operations: [], profile: { scope: "SCOPE_0" } })
}

layer(Clients.Services)("scopes in a statement", (it) => {
  it.effect(
    "have the risk and the areas of the judgement, whatever the catalogue and the app",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const review = yield* ClientReview
        const { owner, admin } = yield* Clients.people
        const roll = dice(45)
        const ids = yield* Effect.forEach(
          Array.from({ length: 60 }, (_, at) => at),
          (at) =>
            at % 3 === 0
              ? Effect.map(Clients.approvedClient(owner, admin), ({ id }) => id)
              : Effect.map(Clients.newClient(owner), ({ client }) => client.id)
        )
        const seen = new Set<string>()
        for (let round = 0; round < 12; round++) {
          const catalogue = round === 0 ? make(builtInFile()) : anyCatalogue(roll)
          const names = [...catalogue.names, "OF_ANOTHER_RELEASE", "AND_ONE_MORE"]
          const some = () => names.filter(() => roll(names.length) < 3)
          yield* sql`DELETE FROM client_changes`
          for (const id of ids) {
            const legacy = roll(4) === 0
            const scopes = some()
            yield* sql`UPDATE clients SET legacy = ${
              legacy || scopes.length === 0
            }, scopes = ${scopes}::text[] WHERE id = ${id}`
            if (roll(3) > 0) continue
            yield* sql`INSERT INTO client_changes
            (client_id, name, website, redirect_uris, scopes, submitted_at, rejection_reason)
            SELECT id, name, website, redirect_uris, ${some()}::text[], now(), ${
              roll(2) === 0 ? "No." : null
            } FROM clients WHERE id = ${id}`
          }
          const { isIn, isRisk3, risk } = scopesInSql(catalogue, sql)
          const areas = catalogue.file.areas ?? []
          const rows = yield* sql<{ id: string; risk: number; isRisk3: boolean; areas: ReadonlyArray<string> }>`
          SELECT clients.id, ${risk} AS risk, ${isRisk3} AS is_risk3, array_remove(ARRAY[${
            sql.csv(areas.map(({ id }) => sql`CASE WHEN ${isIn(id)} THEN ${id}::text END`))
          }], NULL) AS areas
          FROM clients LEFT JOIN client_changes wanted ON wanted.client_id = clients.id`
          assert.strictEqual(rows.length, ids.length)
          for (const { id, ...row } of rows) {
            const client = yield* review.get(id)
            const wanted = riskOf(catalogue, client)
            assert.deepStrictEqual([id, row.risk, row.isRisk3], [id, wanted, wanted === 3])
            const { areas: judged, everything } = judge(catalogue, decidedScopes(client))
            const inThem = judged.flatMap((area) => area.of === "area" ? [area.id] : [])
            assert.includeMembers([...row.areas], everything ? areas.map((area) => area.id) : inThem)
            seen.add(`risk ${wanted}`).add(`change ${client.change?.isWaiting}`).add(`everything ${everything}`)
          }
        }
        assert.strictEqual(seen.size, 4 + 3 + 2)
      }),
    60_000
  )
})
