import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Broken } from "../../../domain/Rule.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import type { DocumentRefused } from "./DocumentRefused.ts"

const Fault = Schema.Struct({ reason: Broken, field: Schema.optionalKey(Schema.String) })

/** Document of an app as it was read last. */
export const ClientDocument = Schema.Struct({
  host: Schema.String,
  /** SHA-256 of its bytes, in base64url. */
  digest: Schema.String,
  content: Schema.String,
  etag: Schema.NullOr(Schema.String),
  fetchedAt: Schema.DateTimeUtcFromDate,
  /** Until when it is taken as it is, by its HTTP headers within bounds. */
  freshUntil: Schema.DateTimeUtcFromDate,
  /** Why it could not be taken when it was asked for last, and when that was; `null` while it can. */
  fault: Schema.NullOr(Fault),
  faultAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type ClientDocument = typeof ClientDocument.Type

/** Table `client_documents`. All that is written joins the caller's transaction. */
export const documentStore = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  return {
    find: Effect.fn("DocumentStore.find")(
      (clientId: string) =>
        firstDocument(sql`SELECT host, digest, content, etag, fetched_at, fresh_until, fault, fault_at
          FROM client_documents WHERE client_id = ${clientId}`),
      Effect.orDie
    ),
    /** Pending apps that describe themselves at this host. */
    waitingAt: Effect.fn("DocumentStore.waitingAt")(function*(host: string) {
      const rows = yield* sql<{ clientId: string }>`SELECT client_id FROM client_documents
        JOIN clients ON clients.id = client_id WHERE host = ${host} AND status = 'pending' ORDER BY client_id LIMIT 200`
      return rows.map(({ clientId }) => clientId)
    }, Effect.orDie),
    /**
     * Takes over the reading of a document that is no longer fresh: true for one caller, while others go on with what
     * is kept, so that an app of many people is not read once for each.
     */
    take: Effect.fn("DocumentStore.take")(function*(clientId: string) {
      const now = yield* DateTime.now
      const until = DateTime.toDateUtc(DateTime.addDuration(now, reading))
      const rows = yield* sql`UPDATE client_documents SET fresh_until = ${until}
        WHERE client_id = ${clientId} AND fresh_until <= ${DateTime.toDateUtc(now)} RETURNING client_id`
      return rows.length > 0
    }, Effect.orDie),
    /** Keeps a document that was read just now. */
    keep: Effect.fn("DocumentStore.keep")(function*(clientId: string, document: Read) {
      const fetchedAt = DateTime.toDateUtc(yield* DateTime.now)
      const { content, digest, etag, freshUntil, host } = document
      const row = { clientId, host, digest, content, etag, fetchedAt, freshUntil: DateTime.toDateUtc(freshUntil) }
      yield* sql`INSERT INTO client_documents ${sql.insert(row)}
        ON CONFLICT (client_id) DO UPDATE SET digest = excluded.digest, content = excluded.content,
          etag = excluded.etag, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until, fault = NULL,
          fault_at = NULL`
    }, Effect.orDie),
    /** Notes why it could not be taken now; it is asked for again with the next request. */
    fail: Effect.fn("DocumentStore.fail")(function*(clientId: string, { field, reason }: DocumentRefused) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const fault = JSON.stringify({ reason, ...(field === undefined ? {} : { field }) })
      yield* sql`UPDATE client_documents SET fault = ${fault}::jsonb, fault_at = ${now}, fresh_until = ${now}
        WHERE client_id = ${clientId}`
    }, Effect.orDie),
    /** Goes on with the kept document for a while although its host does not answer. */
    extend: Effect.fn("DocumentStore.extend")(function*(clientId: string) {
      const until = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, Duration.minutes(1)))
      yield* sql`UPDATE client_documents SET fresh_until = ${until} WHERE client_id = ${clientId}`
    }, Effect.orDie)
  }
})

interface Read extends Pick<ClientDocument, "host" | "digest" | "content" | "etag" | "freshUntil"> {}

const reading = Duration.seconds(10)

const firstDocument = Rows.first(ClientDocument)
