import { Context, Effect, Latch, type Scope } from "effect"
import { SqlError } from "effect/sql"
import type { ConnectionOptions } from "node:tls"
import type { DatabaseHost } from "../../config/DatabaseAddress.ts"
import * as HostState from "./HostState.ts"

/** A write was not begun, because the commits of those before it do not come back. */
export class CommitsWait extends Error {
  override readonly name = "CommitsWait"
}

/**
 * Knows whether the commits of the database come back. They do not while its synchronous standby is away, or the disk
 * of its log stands still, and nobody can take them back: each write that is given up leaves a session that waits on.
 * Those of a few minutes would be all that the database has, with which it could not even be read any more. So no write
 * is begun while the sessions of earlier ones wait, which also show when it is over.
 */
export interface WaitingCommits {
  /** True while a write that is begun would wait. */
  readonly areWaiting: () => boolean
  /** Has the database asked whether commits wait, because a statement has no answer yet. */
  readonly suspect: () => void
  /** Failure of a write that is not begun. */
  readonly refusal: Effect.Effect<never, SqlError.SqlError>
}

/** Last time during which commits waited, in milliseconds of the database's clock. */
export const LastWait = Context.Reference<{ from: number; until: number }>(
  "slotkey/foundation/database/hosts/WaitingCommits/LastWait",
  { defaultValue: () => ({ from: Infinity, until: -Infinity }) }
)

/** Milliseconds for which the commit of something that was done at this time has waited. */
export const waitedFor = ({ from, until }: typeof LastWait.Service, doneAt: number): number =>
  from <= doneAt && doneAt < until ? until - doneAt : 0

export const make = Effect.fnUntraced(function*(
  host: () => DatabaseHost,
  ssl: ConnectionOptions | undefined
): Effect.fn.Return<WaitingCommits, never, Scope.Scope> {
  let areWaiting = false
  const last = yield* LastWait
  const suspicion = yield* Latch.make()

  const note = ({ now, since }: HostState.CommitState) => {
    if (!areWaiting && since !== null) last.from = since.getTime()
    if (areWaiting || since !== null) last.until = now.getTime()
  }
  const look = Effect.gen(function*() {
    yield* suspicion.await
    yield* suspicion.close
    const found = yield* HostState.askCommits(host(), ssl)
    if (found !== undefined) note(found)
    areWaiting = found !== undefined && found.since !== null
    yield* Effect.sleep("1 second")
    if (areWaiting) yield* suspicion.open
  })
  yield* Effect.forkScoped(Effect.forever(look))
  return { areWaiting: () => areWaiting, suspect: () => void suspicion.openUnsafe(), refusal }
})

/** Tells whether a statement of ours writes, a row lock included. */
export const writes = (sql: string): boolean => /\b(?:INSERT|UPDATE|DELETE|SHARE|pg_logical_emit_message)\b/.test(sql)

/** A write that has no effect: it takes a place in the log, for which its commit waits like any other. */
export const smallWrite = "SELECT pg_logical_emit_message(true, 'slotkey', '')::text"

const message = "commits of earlier writes do not come back"
const refusal = Effect.fail(
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: new CommitsWait(message), message, operation: "query" })
  })
)
