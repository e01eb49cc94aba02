import { Context, DateTime, Duration, Effect, Layer, Queue, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClientId } from "../../domain/Ids.ts"
import { isPrintable } from "../../domain/Text.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"

/** Where requests of apps are refused. */
export const RefusedRequestEndpoint = Schema.Literals(["authorize", "token"])

/** A request that was refused, as the owner of the app reads it: never with a secret, a code or a token. */
export class RefusedRequest extends Schema.Class<RefusedRequest>("RefusedRequest")({
  at: Schema.DateTimeUtcFromDate,
  endpoint: RefusedRequestEndpoint,
  /** The error code that was answered, or what the user was told instead. */
  error: Schema.String,
  /** What exactly was wrong, which the answer may not have told. */
  reason: Schema.String,
  /** How many such requests came within the same moment. */
  times: Schema.Int
}) {}

/** A refusal; the client may not exist, because anybody can name one. */
export interface NewRefusedRequest {
  readonly clientId: string
  readonly endpoint: typeof RefusedRequestEndpoint.Type
  readonly error: string
  readonly reason: string
}

/**
 * Why requests of an app were refused lately: the last 50 for each app. Noting one costs the request nothing: a fiber
 * writes them, once a second at most, equal ones as one row, and what it cannot hold meanwhile is dropped. So a flood
 * neither slows the token endpoint nor grows the table, and a node that stops may lose its last second.
 */
export class RefusedRequests extends Context.Service<RefusedRequests, {
  record(refused: NewRefusedRequest): Effect.Effect<void>
  /** The latest first. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<RefusedRequest>>
}>()("slotkey/core/clients/RefusedRequests") {
  static readonly layer: Layer.Layer<RefusedRequests, never, SqlClient.SqlClient> = Layer.effect(
    RefusedRequests,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Effect.acquireRelease(Queue.dropping<Noted>(capacity), Queue.shutdown)

      // Only clients that exist, and that nobody deletes meanwhile.
      const keep = Effect.fnUntraced(function*(batch: ReadonlyArray<Noted>) {
        const rows = together(batch)
        const column = <K extends keyof Row>(name: K) => rows.map((row) => row[name])
        const kept = yield* sql<{ clientId: string }>`
          INSERT INTO rejections (client_id, at, endpoint, error, reason, times)
          SELECT n.client_id, n.at, n.endpoint, n.error, n.reason, n.times
          FROM unnest(${column("clientId")}::text[], ${column("at")}::timestamptz[], ${column("endpoint")}::text[],
            ${column("error")}::text[], ${column("reason")}::text[], ${column("times")}::integer[])
          WITH ORDINALITY AS n (client_id, at, endpoint, error, reason, times, place)
          WHERE n.client_id IN (SELECT id FROM clients WHERE id = ANY(${column("clientId")}) FOR KEY SHARE)
          ORDER BY n.place
          RETURNING client_id`
        if (kept.length === 0) return
        yield* sql`DELETE FROM rejections WHERE id IN (
          SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY client_id ORDER BY id DESC) AS place FROM rejections
            WHERE client_id = ANY(${[...new Set(kept.map(({ clientId }) => clientId))]})
          ) numbered WHERE place > ${limit})`
      }, sql.withTransaction)

      yield* Queue.takeBetween(queue, 1, capacity).pipe(
        Effect.flatMap(keep),
        Effect.catchCause((cause) => Effect.logWarning("Some refused requests were not noted", cause)),
        Effect.andThen(Effect.sleep(pause)),
        Effect.forever,
        Effect.forkScoped
      )

      const record = Effect.fnUntraced(function*({ clientId, endpoint, error, reason }: NewRefusedRequest) {
        if (clientId.length > 100 || !isPrintable(clientId)) return
        const at = DateTime.toDateUtc(yield* DateTime.now)
        Queue.offerUnsafe(queue, { clientId, endpoint, error, reason: legible(reason), at })
      })

      const list = SqlSchema.findAll({
        Request: ClientId,
        Result: RefusedRequest,
        execute: (clientId) =>
          sql`SELECT * FROM rejections WHERE client_id = ${clientId} ORDER BY id DESC LIMIT ${limit}`
      })

      return RefusedRequests.of({ record, list: Effect.fn("RefusedRequests.list")(list, Effect.orDie) })
    })
  )
}

export const sweeps = [Sweep.expired("rejections", "at", Duration.days(30))]

interface Noted extends NewRefusedRequest {
  readonly at: Date
}

interface Row extends Noted {
  readonly times: number
}

/** Equal ones as one, and of each client no more than is kept. */
const together = (batch: ReadonlyArray<Noted>): ReadonlyArray<Row> =>
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
