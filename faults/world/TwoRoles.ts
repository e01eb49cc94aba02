import { Effect } from "effect"
import { execFile } from "node:child_process"
import packageJson from "../../package.json" with { type: "json" }
import * as DocumentedRights from "../../test/support/DocumentedRights.ts"
import * as Cluster from "./Cluster.ts"
import { shared } from "./Template.ts"

/**
 * Gives the tables of a world to the role that changes them, and leaves the servers' role the rights of
 * docs/operations/install.md: it can make nothing. The tables of the jobs are made, too.
 */
export const divide = (postgres: Cluster.Cluster, cwd: string): Effect.Effect<void> =>
  Effect.gen(function*() {
    yield* postgres.ask(`ALTER ROLE ${Cluster.role} RENAME TO slotkey_schema`)
    yield* postgres.ask(`ALTER DATABASE ${Cluster.role} OWNER TO postgres`)
    const { before, within } = DocumentedRights.twoRoles(Cluster.role)
    const isThere = (statement: string) => /^CREATE (?:DATABASE|ROLE slotkey_schema)/.test(statement)
    yield* Effect.forEach([...before, ...within].filter((statement) => !isThere(statement)), postgres.ask)
    // What the template has was there before the default rights.
    yield* postgres.ask(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${Cluster.role}`)
    yield* migrate(DocumentedRights.addressFor("schema", postgres.url), cwd)
  })

/** `slotkey migrate up`, without Redis: the tables of the jobs are among it. */
const migrate = (url: string, cwd: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const args = [...packageJson.scripts.slotkey.split(" ").slice(1), "migrate", "up"]
    execFile(process.execPath, args, { cwd, env: { ...shared, DATABASE_URL: url } }, (error, _, complaint) => {
      resume(error === null ? Effect.void : Effect.die(new Error(`slotkey migrate up: ${complaint}`)))
    })
  })
