import { Effect, Layer, Option, Schema } from "effect"
import { PrometheusMetrics } from "effect/observability"
import cluster from "node:cluster"
import { Collectors } from "../foundation/operator/Collectors.ts"
import { OperatorPort } from "../foundation/operator/OperatorPort.ts"
import { Readiness } from "../foundation/operator/Readiness.ts"
import { Answer, listen, PortClosed, Question, ReportText, type Topic } from "./GroupMessages.ts"

// A process of a group is a server like any other. What differs is here: signals and the operator's questions come from
// its primary (`ProcessGroup`).

/** Number of this process in its group, as the primary counts; none for a server that is one process. */
export const number: Option.Option<string> = cluster.isWorker
  ? Option.fromNullishOr(process.env["SLOTKEY_PROCESS"])
  : Option.none()

/** Operator's port of the primary, for the first process to print, once. */
const operatorUrl = process.env["SLOTKEY_OPERATOR_URL"] ?? ""

/** Tells whether this process says that the server runs. */
export const announces: boolean = Option.isNone(number) || operatorUrl !== ""

/** Settings by which the primary tells a process what it is. */
export const environmentOf = (number: number, operatorUrl: string) => ({
  SLOTKEY_PROCESS: String(number),
  SLOTKEY_OPERATOR_URL: operatorUrl
})

/** Stands for the operator's port: answers the primary, which has it. The checks are made once this is there. */
export const operator = <A, E, R>(checks: Layer.Layer<A, E, R>) =>
  Layer.effect(
    OperatorPort,
    Effect.gen(function*() {
      const readiness = yield* Readiness
      const collectors = yield* Collectors
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const answers: Record<Topic, Effect.Effect<string>> = {
        alive: Effect.succeed(""),
        readiness: Effect.map(readiness.report, Schema.encodeSync(ReportText)),
        metrics: Effect.andThen(
          Effect.all([readiness.report, collectors.collect], { concurrency: 2 }),
          PrometheusMetrics.format()
        )
      }
      const listening = Effect.sync(() =>
        listen(Question, ({ ask, id }) => void run(Effect.map(answers[ask], (answer) => send({ id, answer }))))
      )
      yield* Effect.acquireRelease(listening, Effect.sync)
      return OperatorPort.of({ url: operatorUrl })
    })
  ).pipe(Layer.merge(checks))

// A primary that is gone takes this process with it, and needs no answer.
const send = (answer: typeof Answer.Type) => process.send?.(answer, () => {})

/**
 * Resolves when all processes of the group have closed the port, for which this one waits: a caller whose connection is
 * closed before that would come back to a process that closes the port just then, and be reset.
 */
export const portClosed = (): Promise<void> =>
  new Promise((resolve) => {
    const end = listen(PortClosed, () => {
      end()
      resolve()
    })
    process.send?.({ portClosed: true } satisfies typeof PortClosed.Type, () => {})
  })
