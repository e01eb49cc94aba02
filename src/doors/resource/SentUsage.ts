import { Clock, Duration, Effect, Latch, Layer, type Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { type NotedCall, textOf, UsageNotes } from "../../core/usage/UsageNotes.ts"
import type { ReportedCalls, UsageReport } from "../../core/usage/UsageReport.ts"
import * as OutageLog from "../../foundation/log/OutageLog.ts"
import { usagePath } from "../oauth/UsageWire.ts"

/**
 * Sends counts of the calls that a program checks to the server, ten seconds after the first of them and when the
 * program closes its guard. Nothing waits for it: what cannot be sent is sent again, with the same id, and dropped when
 * it is an hour old. Then the server learns the number alone, and calls nothing of those days unused.
 */
export const layer = (
  address: string,
  credential: Redacted.Redacted
): Layer.Layer<never, never, HttpClient.HttpClient> =>
  Layer.effect(
    UsageNotes,
    Effect.gen(function*() {
      const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
      const clock = yield* Clock.Clock
      const noted = yield* Latch.make()
      const post = HttpClientRequest.post(`${address}${usagePath}`).pipe(HttpClientRequest.bearerToken(credential))
      const seconds = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000_000n)
      let cells = new Map<string, Cell>()
      let unsent: Unsent | undefined
      let missed: Missed | undefined

      const miss = (calls: number, at: number) => {
        missed = { calls: (missed?.calls ?? 0) + calls, at: Math.min(missed?.at ?? at, at) }
      }

      const take = (): Unsent | undefined => {
        if (cells.size === 0 && missed === undefined) return undefined
        const taken = { batch: randomUUID(), at: seconds(), cells: [...cells.values()], missed }
        cells = new Map()
        missed = undefined
        return taken
      }

      const send = Effect.gen(function*() {
        unsent ??= take()
        if (unsent === undefined) return
        yield* client.execute(HttpClientRequest.bodyJsonUnsafe(post, reportOf(unsent, seconds()))).pipe(
          Effect.timeout("5 seconds")
        )
        unsent = undefined
      }).pipe(
        Effect.catch((error) =>
          OutageLog.report({
            name: "usage",
            what: "Counts of calls cannot be sent. Calls are checked all the same.",
            remedy: "See that the server can be reached at its address, and that it takes the credential.",
            reason: error._tag === "HttpClientError" ? error.message : error._tag
          })
        ),
        Effect.andThen(Effect.sync(() => {
          if (unsent === undefined || seconds() - unsent.at < longest) return
          miss(unsent.cells.reduce((sum, { calls }) => sum + calls, 0), unsent.at)
          if (unsent.missed !== undefined) miss(unsent.missed.calls, unsent.missed.at)
          unsent = undefined
        }))
      )

      yield* Effect.addFinalizer(() => send)
      yield* Effect.forkScoped(Effect.forever(Effect.gen(function*() {
        // Without a timer until there is something to send: it would keep a program that was only loaded.
        yield* noted.await
        yield* Effect.sleep(interval)
        yield* noted.close
        yield* send
        if (unsent !== undefined || missed !== undefined) yield* noted.open
      })))

      return UsageNotes.of({
        looksUp: false,
        note: (call) => {
          const at = seconds()
          const key = keyOf(call)
          const cell = cells.get(key)
          if (cell !== undefined) {
            cell.calls++
            cell.last = at
          } else if (cells.size < mostCells) cells.set(key, { call, calls: 1, first: at, last: at })
          else miss(1, at)
          noted.openUnsafe()
        }
      })
    })
  )

const interval = Duration.seconds(10)

/** Age in seconds at which what could not be sent is dropped. */
const longest = 3_600

/** As many as the server takes at once. */
const mostCells = 5_000

interface Cell {
  readonly call: NotedCall
  calls: number
  readonly first: number
  last: number
}

interface Missed {
  readonly calls: number
  /** When the first of them was made, in seconds of the monotonic clock. */
  readonly at: number
}

interface Unsent {
  readonly batch: string
  readonly at: number
  readonly cells: ReadonlyArray<Cell>
  readonly missed: Missed | undefined
}

const keyOf = ({ grantId, need, operation, outcome }: NotedCall): string =>
  `${grantId} ${outcome} ${need} ${operation === undefined ? "" : textOf(operation)}`

const reportOf = ({ batch, cells, missed }: Unsent, now: number): UsageReport => ({
  batch,
  ...(missed && { missed: { calls: missed.calls, first: now - missed.at } }),
  calls: cells.map(({ call, calls, first, last }): ReportedCalls => ({
    grant: call.grantId,
    need: call.need,
    ...(call.operation && { operation: textOf(call.operation) }),
    outcome: call.outcome,
    calls,
    first: now - first,
    last: now - last
  }))
})
