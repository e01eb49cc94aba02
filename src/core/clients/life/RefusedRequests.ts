import { Context, DateTime, Duration, Effect, Layer, Queue, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"
import { isPrintable } from "../../../domain/Text.ts"
import * as Column from "../../../foundation/database/Column.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { isPlausible } from "../records/ClientsRepo.ts"

const RefusedRequestEndpoint = Schema.Literals(["authorize", "token"])

/** A refused request as the owner of the app reads it: never with a secret, a code or a token. */
export class RefusedRequest extends Schema.Class<RefusedRequest>("RefusedRequest")({
  at: Schema.DateTimeUtcFromDate,
  endpoint: RefusedRequestEndpoint,
  /** Error code of the answer, or the name of the error page that the user saw instead. */
  error: Schema.String,
  /** Exact cause, which the answer may have withheld. */
  reason: Schema.String,
  /** Number of equal requests that were written as one. */
  times: Schema.Int
}) {}

/** A refused request to record. The client may not exist, because anybody can name one. */
interface NewRefusedRequest {
  readonly clientId: string
  readonly endpoint: typeof RefusedRequestEndpoint.Type
  readonly error: string
  readonly reason: string
}

/**
 * Last 50 refused requests of each app, for its owner. The token and authorization endpoints record them, the app's
 * page lists them. Recording costs the request nothing: a fiber writes once a second at most, equal requests as one
 * row, and drops what exceeds its queue. So a flood neither slows the token endpoint nor grows the table; a node that
 * stops may lose its last second.
 */
export class RefusedRequests extends Context.Service<RefusedRequests, {
  record(refused: NewRefusedRequest): Effect.Effect<void>
  /** Latest first. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<RefusedRequest>>
}>()("slotkey/core/clients/life/RefusedRequests") {
  static readonly layer: Layer.Layer<RefusedRequests, never, SqlClient.SqlClient> = Layer.effect(
    RefusedRequests,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Effect.acquireRelease(Queue.dropping<QueuedRequest>(capacity), Queue.shutdown)

      const write = Effect.fnUntraced(function*(batch: ReadonlyArray<QueuedRequest>) {
        const rows = merge(batch)
        const column = <K extends keyof Row>(name: K) => rows.map((row) => row[name])
        // Clients that do not exist are left out; the lock keeps the others from being deleted meanwhile.
        const written = yield* sql<{ clientId: string }>`
          INSERT INTO refused_requests (client_id, at, endpoint, error, reason, times)
          SELECT n.client_id, n.at, n.endpoint, n.error, n.reason, n.times
          FROM unnest(${column("clientId")}::text[], ${column("at")}::timestamptz[], ${column("endpoint")}::text[],
            ${column("error")}::text[], ${column("reason")}::text[], ${column("times")}::integer[])
          WITH ORDINALITY AS n (client_id, at, endpoint, error, reason, times, place)
          WHERE n.client_id IN (SELECT id FROM clients WHERE id = ANY(${column("clientId")}) FOR KEY SHARE)
          ORDER BY n.place
          RETURNING client_id`
        if (written.length === 0) return
        yield* sql`DELETE FROM refused_requests WHERE id IN (
          SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY client_id ORDER BY id DESC) AS place FROM refused_requests
            WHERE client_id = ANY(${[...new Set(written.map(({ clientId }) => clientId))]})
          ) numbered WHERE place > ${limit})`
      }, sql.withTransaction)

      yield* Queue.takeBetween(queue, 1, capacity).pipe(
        Effect.flatMap(write),
        Outages.bestEffort("Some refused requests were not noted"),
        Effect.andThen(Effect.sleep(pause)),
        Effect.forever,
        Effect.forkScoped
      )

      const record = Effect.fnUntraced(function*({ clientId, endpoint, error, reason }: NewRefusedRequest) {
        if (!isPlausible(clientId)) return
        const at = DateTime.toDateUtc(yield* DateTime.now)
        Queue.offerUnsafe(queue, { clientId, endpoint, error, reason: legible(reason), at })
      })

      const list = Effect.fn("RefusedRequests.list")((clientId: ClientId) =>
        Effect.orDie(allRefused(sql`SELECT ${Column.names(RefusedRequest.fields)} FROM refused_requests
          WHERE client_id = ${clientId} ORDER BY id DESC LIMIT ${limit}`))
      )

      return RefusedRequests.of({ record, list })
    })
  )
}

export const sweeps = [
  Sweep.olderThan({
    table: "refused_requests",
    column: "at",
    retention: "ownerHistoryLifetime",
    rows: "refused requests of an app; of each app the last 50 are kept"
  })
]

const allRefused = Rows.all(RefusedRequest)

interface QueuedRequest extends NewRefusedRequest {
  readonly at: Date
}

interface Row extends QueuedRequest {
  readonly times: number
}

/** Merges equal requests into one row, and leaves of each client no more than are kept. */
const merge = (batch: ReadonlyArray<QueuedRequest>): ReadonlyArray<Row> =>
  [...Map.groupBy(batch, ({ clientId }) => clientId).values()].flatMap((ofClient) =>
    [...Map.groupBy(ofClient, ({ endpoint, error, reason }) => `${endpoint} ${error} ${reason}`).values()]
      .flatMap((equal) => equal.slice(-1).map((last) => ({ ...last, times: equal.length })))
      .slice(-limit)
  )

// A reason may repeat a part of the request.
const legible = (reason: string): string => isPrintable(reason) ? reason.slice(0, 300) : "the request is not legible"

const limit = 50
const capacity = 256
const pause = Duration.seconds(1)
