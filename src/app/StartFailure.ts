import { Cause, Effect, Option } from "effect"
import { HttpServerError } from "effect/http"
import { messageOf } from "../domain/Cause.ts"

/** Prints why a process could not start, in plain words for the operator; the process still ends with the failure. */
export const explainFailure = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(self, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Effect.sync(() =>
        process.stderr.write(`${explain(Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause)))}\n`)
      ))

const explain = (error: unknown): string => {
  if (error instanceof HttpServerError.ServeError) return explainServe(error.cause)
  return messageOf(error)
}

const explainServe = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "The server cannot listen"
  const { code, port } = cause as NodeJS.ErrnoException & { readonly port?: number }
  if (code === "EADDRINUSE") return `Port ${port} is in use; choose another one with PORT`
  if (code === "EACCES") return `Port ${port} needs more rights; choose another one with PORT`
  return `The server cannot listen: ${cause.message}`
}
