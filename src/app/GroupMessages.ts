import { Option, Schema } from "effect"
import type { Report } from "../foundation/operator/Readiness.ts"

/** A question of a group's primary to one of its processes; `alive` tells that its event loop turns. */
export const Topic = Schema.Literals(["alive", "readiness", "metrics"])
export type Topic = typeof Topic.Type

export const Question = Schema.Struct({ ask: Topic, id: Schema.Int })
export const Answer = Schema.Struct({ id: Schema.Int, answer: Schema.String })

/** Signals that stop a process; the second one ends the delay of a stop. SIGHUP is a terminal that was closed. */
export const StopSignal = Schema.Literals(["SIGINT", "SIGTERM", "SIGHUP"])
export type StopSignal = typeof StopSignal.Type

/** Stops a process of the group, as the signal would. */
export const Stop = Schema.Struct({ stop: StopSignal })

/** A process says that it has closed the port, and its primary that all have. */
export const PortClosed = Schema.Struct({ portClosed: Schema.Literal(true) })

const Finding = Schema.Struct({ status: Schema.Literals(["ok", "degraded", "failed"]), detail: Schema.String })

/** Readiness of a process as an answer. */
export const ReportText: Schema.Codec<Report, string> = Schema.fromJsonString(Schema.Struct({
  status: Finding.fields.status,
  checks: Schema.Record(Schema.String, Finding)
}))

/** Calls the listener with each message of this kind, before other listeners; answers how to end that. */
export const listen = <S extends Schema.Codec<unknown, unknown>>(kind: S, listener: (message: S["Type"]) => void) => {
  const decode = Schema.decodeUnknownOption(kind)
  const onMessage = (message: unknown) => void Option.map(decode(message), listener)
  process.prependListener("message", onMessage)
  return () => void process.off("message", onMessage)
}
