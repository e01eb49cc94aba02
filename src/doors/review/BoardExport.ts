import { DateTime, Schema, Stream } from "effect"
import { Csv } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import { BoardClient } from "../../core/legacy/migration/BoardClient.ts"
import type { RefusedCall } from "../../core/legacy/migration/RefusedCall.ts"

/** Apps of the board as a file, which is written while they are read. */
export const exportFile = (format: "csv" | "json", clients: Stream.Stream<BoardClient>) =>
  HttpServerResponse.stream(
    Stream.encodeText(format === "csv" ? csv(clients) : json(clients)),
    {
      contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/json",
      headers: { "content-disposition": `attachment; filename="legacy-apps.${format}"`, "cache-control": "no-store" }
    }
  )

const json = (clients: Stream.Stream<BoardClient>) =>
  Stream.make(`{"status":"success","data":[\n`).pipe(
    Stream.concat(clients.pipe(Stream.map((client) => JSON.stringify(encode(client))), Stream.intersperse(",\n"))),
    Stream.concat(Stream.make("\n]}\n"))
  )

const encode = Schema.encodeSync(BoardClient)

const csv = (clients: Stream.Stream<BoardClient>) =>
  clients.pipe(
    Stream.map((client) => Object.fromEntries(columns.map(([name, cell]) => [name, inert(cell(client))]))),
    Stream.pipeThroughChannel(Csv.encodeString({ columns: columns.map(([name]) => name), headers: true }))
  )

const columns: ReadonlyArray<readonly [name: string, cell: (client: BoardClient) => string]> = [
  ["client_id", ({ id }) => id],
  ["name", ({ name }) => name],
  ["website", ({ website }) => website],
  ["owner_id", ({ ownerId }) => ownerId],
  ["owner_name", ({ owner }) => owner?.name ?? ""],
  ["owner_email", ({ owner }) => owner?.email ?? ""],
  ["verdict", ({ audit }) => audit.verdict],
  ["days", ({ audit }) => String(audit.days)],
  ["unscoped_requests", ({ audit }) => String(audit.unscopedRequests)],
  ["last_unscoped_at", ({ audit }) => instant(audit.lastUnscopedAt)],
  ["scoped_requests", ({ audit }) => String(audit.scopedRequests)],
  ["scopes", ({ audit }) => audit.scopes.join(" ")],
  ["unscoped_grants", ({ audit }) => String(audit.unscopedGrants)],
  ["calls", ({ calls }) => String(calls.calls)],
  ["calls_unknown", ({ calls }) => calls.blindness ?? ""],
  ["rehearsed_scopes", ({ calls }) => calls.scopes.join(" ")],
  ["rehearsed_refusals", ({ calls }) => String(calls.refusedCalls)],
  ["refused_calls", ({ refusedCalls }) => refusedCalls.map(refusal).join("; ")],
  ["asked_at", ({ askedAt }) => instant(askedAt)]
]

const refusal = ({ cause, operation, requests }: RefusedCall): string =>
  `${requests} ${cause}${operation === null ? "" : ` ${operation}`}`

const instant = (at: DateTime.Utc | null): string => at === null ? "" : DateTime.formatIso(at)

/**
 * A cell that is text: spreadsheets run one that begins like this as a formula, and developers choose the names of
 * their apps.
 */
export const inert = (text: string): string => /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
