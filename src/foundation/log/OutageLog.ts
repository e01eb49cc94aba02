import { Clock, Context, Duration, Effect, Fiber, Layer, References } from "effect"
import { HttpServerRequest } from "effect/http"

// This room writes to the log what would fill it if each failure were a line of its own.

/** Something that the server needs and that fails just now. All failures of one name are one outage. */
export interface Outage {
  readonly name: string
  /** A sentence for operators: what fails, and what goes on meanwhile. */
  readonly what: string
  /** A sentence for operators: what to do about it. */
  readonly remedy: string
  /** Words of the reporter, without anything secret. */
  readonly reason: string
}

/**
 * Counts a failure. An outage is a line in the log when it begins, a line a minute with the number of failures, and a
 * line when it is over, because nothing has failed for ten seconds.
 */
export const report = Effect.fnUntraced(function*({ name, reason, remedy, what }: Outage) {
  const open = yield* OpenOutages
  const known = open.get(name)
  if (known !== undefined) {
    known.failures++
    return
  }
  const outage: OpenOutage = { name, what, since: yield* Clock.currentTimeMillis, failures: 1, watching: undefined }
  open.set(name, outage)
  yield* Effect.logError(`${what} ${remedy}`).pipe(Effect.annotateLogs({ outage: name, reason }))
  // Lines about the outage are not about the request or the job that met it first.
  outage.watching = yield* watch(outage).pipe(
    Effect.provideService(References.CurrentLogAnnotations, {}),
    Effect.updateContext((context: Context.Context<never>) => withoutRequest(context)),
    Effect.forkDetach
  )
  // Interrupted between its steps, it would leave an outage that nobody watches.
}, Effect.uninterruptible)

export const OpenOutages = Context.Reference<Map<string, OpenOutage>>("slotkey/foundation/log/OutageLog/OpenOutages", {
  defaultValue: () => new Map()
})

/** Outages of a part of the process alone. Nobody watches them any more when it ends, so no timer keeps the process. */
export const layer: Layer.Layer<never> = Layer.effect(
  OpenOutages,
  Effect.acquireRelease(
    Effect.sync(() => new Map<string, OpenOutage>()),
    (open) => Fiber.interruptAll([...open.values()].flatMap(({ watching }) => watching ?? []))
  )
)

const withoutRequest = Context.omit(HttpServerRequest.HttpServerRequest)

interface OpenOutage {
  readonly name: string
  readonly what: string
  /** Milliseconds of Effect's clock. */
  readonly since: number
  failures: number
  watching: Fiber.Fiber<void> | undefined
}

const quiet = Duration.seconds(10)
/** Number of looks after which there is a line: one minute. */
const looksPerLine = 6

const watch = Effect.fnUntraced(function*(outage: OpenOutage) {
  const open = yield* OpenOutages
  let seen = 0
  let seenInLine = 0
  for (let look = 1;; look++) {
    seen = outage.failures
    yield* Effect.sleep(quiet)
    if (outage.failures === seen) break
    if (look % looksPerLine > 0) continue
    yield* Effect.logWarning(`${outage.what} It goes on.`).pipe(
      Effect.annotateLogs({
        outage: outage.name,
        failures: outage.failures - seenInLine,
        seconds: yield* secondsSince(outage)
      })
    )
    seenInLine = outage.failures
  }
  open.delete(outage.name)
  yield* Effect.logInfo("An outage is over: nothing has failed for ten seconds.").pipe(
    Effect.annotateLogs({ outage: outage.name, failures: outage.failures, seconds: yield* secondsSince(outage) })
  )
})

const secondsSince = ({ since }: OpenOutage) =>
  Effect.map(Clock.currentTimeMillis, (now) => Math.round((now - since) / 1000))
