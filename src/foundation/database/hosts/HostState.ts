import { PgConnection } from "@effect/sql-pg"
import { Effect, Predicate } from "effect"
import type { SqlError } from "effect/sql"
import type { ConnectionOptions } from "node:tls"
import type { DatabaseHost } from "../../config/DatabaseAddress.ts"
import * as Sockets from "./Sockets.ts"

/**
 * Answer of a host that was asked what it can do. A primary is `Writable`, on a timeline that grows with each promotion
 * (PostgreSQL's documentation, "Timelines"). A standby is `Readable`, and so is a primary that an operator has made
 * read-only. `Full` has no connection left, `Silent` did not answer in time, and `Away` refused.
 */
export type HostState =
  | { readonly _tag: "Writable"; readonly timeline: number }
  | { readonly _tag: "Readable" | "Full" | "Silent" | "Away" }

/** Asks a host on a connection of its own, for two seconds at most. */
export const ask = (host: DatabaseHost, ssl?: ConnectionOptions): Effect.Effect<HostState> =>
  Effect.match(answer(host, ssl, question), {
    onSuccess: ([isWritable, timeline]): HostState =>
      isWritable === true ? { _tag: "Writable", timeline: Number(timeline) } : { _tag: "Readable" },
    onFailure: (reason): HostState => ({ _tag: reason })
  })

/** Commits of this role that wait: since when, if any, and the time of the database. */
export interface CommitState {
  readonly since: Date | null
  readonly now: Date
}

/** Same about commits; no host that gives no answer shows that they wait. */
export const askCommits = (host: DatabaseHost, ssl?: ConnectionOptions): Effect.Effect<CommitState | undefined> =>
  Effect.match(answer(host, ssl, waits), {
    onSuccess: ([since, now]) => now instanceof Date ? { since: since instanceof Date ? since : null, now } : undefined,
    onFailure: () => undefined
  })

const answer = (
  host: DatabaseHost,
  ssl: ConnectionOptions | undefined,
  question: string
): Effect.Effect<ReadonlyArray<unknown>, "Full" | "Silent" | "Away"> =>
  Effect.suspend(() => {
    let isSilent = false
    const socket = () => {
      const socket = Sockets.make(() => host.socket)()
      const timer = setTimeout(() => {
        isSilent = true
        socket.destroy()
      }, limitMillis)
      return socket.once("close", () => clearTimeout(timer))
    }
    const connection = PgConnection.make({
      url: host.url,
      ssl,
      stream: socket,
      prepare: false,
      applicationName: "slotkey-hosts"
    })
    return Effect.scoped(Effect.flatMap(connection, (connection) => connection.queryValues(question))).pipe(
      Effect.mapBoth({
        onSuccess: ([row = []]) => row,
        onFailure: (error) => isSilent ? "Silent" : isFull(error) ? "Full" : "Away"
      })
    )
  })

const limitMillis = 2_000

// The first digits of a WAL file's name are its timeline; on a standby there is no file to name.
const question = `SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off',
  CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer END`

// A commit waits for a standby, or for the disk of the log. PostgreSQL 17 has other capitals in these names.
const waits = `SELECT min(query_start), clock_timestamp() FROM pg_stat_activity WHERE usename = current_user
  AND state = 'active' AND lower(wait_event) IN ('syncrep', 'walsync', 'walwrite')
  AND query_start < clock_timestamp() - interval '500 milliseconds'`

/** SQLSTATE class 53: the host works, but has no room for one more connection. */
const isFull = ({ reason: { cause } }: SqlError.SqlError): boolean =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" && cause.code.startsWith("53")
