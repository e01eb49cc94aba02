import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { copyOfProject, project } from "./Scenario.ts"

const copy = copyOfProject()

const lint = () => {
  const oxlint = join(project, "node_modules/.bin/oxlint")
  const { status, stdout } = spawnSync(oxlint, ["src", "workers"], { cwd: copy, encoding: "utf8" })
  // Some CI services have it write colours, which would stand in the middle of what is looked for.
  return { status, stdout: stripVTControlCharacters(stdout) }
}

interface Fault {
  readonly name: string
  readonly file: string
  readonly text: string
  /** Another file that the fault needs. */
  readonly beside?: { readonly file: string; readonly text: string }
  readonly complaints: ReadonlyArray<string>
}

const faults: ReadonlyArray<Fault> = [
  {
    name: "an import that runs up a storey, and names it",
    file: "src/core/grants/PlantedImport.ts",
    text: `export { TokenRoutes } from "../../doors/oauth/TokenRoutes.ts"`,
    complaints: ["the import of src/doors/oauth/TokenRoutes.ts runs up: src/doors/oauth stands above src/core/grants"]
  },
  {
    // The tokens use the grants already, so this import closes a circle.
    name: "two rooms of a storey that use each other, and names the import against the rows",
    file: "src/core/grants/PlantedCircle.ts",
    text: `export type { VerifiedToken } from "../tokens/AccessTokens.ts"`,
    complaints: ["the import of src/core/tokens/AccessTokens.ts runs up: src/core/tokens stands above src/core/grants"]
  },
  {
    name: "an import inside a row, and names both rooms",
    file: "src/core/grants/PlantedNeighbour.ts",
    text: `export type { Command } from "../clients/life/Lifecycle.ts"`,
    complaints: [
      "the import of src/core/clients/life/Lifecycle.ts stays in its row: src/core/clients/life stands beside src/core/grants"
    ]
  },
  {
    name: "a dynamic import and an import of types alike",
    file: "src/domain/PlantedImports.ts",
    text: `export const load = () => import("../app/Services.ts")
      export type Grant = import("../core/grants/Grant.ts").Grant`,
    complaints: [
      "the import of src/app/Services.ts runs up: src/app stands above src/domain",
      "the import of src/core/grants/Grant.ts runs up: src/core/grants stands above src/domain"
    ]
  },
  {
    name: "two files of a room that use types of each other",
    file: "src/core/grants/PlantedTypes.ts",
    text: `import type { PlantedRows } from "./PlantedRows.ts"
      export interface PlantedTypes { readonly rows: PlantedRows }`,
    beside: {
      file: "src/core/grants/PlantedRows.ts",
      text: `import type { PlantedTypes } from "./PlantedTypes.ts"
      export type PlantedRows = ReadonlyArray<PlantedTypes>`
    },
    complaints: ["import(no-cycle): Dependency cycle detected"]
  },
  {
    name: "HTTP in the core",
    file: "src/core/grants/PlantedHttp.ts",
    text: `export { HttpRouter } from "effect/http"`,
    complaints: ["'effect/http' import is restricted"]
  },
  {
    name: "SQL in a door",
    file: "src/doors/oauth/PlantedSql.ts",
    text: `export { SqlClient } from "effect/sql"`,
    complaints: ["'effect/sql' import is restricted"]
  },
  {
    name: "a statement whose columns change with a migration",
    file: "src/core/grants/PlantedColumns.ts",
    text: `import type { SqlClient } from "effect/sql"
      export const all = (sql: SqlClient.SqlClient) => sql\`SELECT * FROM grants\`
      export const more = (sql: SqlClient.SqlClient) => sql\`SELECT 1, g.* FROM grants g\`
      export const gone = (sql: SqlClient.SqlClient) => sql\`DELETE FROM grants RETURNING *\`
      export const fine = (sql: SqlClient.SqlClient) => sql\`SELECT * FROM (SELECT count(*) FROM grants) g\``,
    complaints: ["PlantedColumns.ts:2:", "PlantedColumns.ts:3:", "PlantedColumns.ts:4:"]
  },
  {
    name: "a room that nobody has given a place",
    file: "src/core/planted/Planted.ts",
    text: "export const planted = true",
    complaints: ["src/core/planted/Planted.ts is in no room of the rows"]
  },
  {
    name: "pages that no list names",
    file: "src/doors/portal/PlantedPages.ts",
    text: "export const PlantedPages = true",
    complaints: ["src/doors/portal/PlantedPages.ts is not in the list src/app/Routes.ts"]
  },
  {
    name: "a kind of job that no list names",
    file: "src/foundation/jobs/kinds/Planted.ts",
    text: "export const Planted = true",
    complaints: ["src/foundation/jobs/kinds/Planted.ts is not in the list src/foundation/jobs/queue/QueueNames.ts"]
  },
  {
    name: "a worker that no list names",
    file: "workers/PlantedMail.ts",
    text: "export const worker = true",
    complaints: ["workers/PlantedMail.ts is not in the list workers/Workers.ts"]
  },
  {
    name: "a date in another format, whoever reads it on a page",
    file: "src/doors/portal/PlantedView.ts",
    text: `import { DateTime } from "effect"
      export const day = (at: DateTime.Utc) => DateTime.formatIsoDateUtc(at)`,
    complaints: ["DateTime.formatIsoDateUtc: dates are written by src/domain/InstantText.ts"]
  },
  {
    name: "a date in another format, whoever reads it in a mail",
    file: "workers/Planted.ts",
    text: `export const day = new Intl.DateTimeFormat("en").format(0)
      export const time = new Date(0).toLocaleTimeString()`,
    complaints: ["Intl.DateTimeFormat: dates are written by", "toLocaleTimeString: dates are written by"]
  },
  {
    name: "a line of a comment with 130 columns",
    file: "src/core/grants/PlantedLines.ts",
    text: `/**\n * ${"a".repeat(127)}\n */\nexport const planted = true // ${"b".repeat(98)}`,
    complaints: [
      "PlantedLines.ts:2:1]",
      "the comment has 130 columns, more than 120",
      "PlantedLines.ts:4:1]"
    ]
  },
  {
    name: "words of a comment that have plainer ones, in two of its lines, too",
    file: "src/core/grants/PlantedWords.ts",
    text: `// Whoever reads this.
      /**
       * The rows that\n * of two are the newest.
       */
      export const planted = true`,
    complaints: [`"Whoever" has a plainer word`, `"that of" has a plainer word`]
  },
  {
    name: "sweeps that no list names",
    file: "src/core/grants/PlantedSweeps.ts",
    text: "export const sweeps = []",
    complaints: ["src/core/grants/PlantedSweeps.ts is not in the list workers/Sweeps.ts"]
  },
  {
    name: "a grant type that no list names",
    file: "src/doors/oauth/grantTypes/Planted.ts",
    text: "export const planted = true",
    complaints: ["src/doors/oauth/grantTypes/Planted.ts is not in the list src/doors/oauth/GrantTypes.ts"]
  },
  {
    name: "a client authentication method that no list names",
    file: "src/doors/oauth/clientAuthentication/Planted.ts",
    text: "export const planted = true",
    complaints: [
      "src/doors/oauth/clientAuthentication/Planted.ts is not in the list src/doors/oauth/ClientAuthenticationMethods.ts"
    ]
  }
]

describe("npm run check", () => {
  const clean = lint()
  for (
    const { file, text } of faults.flatMap(({ beside, ...fault }) => beside === undefined ? [fault] : [fault, beside])
  ) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), `${text}\n`)
  }
  const planted = lint()

  it("passes the copy as it is", () => assert.strictEqual(clean.status, 0, clean.stdout))

  it.each(faults)("fails on $name", ({ complaints, file }) => {
    assert.strictEqual(planted.status, 1)
    // Each complaint stands with the file that it is about.
    const about = planted.stdout.split("\n\n").filter((complaint) => complaint.includes(file))
    for (const complaint of complaints) assert.isTrue(about.some((it) => it.includes(complaint)), about.join("\n"))
  })
})
