import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { Collectors } from "../foundation/operator/Collectors.ts"
import { MetricsText } from "../foundation/operator/Exposition.ts"
import { FileDescriptorCheck } from "../foundation/operator/FileDescriptorCheck.ts"
import * as MergedMetrics from "../foundation/operator/MergedMetrics.ts"
import { OperatorPort } from "../foundation/operator/OperatorPort.ts"
import { ProcessMetrics } from "../foundation/operator/ProcessMetrics.ts"
import { type Check, type Finding, names, Readiness, type Report, worst } from "../foundation/operator/Readiness.ts"
import { ReportText } from "./GroupMessages.ts"
import { GroupState } from "./GroupState.ts"
import { ProcessGroup } from "./ProcessGroup.ts"

// Primary of a server with several processes. It serves no request; it has the operator's port, which speaks for all.

/** Tells how many of the processes serve. At a start they come one after the other, which is nothing to warn of. */
const processesCheck = Effect.gen(function*() {
  const { serverProcesses } = yield* AppConfig
  const state = yield* GroupState
  const started = yield* Clock.monotonicTimeNanos
  let isStarting = true
  return {
    name: "processes",
    otherwise: "failed",
    probe: Effect.map(Clock.monotonicTimeNanos, (now): Finding => {
      const serving = state.servingCount
      if (serving === serverProcesses || now - started > startNanos) isStarting = false
      return {
        status: serving === 0 ? "failed" : serving < serverProcesses ? "degraded" : "ok",
        detail: `${serving} of ${serverProcesses} server processes serve.`,
        isStarting
      }
    })
  } satisfies Check
})

// A process that has not come by then does not come by itself.
const startNanos = 60_000_000_000n

/** Checks of all processes: of each name the worst finding, with its process. */
const GroupReadiness = Layer.effect(
  Readiness,
  Effect.gen(function*() {
    const own = yield* Readiness
    const state = yield* GroupState
    yield* own.add(yield* processesCheck)

    const reports = Effect.map(state.ask("readiness"), (answers) =>
      answers.map(([number, answer]) => ({
        number,
        report: Option.getOrElse(Option.flatMap(answer, decode), () => silent)
      })))
    const report = Effect.map(Effect.all([own.report, reports], { concurrency: 2 }), ([own, others]): Report => {
      const checks = names.flatMap((name) => {
        const findings = others.flatMap(({ number, report }) => {
          const finding = report.checks[name]
          return finding === undefined ? [] : [naming(finding, number)]
        })
        const all = [own.checks[name] ?? [], findings].flat()
        const finding = all.find(({ status }) => status === worst(all.map(({ status }) => status)))
        return finding === undefined ? [] : [[name, finding] as const]
      })
      return { status: worst(checks.map(([, { status }]) => status)), checks: Object.fromEntries(checks) }
    })
    return Readiness.of({ ...own, report })
  })
).pipe(Layer.provide(Readiness.layer))

const decode = Schema.decodeUnknownOption(ReportText)

const naming = ({ detail, status }: Finding, number: number): Finding => ({
  status,
  detail: status === "ok" ? detail : `${detail} (process ${number})`
})

const silent: Report = {
  status: "failed",
  checks: { processes: { status: "failed", detail: "A server process does not answer." } }
}

/** Metrics of all processes; those of this one have `process="primary"`. */
const GroupMetrics = Layer.effect(
  MetricsText,
  Effect.map(
    GroupState,
    ({ ask }) =>
      Effect.map(
        Effect.all([PrometheusMetrics.format(), ask("metrics")], { concurrency: 2 }),
        ([own, others]) =>
          MergedMetrics.merge(
            new Map([
              ["primary", own],
              ...others.map(([number, text]) => [String(number), Option.getOrElse(text, () => "")] as const)
            ])
          )
      )
  )
)

/** Processes, and beside them what speaks for them. */
export const Primary = Readiness.layerWatch.pipe(
  // Asked once there is something to find.
  Layer.provideMerge(ProcessGroup.layer),
  // Shows that the server starts and that it drains, so it is opened before the processes and closed after them.
  Layer.provide(OperatorPort.layer("OPERATOR_PORT", FileDescriptorCheck)),
  Layer.provide(GroupMetrics),
  Layer.provide([Layer.provideMerge(GroupReadiness, GroupState.layer), Collectors.layer, ProcessMetrics]),
  Layer.provide(NodeHttpServer.layerHttpServices)
)

/** Goes on until the processes cannot be kept alive. */
export const untilFailed = Effect.flatMap(ProcessGroup, ({ failed }) => failed)
