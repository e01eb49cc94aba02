import { Cause, Effect, Option } from "effect"
import { CliError } from "effect/cli"
import type { ApiError } from "../../domain/ApiError.ts"

/** Says on standard error in plain words why a command failed; the failure stays one, so the exit code is not 0. */
export const explained = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(self, (cause) => {
    const error = Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause))
    // What the command line itself gets wrong was told with the help.
    if (Cause.hasInterruptsOnly(cause) || CliError.isCliError(error)) return Effect.void
    return Effect.sync(() => process.stderr.write(`${explain(error)}\n`))
  })

const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { details } = error as Pick<ApiError, "details">
  return [error.message, ...(details ?? []).map(({ message, path }) => `  ${path} ${message}`)].join("\n")
}
