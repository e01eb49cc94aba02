import { Context, DateTime, Duration, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest } from "../../../domain/ApiError.ts"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import { isPrintable } from "../../../domain/Text.ts"
import * as Column from "../../../foundation/database/Column.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { CallerReference } from "../../limits/CallerReference.ts"
import { isPlausible } from "../records/ClientsRepo.ts"
import { type PendingRefusal, PendingRefusals } from "./PendingRefusals.ts"
import { refusalCauses, type RefusalPage, type RefusalWish } from "./RefusalCauses.ts"
import { FoundRefusal, type RefusalEndpoint, type RefusedRequest } from "./RefusedRequest.ts"

interface NewRefusedRequest {
  /** Client that the request names. It may not exist, because anybody can name one. */
  readonly clientId: string | undefined
  /** The client is known to exist. What may be made up shares the room of one app until it is written. */
  readonly isKnown: boolean
  readonly userId: UserId | undefined
  readonly endpoint: RefusalEndpoint
  readonly error: string
  readonly reason: string
}

/**
 * Refused requests with their references (`CallerReference`), for the owners of apps and for support. The token and
 * authorization endpoints record them. Of each app and endpoint the last 100 are kept that are about a user who is
 * known, and the last 100 others: nobody who is not signed in can push out what users saw. Recording costs the request
 * nothing: a fiber writes once a second at most (`PendingRefusals`). So a flood neither slows the token endpoint nor
 * grows the table; a node that stops may lose its last second.
 */
export class RefusedRequests extends Context.Service<RefusedRequests, {
  record(refused: NewRefusedRequest): Effect.Effect<void>
  /** The latest fifty causes for which requests of the app were refused, the latest first. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<RefusedRequest>>
  /** Same page by page, of those that somebody looks for. */
  page(clientId: ClientId, wish: RefusalWish): Effect.Effect<RefusalPage, BadRequest>
  /** Requests with this reference, the latest first: several, where callers name their requests themselves. */
  find(reference: string): Effect.Effect<ReadonlyArray<FoundRefusal>>
  /** Each request of the app, the latest first. */
  latest(clientId: ClientId, limit: number): Effect.Effect<ReadonlyArray<FoundRefusal>>
}>()("slotkey/core/clients/life/RefusedRequests") {
  static readonly layer: Layer.Layer<RefusedRequests, never, SqlClient.SqlClient> = Layer.effect(
    RefusedRequests,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const pending = new PendingRefusals()
      const someWait = Latch.makeUnsafe()

      const write = Effect.fnUntraced(function*(rows: ReadonlyArray<PendingRefusal>) {
        const texts = (name: "clientId" | "userId" | "reference") =>
          Column.texts(rows.map(({ [name]: value }) => value ?? null))
        const column = <K extends "at" | "endpoint" | "error" | "reason" | "times">(name: K) =>
          rows.map((row) => row[name])
        // The lock keeps the clients from being deleted meanwhile.
        const written = yield* sql<{ clientId: string | null }>`
          WITH known AS (SELECT id FROM clients WHERE id = ANY(${texts("clientId")}) FOR KEY SHARE)
          INSERT INTO refused_requests (client_id, user_id, at, endpoint, error, reason, times, reference)
          SELECT k.id, n.user_id, n.at, n.endpoint, n.error, n.reason, n.times, n.reference
          FROM unnest(${texts("clientId")}, ${texts("userId")}, ${column("at")}::timestamptz[],
            ${column("endpoint")}::text[], ${column("error")}::text[], ${column("reason")}::text[],
            ${column("times")}::integer[], ${texts("reference")})
            WITH ORDINALITY AS n (client_id, user_id, at, endpoint, error, reason, times, reference, place)
            LEFT JOIN known k ON k.id = n.client_id
          ORDER BY n.place
          RETURNING client_id`
        yield* sql`DELETE FROM refused_requests WHERE id IN (
          SELECT id FROM (
            SELECT id, client_id, row_number() OVER (
              PARTITION BY client_id, endpoint, user_id IS NULL ORDER BY id DESC
            ) AS place FROM refused_requests
            WHERE client_id = ANY(${Column.texts(written.map(({ clientId }) => clientId))})
              OR client_id IS NULL AND ${written.some(({ clientId }) => clientId === null)}
          ) numbered WHERE place > CASE WHEN client_id IS NULL THEN ${keptWithoutApp} ELSE ${kept} END)`
      }, sql.withTransaction)

      yield* someWait.await.pipe(
        Effect.andThen(Effect.suspend(() => {
          someWait.closeUnsafe()
          return write(pending.take())
        })),
        Outages.bestEffort("Some refused requests were not noted"),
        Effect.andThen(Effect.sleep(pause)),
        Effect.forever,
        Effect.forkScoped
      )

      const record = Effect.fnUntraced(
        function*({ clientId, endpoint, error, isKnown, reason, userId }: NewRefusedRequest) {
          const at = DateTime.toDateUtc(yield* DateTime.now)
          const source = `${isKnown ? clientId : ""} ${endpoint} ${userId !== undefined}`
          pending.add(source, {
            at,
            clientId: clientId !== undefined && isPlausible(clientId) ? clientId : undefined,
            userId,
            endpoint,
            error,
            reason: legible(reason),
            reference: yield* CallerReference,
            times: 1
          })
          someWait.openUnsafe()
        }
      )

      const columns = Column.names(FoundRefusal.fields)
      const find = Effect.fn("RefusedRequests.find")((reference: string) =>
        isPlausible(reference)
          ? Effect.orDie(allFound(sql`SELECT ${columns} FROM refused_requests
              WHERE reference = ${reference} ORDER BY id DESC LIMIT ${mostListed}`))
          : Effect.succeed([])
      )
      const latest = Effect.fn("RefusedRequests.latest")((clientId: ClientId, limit: number) =>
        Effect.orDie(allFound(sql`SELECT ${columns} FROM refused_requests
          WHERE client_id = ${clientId} ORDER BY id DESC LIMIT ${limit}`))
      )

      const page = yield* refusalCauses
      return RefusedRequests.of({
        record,
        list: (clientId) => Effect.map(Effect.orDie(page(clientId, {})), ({ causes }) => causes),
        page,
        find,
        latest
      })
    })
  )
}

export const sweeps = [
  Sweep.olderThan({
    table: "refused_requests",
    column: "at",
    retention: "ownerHistoryLifetime",
    rows: "refused requests; of each app and endpoint the last 100 about known users and the last 100 others are kept"
  })
]

/** Makes what forgets that a user was concerned by refused requests: the app's owner keeps the causes. */
export const forgetConcerned = Effect.map(
  SqlClient.SqlClient,
  (sql) => (userId: UserId) => sql`UPDATE refused_requests SET user_id = NULL WHERE user_id = ${userId}`
)

const allFound = Rows.all(FoundRefusal)

// A reason may repeat a part of the request.
const legible = (reason: string): string => isPrintable(reason) ? reason.slice(0, 300) : "the request is not legible"

const kept = 100
const keptWithoutApp = 1_000
const mostListed = 50
const pause = Duration.seconds(1)
