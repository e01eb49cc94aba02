import type { SqlClient } from "effect/sql"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../../domain/Ids.ts"
import type { Scope, ScopeName } from "../../../domain/scopes/Scope.ts"
import { isPrintable } from "../../../domain/Text.ts"
import { containing } from "../../../foundation/database/Containing.ts"

/** Search of the review queue (`QueueFilter`), in the tables `clients` and, of changes, `wanted`. */
export const queueSearch = ({ names }: Catalogue, sql: SqlClient.SqlClient) => {
  /** Apps that the text means, or whose owners are among these. */
  const matches = (text: string, owners: ReadonlyArray<UserId>) => {
    if (text === "") return sql`true`
    if (!isPrintable(text)) return sql`false`
    const part = containing(text)
    const scopes = scopesOf(names, text)
    const uris = sql`array_to_string(clients.redirect_uris || wanted.redirect_uris, ${"\n"})`
    return sql.or([
      ...["clients", "wanted"].flatMap((version) => [
        sql`${sql(version)}.name ILIKE ${part}`,
        sql`${sql(version)}.website ILIKE ${part}`,
        sql`${sql(version)}.scopes && ${scopes}::text[]`
      ]),
      sql`clients.id = ${text}`,
      sql`clients.owner_id = ANY(${[text, ...owners]}::text[])`,
      // The pattern alone would take ten times as long.
      sql`(${uris} ILIKE ${part} AND ${uris} ~* ${uriPattern(text)})`
    ])
  }

  return { matches }
}

/**
 * Words such as "booking" are in the names of too many scopes to mean one, unless one is the whole name. An app may
 * have a scope that the catalogue does not know.
 */
const scopesOf = (names: ReadonlyArray<Scope>, text: string): ReadonlyArray<ScopeName> => {
  const wanted = text.toLowerCase()
  const known = /[^\p{L}\p{N}]/u.test(text)
    ? names.filter((scope) => scope.toLowerCase().startsWith(wanted))
    : names.filter((scope) => scope.toLowerCase() === wanted)
  return [text, ...known]
}

/**
 * Whole URIs where the text has a slash; else only their hosts, or their schemes where these are names of apps (RFC
 * 8252 §7.1). A line holds one URI.
 */
const uriPattern = (text: string): string => {
  const literal = text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&")
  return text.includes("/") ? literal : `(^|\n)(https?://)?[^/?#\n]*${literal}`
}
