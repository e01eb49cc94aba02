import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isPrintable } from "../../domain/Text.ts"
import { containing } from "../../foundation/database/Containing.ts"
import { Client, type ManagedClient } from "./Client.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import type { QueueState } from "./QueueState.ts"

export interface QueueFilter {
  readonly state?: QueueState
  /** Part of a name or website, or a whole client or owner id. */
  readonly search?: string
  /** The first page is 1. */
  readonly page?: number
}

/** One page of the queue. */
export interface QueuePage {
  readonly clients: ReadonlyArray<ManagedClient>
  readonly total: number
  readonly page: number
  readonly pages: number
}

/** The queue that administrators work through: the apps with something to decide, and by state all others. */
export class ReviewQueue extends Context.Service<ReviewQueue, {
  /** Waiting apps come first, the longest waiting at the top; then the others, the latest changed first. */
  list(filter: QueueFilter): Effect.Effect<QueuePage>
}>()("slotkey/core/clients/ReviewQueue") {
  static readonly layer: Layer.Layer<ReviewQueue, never, SqlClient.SqlClient | ClientsRepo> = Layer.effect(
    ReviewQueue,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClientsRepo

      const waits = sql`(clients.status = 'pending'
        OR (client_changes.client_id IS NOT NULL AND client_changes.rejection_reason IS NULL))`

      const list = Effect.fn("ReviewQueue.list")(function*({ page = 1, search = "", state = "waiting" }: QueueFilter) {
        const text = search.trim()
        if (!isPrintable(text)) return { clients: [], total: 0, page: 1, pages: 1 }
        const part = containing(text)
        const from = sql`FROM clients LEFT JOIN client_changes ON client_changes.client_id = clients.id
          WHERE ${
          sql.and([
            ...(state === "all" ? [] : [state === "waiting" ? waits : sql`clients.status = ${state}`]),
            ...(text === ""
              ? []
              : [
                sql.or([
                  sql`clients.name ILIKE ${part}`,
                  sql`clients.website ILIKE ${part}`,
                  sql`clients.id = ${text}`,
                  sql`clients.owner_id = ${text}`
                ])
              ])
          ])
        }`
        const [{ total } = { total: 0 }] = yield* sql<{ total: number }>`SELECT count(*)::int AS total ${from}`
        const pages = Math.max(1, Math.ceil(total / pageSize))
        const current = Math.min(Math.max(1, page), pages)
        const rows = yield* sql`SELECT clients.* ${from}
          ORDER BY CASE WHEN ${waits} THEN COALESCE(client_changes.submitted_at, clients.submitted_at) END NULLS LAST,
            clients.updated_at DESC, clients.id
          LIMIT ${pageSize} OFFSET ${(current - 1) * pageSize}`
        return { clients: yield* repo.withChanges(yield* decode(rows)), total, page: current, pages }
      }, Effect.orDie)

      return ReviewQueue.of({ list })
    })
  )
}

const pageSize = 25

const decode = Schema.decodeUnknownEffect(Schema.Array(Client))
