import { Effect, type Scope } from "effect"
import { DatabaseSync } from "node:sqlite"

/** Keys by which rows of an export refer to earlier rows, and what stands behind them. */
export interface References {
  readonly set: (kind: "app" | "user", key: string, value: string) => void
  readonly get: (kind: "app" | "user", key: string) => string | undefined
}

/** Opens them in a temporary database of SQLite, as `ImportDraft` does: a platform may have a million users. */
export const open: Effect.Effect<References, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(Effect.sync(() => new DatabaseSync("")), (database) => Effect.sync(() => database.close())),
  (database) => {
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096; BEGIN;
      CREATE TABLE keys (kind TEXT, key TEXT, value TEXT, PRIMARY KEY (kind, key)) WITHOUT ROWID`)
    const set = database.prepare("INSERT OR REPLACE INTO keys VALUES (?, ?, ?)")
    const get = database.prepare("SELECT value FROM keys WHERE kind = ? AND key = ?")
    return {
      set: (kind, key, value) => set.run(kind, key, value),
      get: (kind, key) => {
        const row = get.get(kind, key)
        return row === undefined ? undefined : String(row["value"])
      }
    }
  }
)
