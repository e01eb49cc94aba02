import { Cause, Context, Effect, Formatter, Layer, Logger, Option, References } from "effect"
import { HttpServerRequest } from "effect/http"
import { AppConfig } from "../config/AppConfig.ts"
import { table } from "../config/Settings.ts"
import { logLevel } from "../config/SettingTypes.ts"
import { sampledSpan } from "../tracing/TraceContext.ts"
import { requestIdOf } from "./RequestId.ts"

/**
 * Log of every process, from `LOG_LEVEL` on: people read an embedded server's, programs read the others'
 * (docs/operations/logs.md).
 */
export const layer: Layer.Layer<never, never, AppConfig> = Layer.unwrap(
  Effect.map(AppConfig, ({ database, logLevel }) =>
    Layer.merge(
      Logger.layer([database._tag === "Server" ? Logger.withConsoleLog(json) : pretty]),
      Layer.succeed(References.MinimumLogLevel, logLevel)
    ))
)

/**
 * Same for a command, on standard error, because its results are on standard output. Without `LOG_LEVEL` the log of an
 * embedded server begins at `warn` here, for who runs the command reads what it prints. A wrong setting is left to the
 * command, which explains it; its help needs none.
 */
export const layerCommand: Layer.Layer<never> = Layer.unwrap(Effect.gen(function*() {
  const isServer = Option.isSome(yield* Effect.orElseSucceed(table.databaseUrl.config, Option.none))
  const level = logLevel(isServer ? "info" : "warn").from(table.logLevel.name)
  return Layer.mergeAll(
    Logger.layer([isServer ? Logger.withConsoleError(json) : pretty]),
    Layer.succeed(References.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, yield* Effect.orElseSucceed(level, () => "Info" as const))
  )
}))

type Line = Readonly<Record<string, string | number | boolean | null>>

/**
 * Makes a flat line of a message: `message` is a sentence, and whatever is known beside it has a field of its own. No
 * field of the frame can be replaced by one of them.
 */
export const formatLine = Logger.make(({ cause, date, fiber, logLevel, message }): Line => {
  const parts = Array.isArray(message) ? message : [message]
  const failure = Cause.fromReasons([...cause.reasons, ...parts.flatMap(reasonsOf)])
  return {
    ...fieldsOf(fiber.getRef(References.CurrentLogAnnotations)),
    ...Object.assign({}, ...parts.map((part) => isFields(part) ? fieldsOf(part) : {})),
    timestamp: date.toISOString(),
    level: logLevel.toUpperCase(),
    message: parts.filter((part) => !isFields(part) && !(part instanceof Error)).map(textOf).join(" "),
    ...requestFields(fiber.context),
    ...(failure.reasons.length === 0 ? {} : { cause: Cause.pretty(failure) })
  }
})

const json = Logger.map(formatLine, (line) => JSON.stringify(line))

const pretty: Logger.Logger<unknown, void> = Logger.make((options) => {
  const fields = requestFields(options.fiber.context)
  const { message } = options
  const known = Object.keys(fields).length === 0 ? [] : [fields]
  prettyLines.log({ ...options, message: [...(Array.isArray(message) ? message : [message]), ...known] })
})

const prettyLines = Logger.consolePretty()

/** Request that a fiber works for, if any, and its trace, if there is one. */
const requestFields = (context: Context.Context<never>): Line => {
  const request = Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest)
  const span = sampledSpan(context)
  return {
    ...(request === undefined ? {} : { request_id: requestIdOf(request) }),
    ...(span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId })
  }
}

const reasonsOf = (part: unknown) => part instanceof Error ? Cause.die(part).reasons : []

/** Tells an object whose entries are fields of the line. */
const isFields = (part: unknown): part is Readonly<Record<string, unknown>> =>
  typeof part === "object" && part !== null && Object.getPrototypeOf(part) === Object.prototype

const fieldsOf = (fields: Readonly<Record<string, unknown>>): Line =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fieldOf(value)]))

const fieldOf = (value: unknown) =>
  value === null || typeof value === "number" || typeof value === "boolean" ? value : textOf(value)

const textOf = (value: unknown): string => typeof value === "string" ? value : Formatter.format(value)
