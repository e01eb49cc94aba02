import { Cause, Context, Duration, Effect, Layer, Metric, Schedule } from "effect"
import { messageOf } from "../../domain/Cause.ts"

// This room is what the operator of a process sees: the checks of its readiness, its metrics, and the port that shows
// both. Rooms above register what they know; `src/app` and `workers` open the port.

/** Checks by their names in `/readyz` and in the metric `slotkey_check`, in the order in which they are shown. */
export const names = [
  "database",
  "keys",
  "catalogue",
  "draining",
  "clock",
  "jobs",
  "relay",
  "processes",
  "file-descriptors"
] as const
type CheckName = (typeof names)[number]

/**
 * `failed` takes the process out of service. `degraded` does not: something is wrong that an operator should see, but
 * requests are answered, or all processes share it and taking all of them out would help nobody.
 */
export type Status = "ok" | "degraded" | "failed"

export interface Finding {
  readonly status: Status
  /** A sentence for operators, without anything secret. */
  readonly detail: string
  /** What to do about it, where the probe knows; a report has it in the detail. */
  readonly remedy?: string
  /** True of a state that every start passes through: it is not worth a line in the log yet. */
  readonly isStarting?: boolean
}

export const ok = (detail: string): Finding => ({ status: "ok", detail })

export const degraded = (detail: string, remedy?: string): Finding => finding("degraded", detail, remedy)

export const failed = (detail: string, remedy?: string): Finding => finding("failed", detail, remedy)

export const finding = (status: Status, detail: string, remedy?: string): Finding => ({
  status,
  detail,
  ...remedy === undefined ? {} : { remedy }
})

export interface Check<Name extends string = CheckName, R = never> {
  readonly name: Name
  readonly probe: Effect.Effect<Finding, never, R>
  /** Status of a probe that does not answer in time, or dies. */
  readonly otherwise: "degraded" | "failed"
}

export interface Report {
  readonly status: Status
  readonly checks: { readonly [Name in CheckName]?: Finding }
}

/** Tells whether this process should get requests, or do jobs, and why not. */
export class Readiness extends Context.Service<Readiness, {
  add(check: Check): Effect.Effect<void>
  /** Fails the check `draining` from now on: the process is about to stop. */
  readonly startDraining: Effect.Effect<void>
  /**
   * All checks. Callers share one round of probes and what it found for a second, so that asking often costs nothing. A
   * status that changed is written to the log and the metric.
   */
  readonly report: Effect.Effect<Report>
}>()("slotkey/foundation/operator/Readiness") {
  static readonly layer: Layer.Layer<Readiness> = Layer.effect(
    Readiness,
    Effect.gen(function*() {
      const context = yield* Effect.context<never>()
      let isDraining = false
      const draining: Check = {
        name: "draining",
        probe: Effect.sync(() => isDraining ? drains : stays),
        otherwise: "failed"
      }
      const checks = new Map<CheckName, Check>([["draining", draining]])
      const known = new Map<CheckName, Status>()

      const note = Effect.fnUntraced(function*(name: CheckName, finding: Finding) {
        const { detail, status } = told(finding)
        const before = known.get(name) ?? "ok"
        if (!finding.isStarting) known.set(name, status)
        for (const each of statuses) {
          yield* Metric.update(Metric.withAttributes(gauge, { check: name, status: each }), each === status ? 1 : 0)
        }
        if (status === before || finding.isStarting) return
        const write = status === "ok" ? Effect.logInfo : Effect.logWarning
        yield* write(`The check "${name}" is ${status}: ${detail}`).pipe(
          Effect.annotateLogs({ check: name, status })
        )
      })

      const probeAll = Effect.gen(function*() {
        const found = yield* Effect.forEach(
          names.flatMap((name) => checks.get(name) ?? []),
          (check) => Effect.map(examine(check), (finding) => [check.name, finding] as const),
          { concurrency: "unbounded" }
        )
        for (const [name, finding] of found) yield* note(name, finding)
        const status = worst(found.map(([, { status }]) => status))
        return {
          status,
          checks: Object.fromEntries(found.map(([name, finding]) => [name, told(finding)]))
        } satisfies Report
      })

      // The end of the second is slept for and not read from the clock, which may be set back by an hour.
      const forgetLater: Effect.Effect<void> = Effect.suspend(() =>
        Effect.asVoid(Effect.forkDetach(Effect.delay(forget, keptFor)))
      )
      // In the context of the process: the lines of the log are not about the request that happened to ask first.
      const round: Effect.Effect<Report> = Effect.tap(probeAll, forgetLater)
      const [report, forget] = yield* Effect.cachedInvalidateWithTTL(
        Effect.setContext(round, context),
        Duration.infinity
      )

      return Readiness.of({
        add: (check) => Effect.andThen(Effect.sync(() => checks.set(check.name, check)), forget),
        startDraining: Effect.andThen(
          Effect.sync(() => {
            isDraining = true
          }),
          forget
        ),
        report
      })
    })
  )

  /** Adds checks, which are made when the layer is built. */
  static readonly adding = <E, R>(
    checks: Effect.Effect<ReadonlyArray<Check>, E, R>
  ): Layer.Layer<never, E, R | Readiness> =>
    Layer.effectDiscard(
      Effect.flatMap(Readiness, ({ add }) => Effect.flatMap(checks, Effect.forEach(add, { discard: true })))
    )

  /** Asks regularly, so that a change is in the log and in the metric of a process that nobody else asks. */
  static readonly layerWatch: Layer.Layer<never, never, Readiness> = Layer.effectDiscard(
    Effect.flatMap(
      Readiness,
      ({ report }) => Effect.forkScoped(Effect.repeat(report, Schedule.spaced("10 seconds")))
    )
  )
}

/** Time after which a probe has failed. */
export const probeLimit = Duration.seconds(3)

const keptFor = Duration.seconds(1)

/** Makes a check once, which takes no longer than the limit. */
export const examine = <R>({ otherwise, probe }: Check<string, R>): Effect.Effect<Finding, never, R> =>
  probe.pipe(
    Effect.timeoutOrElse({
      duration: probeLimit,
      orElse: () =>
        Effect.succeed({ status: otherwise, detail: `No answer within ${Duration.toSeconds(probeLimit)} s.` })
    }),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.succeed({ status: otherwise, detail: messageOf(Cause.squash(cause)) })
    )
  )

const told = ({ detail, remedy, status }: Finding): Finding => ({
  status,
  detail: remedy === undefined ? detail : `${detail} ${remedy}`
})

const statuses = ["ok", "degraded", "failed"] as const
export const worst = (found: ReadonlyArray<Status>): Status =>
  statuses.findLast((status) => found.includes(status)) ?? "ok"

const stays: Finding = { status: "ok", detail: "The process goes on." }
const drains: Finding = { status: "failed", detail: "The process is about to stop." }

const gauge = Metric.gauge("slotkey_check", { description: "1 for the status that a check of readiness has, else 0" })
