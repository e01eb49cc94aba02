import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A line for each thing in the schemas of the server and of its jobs. Columns have their place among those that are
 * left.
 */
export const read = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ line: string }>`
    WITH tables AS (SELECT c.* FROM pg_class c WHERE relnamespace::regnamespace::text IN ('public', 'bullmq'))
    SELECT concat_ws(' ', relkind, relnamespace::regnamespace, relname, reloptions) AS line FROM tables
    UNION ALL SELECT concat_ws(' ', 'column', relnamespace::regnamespace, relname,
        row_number() OVER (PARTITION BY attrelid ORDER BY attnum), attname,
        format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid))
      FROM tables JOIN pg_attribute ON attrelid = tables.oid AND NOT attisdropped AND attnum > 0
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    UNION ALL SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace::regnamespace::text IN ('public', 'bullmq')
    UNION ALL SELECT pg_get_indexdef(oid) FROM tables WHERE relkind = 'i'
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace::regnamespace::text IN ('public', 'bullmq')
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1`
  return rows.map(({ line }) => line)
})
