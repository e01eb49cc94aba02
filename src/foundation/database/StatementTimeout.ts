import { type Cause, Context, Duration, Effect, Exit, type Scope } from "effect"
import type { HeardSockets } from "./hosts/HeardSockets.ts"

/**
 * Time that each statement of a fiber may take, with the wait for a connection. Without one it is the time of a page's
 * statement; imports, migrations of the schema, sweeps and mailboxes provide their own.
 */
export const StatementTimeout = Context.Reference<Duration.Duration | undefined>(
  "slotkey/foundation/database/StatementTimeout",
  { defaultValue: () => undefined }
)

/** Share of a request's time that one statement may take: the rest is for the answer. */
export const statementShare = (ofRequest: Duration.Duration): Duration.Duration => Duration.times(ofRequest, 2 / 3)

/** Runs a statement under the limit of its fiber. */
export type Limited = <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Watches the statements that wait for the server. When one has waited for longer than its limit, the sockets on which
 * nothing was heard meanwhile are thrown away: its own, so that it fails at once, in a `COMMIT` too, and the idle ones,
 * which the same firewall may have forgotten.
 *
 * While one has waited for more than a second, `onLate` is called with each tick.
 *
 * Time is counted in the ticks of one timer. So a statement costs no timer, and a process that was paused counts the
 * pause as one tick and first reads what arrived.
 */
export const limiter = (
  sockets: HeardSockets,
  fallback: Duration.Duration,
  onFailure: (cause: Cause.Cause<unknown>) => void,
  onLate: () => void
): Effect.Effect<Limited, never, Scope.Scope> => {
  // An array, as in `Mailbox`.
  const waiting: Array<WaitingStatement> = []
  let ticks = 0

  const tick = () => {
    ticks++
    sockets.tick()
    if (waiting.some(({ since }) => ticks - since >= lateTicks)) onLate()
    const limits = waiting.filter(({ limit, since }) => ticks - since >= limit).map(({ limit }) => limit)
    // An answer that came in the tick in which the statement left is noted in the next.
    if (limits.length > 0) sockets.discardSilent(Math.min(...limits) - 1)
  }

  const limited: Limited = (statement) =>
    Effect.withFiber((fiber) => {
      const entry = { since: ticks, limit: ticksOf(fiber.getRef(StatementTimeout) ?? fallback) }
      waiting.push(entry)
      return Effect.onExit(statement, (exit) => {
        waiting.splice(waiting.indexOf(entry), 1)
        if (Exit.isSuccess(exit)) return Effect.void
        onFailure(exit.cause)
        // Reported to the driver by an event for each socket that was thrown away; before that it would lend it again.
        return Effect.yieldNow
      })
    })

  return Effect.acquireRelease(
    Effect.sync(() => setInterval(tick, tickMillis)),
    (timer) => Effect.sync(() => clearInterval(timer))
  ).pipe(Effect.as(limited))
}

interface WaitingStatement {
  /** Tick in which it began to wait. */
  readonly since: number
  /** In ticks. */
  readonly limit: number
}

const tickMillis = 250
/** Ticks after which a statement is late, whatever its limit. */
const lateTicks = 4
const ticksOf = (duration: Duration.Duration) => Math.max(2, Math.floor(Duration.toMillis(duration) / tickMillis))
