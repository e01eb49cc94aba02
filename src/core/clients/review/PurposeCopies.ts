import { Effect, Schema, Struct } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Rows from "../../../foundation/database/Rows.ts"
import { mostShown, RelatedApp } from "../life/RelatedApp.ts"
import type { ManagedClient } from "../records/Client.ts"
import { documentHostOf } from "../records/DocumentHost.ts"
import { isUnwritten } from "../records/UnwrittenPurpose.ts"
import { check } from "./ReviewCheck.ts"
import type { ReviewLook, Unseen } from "./ReviewLook.ts"

/**
 * Finds the apps whose purpose is an app's own, but for case, spaces and punctuation: of other owners it is a copy, of
 * the same owner one of many registrations. The index `clients_purpose` finds them.
 */
export const purposeCopies = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  return Effect.fn("PurposeCopies.of")(
    function*(client: ManagedClient): Effect.fn.Return<ReviewLook, SqlError.SqlError> {
      const { id, origin, ownerId, purpose } = client
      const host = documentHostOf(client)
      if (host !== undefined) return unseen({ why: "document", host })
      if (origin === "dynamic") return unseen({ why: "dynamic" })
      if (isUnwritten(purpose)) return unseen({ why: "not_written" })
      if (!/[\p{L}\p{N}]/u.test(purpose)) return unseen({ why: "no_words" })
      const rows = yield* allCopies(
        sql`SELECT id, owner_id, name, status, reviewed_at IS NOT NULL AS reviewed, false AS wanted,
          count(*) OVER ()::int AS total, (count(*) FILTER (WHERE owner_id <> ${ownerId}) OVER ())::int AS others
        FROM clients WHERE md5(lower(regexp_replace(purpose, '[[:space:][:punct:]]+', '', 'g')))
          = md5(lower(regexp_replace(${purpose}::text, '[[:space:][:punct:]]+', '', 'g')))
          AND id <> ${id} AND test_of IS NULL ORDER BY owner_id = ${ownerId}, created_at, id LIMIT ${mostShown}`
      )
      const [first] = rows
      const apps = rows.map((row) => Struct.omit(row, ["total", "others"]))
      return {
        seen: { of: "purpose" },
        found: first === undefined
          ? []
          : [{ ...check({ check: "purpose_copied", total: first.total, others: first.others }), apps }]
      }
    },
    Effect.orDie
  )
})

type Why = Omit<Extract<Unseen, { readonly of: "purpose" }>, "of">

const unseen = <const A extends Why>(why: A) => ({ unseen: { of: "purpose", ...why }, found: [] }) as const

const allCopies = Rows.all(Schema.Struct({ ...RelatedApp.fields, total: Schema.Int, others: Schema.Int }))
