import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

// Rows are deleted, and not truncated: that makes new files for each table and its indexes, which takes twenty times as
// long. No trigger looks for references meanwhile, so the order of the tables is no matter.

/** Empties the database of all that tests have left. The keys stay, which the server has in memory, and the schema. */
export const empty = (sql: SqlClient.SqlClient) =>
  Effect.orDie(sql`DO $$ DECLARE filled regclass; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR filled IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT IN ('server_keys', 'slotkey_migrations') AND pg_relation_size(oid) > 0
    LOOP EXECUTE format('DELETE FROM %s', filled); END LOOP;
  END $$`)

/** Remembers what the database holds now; the effect that it returns brings that back to an empty database. */
export const keep = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`CREATE SCHEMA kept`
  yield* sql`DO $$ DECLARE filled text; BEGIN
    FOR filled IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT IN ('server_keys', 'slotkey_migrations') AND pg_relation_size(oid) > 0
    LOOP EXECUTE format('CREATE TABLE kept.%1$I AS TABLE public.%1$I', filled); END LOOP;
  END $$`
  return Effect.orDie(sql`DO $$ DECLARE name text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'kept'::regnamespace
    LOOP EXECUTE format('INSERT INTO public.%1$I OVERRIDING SYSTEM VALUE TABLE kept.%1$I', name); END LOOP;
  END $$`)
}, Effect.orDie)
