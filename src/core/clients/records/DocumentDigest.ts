import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Client } from "./Client.ts"

/** Finds the digest of the document by which an app describes itself now; `undefined` for all others. */
export const documentDigest = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    Effect.fn("DocumentDigest.of")(function*({ id, origin }: Pick<Client, "id" | "origin">) {
      if (origin !== "document") return undefined
      const [row] = yield* sql<{ digest: string }>`SELECT digest FROM client_documents WHERE client_id = ${id}`
      return row?.digest
    }, Effect.orDie)
)
