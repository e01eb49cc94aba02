import { Effect, type Scope } from "effect"
import * as TemporaryDatabase from "../TemporaryDatabase.ts"

/** Keys by which rows of an export refer to earlier rows, and what stands behind them. */
export interface References {
  readonly set: (kind: "app" | "user", key: string, value: string) => void
  readonly get: (kind: "app" | "user", key: string) => string | undefined
}

/** Opens them in a temporary database: a platform may have a million users. */
export const open: Effect.Effect<References, never, Scope.Scope> = Effect.map(
  TemporaryDatabase.open("CREATE TABLE keys (kind TEXT, key TEXT, value TEXT, PRIMARY KEY (kind, key)) WITHOUT ROWID"),
  (database) => {
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
