import { Effect, type Scope } from "effect"
import type { Finding } from "./ImportListener.ts"
import * as TemporaryDatabase from "./TemporaryDatabase.ts"

export interface AppReport {
  readonly clientId: string
  readonly name: string
  /** Owner as the file names them; empty where it names none. */
  readonly owner: string
  readonly kept: { readonly app: boolean; readonly secrets: number; readonly refreshTokens: number }
  readonly toMend: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
}

/** Reports on all apps of a file, gathered from the findings on its lines. */
export interface AppReports {
  readonly add: (finding: Finding) => void
  /** Visits the reports one by one: in the order of the file, or those with something to mend, by owner. */
  readonly visit: <E, R>(
    order: "file" | "owner",
    each: (report: AppReport) => Effect.Effect<void, E, R>
  ) => Effect.Effect<void, E, R>
}

/** Opens them in a temporary database. `lacks` is what an app without tokens loses, if any. */
export const open = (lacks?: string): Effect.Effect<AppReports, never, Scope.Scope> =>
  Effect.map(
    Effect.suspend(() => TemporaryDatabase.open(tables)),
    (database) => {
      const add = database.prepare(upsert)
      const orders = {
        file: database.prepare("SELECT * FROM apps ORDER BY rowid"),
        owner: database.prepare("SELECT * FROM apps WHERE to_mend <> '' ORDER BY owner, rowid")
      }
      return {
        add: ({ clientId, kind, parts }) => {
          if (parts === undefined) return
          const { lost, name, owner, refreshTokens, secrets, toMend } = parts
          const isKept = kind === "new" || kind === "adds" || kind === "there" ? 1 : 0
          add.run(clientId, name, owner, isKept, secrets, refreshTokens, toMend.join("\n"), lost.join("\n"))
        },
        visit: Effect.fnUntraced(function*(order, each) {
          for (const row of orders[order].iterate()) {
            const [app, refreshTokens] = [row["kept"] === 1, Number(row["refresh_tokens"])]
            const lost = partsOf(row["lost"])
            yield* each({
              clientId: String(row["client_id"]),
              name: String(row["name"]),
              owner: String(row["owner"]),
              kept: { app, secrets: Number(row["secrets"]), refreshTokens },
              toMend: partsOf(row["to_mend"]),
              lost: lacks === undefined || !app || refreshTokens > 0 ? lost : [...lost, lacks]
            })
          }
        })
      }
    }
  )

const tables = `
  CREATE TABLE apps (client_id TEXT UNIQUE, name TEXT, owner TEXT, kept INTEGER, secrets INTEGER, refresh_tokens INTEGER,
    to_mend TEXT, lost TEXT);
`

// An app may have thousands of lines with the same fault, and nobody reads the hundredth.
const joined = (column: string) =>
  `CASE WHEN excluded.${column} = '' OR instr(${column}, excluded.${column}) > 0 OR length(${column}) > 2000 THEN ${column}
    WHEN ${column} = '' THEN excluded.${column} ELSE ${column} || char(10) || excluded.${column} END`

const upsert = `INSERT INTO apps VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (client_id) DO UPDATE SET
  kept = max(kept, excluded.kept), secrets = secrets + excluded.secrets,
  refresh_tokens = refresh_tokens + excluded.refresh_tokens,
  to_mend = ${joined("to_mend")}, lost = ${joined("lost")}`

const partsOf = (text: unknown): ReadonlyArray<string> =>
  typeof text === "string" && text !== "" ? text.split("\n") : []
