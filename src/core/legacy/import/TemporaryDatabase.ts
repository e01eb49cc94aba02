import { Effect, type Scope } from "effect"
import { DatabaseSync } from "node:sqlite"

/**
 * Opens a database of SQLite with these tables, for what does not fit into the memory that a command may take, such as
 * a million records. It has no name and ends with the process; what its cache cannot hold is in a deleted file.
 */
export const open = (tables: string): Effect.Effect<DatabaseSync, never, Scope.Scope> =>
  Effect.tap(
    Effect.acquireRelease(Effect.sync(() => new DatabaseSync("")), (database) => Effect.sync(() => database.close())),
    (database) => Effect.sync(() => database.exec(pragmas + tables))
  )

// The transaction is never committed: nobody else reads the database, and pages that the cache has no room for go to
// the file.
const pragmas = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -4096;
  BEGIN;`
