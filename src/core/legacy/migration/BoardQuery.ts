import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { isPrintable } from "../../../domain/Text.ts"
import { containing } from "../../../foundation/database/Containing.ts"
import { searchOwners } from "../../accounts/people/OwnerSearch.ts"
import type { BoardFilter, BoardSort } from "./BoardFilter.ts"

/** Tables that conditions and orders name: clients, and the standing that was kept of each. */
export const boardTables = Effect.map(
  SqlClient.SqlClient,
  (sql) => sql`clients c LEFT JOIN migration_standings s ON s.client_id = c.id`
)

export const boardCondition = Effect.fnUntraced(function*({ search, state }: BoardFilter) {
  const sql = yield* SqlClient.SqlClient
  const text = search.trim()
  return sql.and([
    state === "open" ? sql`c.legacy` : sql`(c.legacy OR c.migrated_at IS NOT NULL)`,
    ...(state === "open" || state === "all" ? [] : [sql`s.verdict = ${state}`]),
    ...(text === "" ? [] : [yield* matches(text)])
  ])
})

const matches = Effect.fnUntraced(function*(text: string) {
  const sql = yield* SqlClient.SqlClient
  if (!isPrintable(text)) return sql`false`
  const part = containing(text)
  return sql.or([
    sql`c.name ILIKE ${part}`,
    sql`c.website ILIKE ${part}`,
    sql`c.id = ${text}`,
    sql`c.owner_id = ANY(${[text, ...(yield* searchOwners(text))]}::text[])`
  ])
})

interface Order {
  /** Expression by which rows are sorted; then by id. */
  readonly by: string
  readonly type: "bigint" | "text"
  readonly descends: boolean
}

const orders: Readonly<Record<BoardSort, Order>> = {
  requests: { by: "coalesce(s.unscoped_requests, 0)", type: "bigint", descends: true },
  grants: { by: "coalesce(s.unscoped_grants, 0)", type: "bigint", descends: true },
  name: { by: "lower(c.name)", type: "text", descends: false },
  owner: { by: "c.owner_id", type: "text", descends: false }
}

/** An order in SQL: the sort key as text, what stands behind `ORDER BY`, and the condition on rows behind a place. */
interface OrderFragments {
  readonly key: Statement.Fragment
  readonly orderBy: Statement.Fragment
  behind(place: { readonly key: string; readonly id: string }): Statement.Fragment
}

export const boardOrder = (sort: BoardSort): Effect.Effect<OrderFragments, never, SqlClient.SqlClient> =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    const { by, descends, type } = orders[sort]
    const column = sql.literal(by)
    return {
      key: sql`(${column})::text`,
      orderBy: sql`${column} ${sql.literal(descends ? "DESC" : "ASC")}, c.id`,
      behind: ({ id, key }) => {
        const at = sql`${key}::text::${sql.literal(type)}`
        return sql`(${column} ${sql.literal(descends ? "<" : ">")} ${at} OR (${column} = ${at} AND c.id > ${id}))`
      }
    }
  })

/** Form of the sort keys of an order; the database would refuse others with an error. */
export const keyForm = (sort: BoardSort): RegExp => orders[sort].type === "bigint" ? /^\d{1,18}$/ : /^/
