import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Reads grants that a statement is about to ask for (`src/core/grants/ReadAhead.ts`). A bitmap scan asks the disk for up to
// 64 pages at once, where the scan of an index asks for one after the other.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE FUNCTION read_grants_ahead(ids uuid[]) RETURNS boolean LANGUAGE plpgsql STABLE
    SET enable_indexscan = off SET enable_seqscan = off
    AS $$ BEGIN
      PERFORM count(generation) FROM grants WHERE id = ANY(ids);
      RETURN true;
    END $$`
  // Systems without posix_fadvise, such as macOS, take no other value than 0 there.
  yield* sql`DO $$ BEGIN
      ALTER FUNCTION read_grants_ahead SET effective_io_concurrency = 64;
    EXCEPTION WHEN invalid_parameter_value THEN NULL;
    END $$`
})
