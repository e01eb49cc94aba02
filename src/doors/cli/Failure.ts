import { Cause, Console, Effect, Layer, Option, Runtime, Stdio } from "effect"
import { CliError, CliOutput } from "effect/cli"
import type { ApiError } from "../../domain/ApiError.ts"
import { DatabaseError } from "../../foundation/database/Database.ts"
import { outageOf } from "../../foundation/database/Outages.ts"
import { during } from "../../foundation/http/Unavailable.ts"

/** Exit codes of the command line; docs/operations/cli.md lists them. */
export const exitCodes = {
  done: 0,
  /** The command could not do it: the database is away, a rule forbids it, or something is broken. */
  failed: 1,
  /** The command line or its input does not fit, or was not confirmed; nothing was changed. */
  usage: 2,
  notFound: 3
} as const

// The parser has not run when a layer fails, and it hands the flag to the command's handler alone.
const isJson = Effect.flatMap(Stdio.Stdio, ({ args }) => Effect.map(args, (args) => args.includes("--json")))

/** Explains on standard error why a command failed, in JSON with `--json`. The effect still fails. */
export const explainFailure = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Stdio.Stdio> =>
  Effect.tapCause(self, (cause) => {
    const error = errorOf(cause)
    // The parser has explained a malformed command line along with the help.
    if (Cause.hasInterruptsOnly(cause) || CliError.isCliError(error)) return Effect.void
    return Effect.flatMap(
      isJson,
      (isJson) => Console.error(isJson ? JSON.stringify({ error: encode(error) }) : explain(error))
    )
  })

/** Explains a malformed command line as any other error with `--json`; people get the help of the command as well. */
export const explainInvocation: Layer.Layer<never, never, Stdio.Stdio> = Layer.effect(
  CliOutput.Presenter,
  Effect.map(isJson, (isJson) => ({
    present: (event: CliOutput.Presenter.Event) =>
      isJson && event._tag === "InvalidInvocation"
        ? Console.error(JSON.stringify({
          error: { code: "malformed_command_line", message: event.errors.map(({ message }) => message).join(" ") }
        }))
        : CliOutput.defaultPresenter.present(event)
  }))
)

/** Ends the process with the exit code of the outcome. */
export const teardown: Runtime.Teardown = (exit, onExit) =>
  exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause)
    ? onExit(exitCodeOf(errorOf(exit.cause)))
    : Runtime.defaultTeardown(exit, onExit)

const errorOf = (cause: Cause.Cause<unknown>): unknown =>
  Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause))

const exitCodeOf = (error: unknown): number => {
  if (CliError.isCliError(error)) return exitCodes.usage
  switch (tagOf(error)) {
    case "BadRequest":
    case "PasswordMissing":
      return exitCodes.usage
    case "NotFound":
      return exitCodes.notFound
    default:
      return exitCodes.failed
  }
}

const tagOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined

const explain = (error: unknown): string => {
  const { details, message } = encode(error)
  return [message, ...(details ?? []).map(({ message, path }) => `  ${path} ${message}`)].join("\n")
}

const encode = (error: unknown): Pick<ApiError, "code" | "message" | "details"> => {
  // The words of the driver alone would not say what to do.
  const outage = outageOf(error)
  if (outage !== undefined) {
    const { reason, remedy, what } = outage
    return { code: during(outage).code, message: `${what} ${remedy} (${reason})` }
  }
  if (error instanceof DatabaseError && error.remedy !== undefined) {
    return { code: "failed", message: `${error.message}. ${error.remedy}` }
  }
  if (!(error instanceof Error)) return { code: "failed", message: String(error) }
  const { code = "failed", details } = error as Partial<ApiError>
  // Pages alone need the rules.
  const told = details?.map(({ message, path }) => ({ path, message }))
  return { code: String(code), message: error.message, ...(told === undefined ? {} : { details: told }) }
}
