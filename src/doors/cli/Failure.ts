import { Cause, Effect, Option } from "effect"
import { CliError } from "effect/cli"
import type { ApiError } from "../../domain/ApiError.ts"

/** Explains on standard error why a command failed. The effect still fails, so that the exit code is not 0. */
export const explainFailure = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(self, (cause) => {
    const error = Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause))
    // The parser has explained a malformed command line along with the help.
    if (Cause.hasInterruptsOnly(cause) || CliError.isCliError(error)) return Effect.void
    return Effect.sync(() => process.stderr.write(`${explain(error)}\n`))
  })

const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { details } = error as Pick<ApiError, "details">
  return [error.message, ...(details ?? []).map(({ message, path }) => `  ${path} ${message}`)].join("\n")
}
