import type { SqlClient } from "effect/sql"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { judge } from "../../../domain/catalogue/Judgement.ts"
import type { QueueWish } from "./QueueState.ts"

/** Scopes of the version that an approval would make serve. */
const wantedScopes = (sql: SqlClient.SqlClient) =>
  sql`coalesce(CASE WHEN wanted.rejection_reason IS NULL THEN wanted.scopes END, clients.scopes)`

/**
 * Risk and areas of apps within a statement, by lists of the catalogue's scopes: no judgement is stored, so that
 * another catalogue judges all apps by itself. The riskiest scope makes the risk: what is part of another is never
 * riskier than that one (`Catalogue.rights`). The statement has the tables `clients` and, of changes, `wanted`.
 */
export const scopesInSql = (catalogue: Catalogue, sql: SqlClient.SqlClient) => {
  const { file, names } = catalogue
  const scopes = wantedScopes(sql)
  const judged = names.map((scope) => ({ scope, ...judge(catalogue, [scope]) }))
  const atLeast = ([1, 2, 3] as const).map((risk) => judged.filter((one) => one.risk >= risk).map(({ scope }) => scope))
  const inArea = new Map(
    file.areas?.map(({ id }) => [
      id,
      judged.filter(({ areas }) => areas.some((area) => area.of === "area" && area.id === id)).map(({ scope }) => scope)
    ])
  )

  /** Nothing restricts a legacy app without scopes (specification §5.6). */
  const everything = sql`(clients.legacy AND ${scopes} = '{}')`
  /** Most apps have none of the riskiest scopes, and then each of their scopes is looked for among all names. */
  const isRisk3 = sql`(${scopes} && ${atLeast[2] ?? []}::text[] OR ${everything} OR NOT ${scopes} <@ ${names}::text[])`

  const risk = sql`CASE WHEN ${isRisk3} THEN 3 WHEN ${scopes} && ${atLeast[1] ?? []}::text[] THEN 2
      WHEN ${scopes} && ${atLeast[0] ?? []}::text[] THEN 1 ELSE 0 END`

  return {
    isRisk3,
    risk,
    hasRisk: (wanted: NonNullable<QueueWish["risk"]>) => wanted === "3" ? isRisk3 : sql`${risk} = ${Number(wanted)}`,
    isIn: (area: string) => {
      const inIt = inArea.get(area)
      return inIt === undefined ? sql`false` : sql`(${scopes} && ${inIt}::text[] OR ${everything})`
    }
  }
}
