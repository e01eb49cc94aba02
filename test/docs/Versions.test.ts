import { assert, describe, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { RedisConnection } from "bullmq"
import { readFileSync } from "node:fs"
import packageJson from "../../package.json" with { type: "json" }
import { assertTable } from "../support/DocumentTable.ts"

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

describe("docs/operations/install.md", () => {
  it("lists the versions that are needed and those that tests run on (UPDATE_DOCS=1 writes the table)", async () => {
    const { devDependencies: { node }, engines, optionalDependencies: { "@electric-sql/pglite": pglite } } = packageJson
    const database = await PGlite.create()
    const { rows: [row] } = await database.query<{ server_version: string }>("SHOW server_version")
    await database.close()
    const [library] = /[\d.]+/.exec(engines.node) ?? []
    const [redis] = /^\d+\.\d+/.exec(RedisConnection.recommendedMinimumVersion) ?? []
    assertTable("docs/operations/install.md", "versions", ["what", "needed", "tests run on"], [
      [
        "Node",
        `${node.split(".")[0]} or newer; ${library} for the library alone`,
        `${node}; the library on ${library}, too`
      ],
      ["PostgreSQL", "15 or newer", `15 of Debian 12; ${row?.server_version} of PGlite ${pglite}`],
      ["Redis", `${redis} or newer`, "7.0 of Debian 12"]
    ])
    assert.include(read("README.md"), "PostgreSQL 15 or newer")
    assert.include(read("docs/jobs.md"), `Any Redis from ${redis} `)
    assert.include(read(".ci/run"), "bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)", "that of the distribution")
  })
})
