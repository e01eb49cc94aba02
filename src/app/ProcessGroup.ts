import { Context, Deferred, Duration, Effect, Layer, Option, Schema, type Scope } from "effect"
import cluster from "node:cluster"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { OperatorPort } from "../foundation/operator/OperatorPort.ts"
import { Readiness } from "../foundation/operator/Readiness.ts"
import * as GroupMember from "./GroupMember.ts"
import { GroupState } from "./GroupState.ts"
import * as StopSignals from "./StopSignals.ts"

/** The server could not be kept alive; the processes have said why. */
export class ProcessGroupError extends Schema.TaggedError<ProcessGroupError>()("ProcessGroupError", {
  message: Schema.String
}) {}

/**
 * Processes of a server with `SERVER_PROCESSES`: they share its port, and nothing else but the database. This process
 * accepts their connections and gives each its share in turn; it starts again what ended, and stops all as one.
 */
export class ProcessGroup extends Context.Service<ProcessGroup, {
  /** Waits for what ends the group: that none of its processes can be started. */
  readonly failed: Effect.Effect<never, ProcessGroupError>
}>()("slotkey/app/ProcessGroup") {
  static readonly layer = Layer.effect(
    ProcessGroup,
    Effect.gen(function*() {
      const { serverProcesses } = yield* AppConfig
      const { url } = yield* OperatorPort
      const state = yield* GroupState
      const failed = yield* Deferred.make<never, ProcessGroupError>()
      yield* stopTogether

      /** Starts a process, and another one in its place whenever it has ended. */
      const keep = Effect.fnUntraced(function*(number: number, operatorUrl: string, serves: Deferred.Deferred<void>) {
        let failures = 0
        for (let url = operatorUrl;; url = "") {
          const began = performance.now()
          const ended = yield* life(state, number, url, serves)
          if (state.stops) return
          if (performance.now() - began > Duration.toMillis(settled)) failures = 0
          failures++
          const isHopeless = failures > patience || !(yield* Deferred.isDone(serves))
          if (!ended.hasServed && state.servingCount === 0 && isHopeless) {
            const message = `The server's processes do not start: one ${ended.how}`
            return yield* Deferred.fail(failed, new ProcessGroupError({ message }))
          }
          const pause = Duration.min(Duration.times(firstPause, 2 ** Math.min(failures, 20)), longestPause)
          yield* Effect.logError(
            `Server process ${number} ${ended.how}; another one is started in ${Duration.toMillis(pause)} ms`,
            { process: String(number) }
          )
          yield* Effect.sleep(pause)
        }
      })

      // First one alone: it migrates the schema, and a mistake in the settings is reported once.
      const first = yield* Deferred.make<void>()
      yield* Effect.forkScoped(keep(1, url, first))
      yield* Effect.raceFirst(Deferred.await(first), Deferred.await(failed))
      for (let number = 2; number <= serverProcesses; number++) yield* Effect.forkScoped(keep(number, "", first))
      yield* Effect.forkScoped(state.endHung)
      return ProcessGroup.of({ failed: Deferred.await(failed) })
    })
  )
}

interface Ended {
  /** True if it had come so far that it served. */
  readonly hasServed: boolean
  readonly how: string
}

/** One life of a process of the group. */
const life = (
  state: GroupState["Service"],
  number: number,
  operatorUrl: string,
  serves: Deferred.Deferred<void>
): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const worker = cluster.fork(GroupMember.environmentOf(number, operatorUrl))
    state.onStart(number, worker)
    worker.once("listening", () => {
      state.onListening(number)
      Deferred.doneUnsafe(serves, Effect.void)
    })
    worker.on("message", (message: unknown) => state.onMessage(number, message))
    // Its end comes as `exit`; a message that it can't get any more is an error, too.
    worker.on("error", () => {})
    worker.once("exit", (code: number, signal: string | null) => {
      const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
      resume(Effect.succeed({ hasServed: state.onExit(number, worker), how }))
    })
  })

/** When the scope closes, has all processes stop by the signal that came, and waits for them. */
const stopTogether: Effect.Effect<void, never, AppConfig | GroupState | Readiness | Scope.Scope> = Effect.gen(
  function*() {
    const { drainDelay, requestTimeout } = yield* AppConfig
    const readiness = yield* Readiness
    const state = yield* GroupState
    const first = yield* StopSignals.watch(state.stop)
    yield* Effect.addFinalizer(() =>
      Effect.gen(function*() {
        yield* readiness.startDraining
        state.stop(first() ?? "SIGINT")
        const limit = Duration.sum(Duration.sum(drainDelay, requestTimeout), afterwards)
        const gone = yield* Effect.timeoutOption(state.ended, limit)
        if (Option.isSome(gone)) return
        yield* Effect.logError("Not all server processes have stopped in time; the others are killed")
        state.kill()
        yield* state.ended
      })
    )
  }
)

/** A process that has lived for this long had a start that was right. */
const settled = Duration.minutes(1)
const firstPause = Duration.millis(100)
const longestPause = Duration.seconds(30)

/** Starts in a row that may fail while no process serves. */
const patience = 5

/** Time that a process has for all that it stops after its requests. */
const afterwards = Duration.seconds(20)
