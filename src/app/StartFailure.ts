import { Cause, Effect, Option } from "effect"
import { HttpServerError } from "effect/http"
import { messageOf } from "../domain/Cause.ts"
import { OperatorPortError } from "../foundation/operator/OperatorPort.ts"

/** Prints why a process could not start, in plain words for the operator. */
export const explainFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.sync(() =>
      process.stderr.write(`${explain(Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause)))}\n`)
    )

const explain = (error: unknown): string => {
  if (error instanceof HttpServerError.ServeError) return explainServe(error.cause, "HOST", "PORT")
  if (error instanceof OperatorPortError) return explainServe(error.cause, error.hostSetting, error.portSetting)
  return messageOf(error)
}

const explainServe = (cause: unknown, hostSetting: string, portSetting: string): string => {
  if (!(cause instanceof Error)) return "The server cannot listen"
  const { address, code, port } = cause as NodeJS.ErrnoException & { readonly address?: string; readonly port?: number }
  if (code === "EADDRINUSE") return `Port ${port} is in use; choose another one with ${portSetting}`
  if (code === "EACCES") return `Port ${port} needs more rights; choose another one with ${portSetting}`
  if (code === "EADDRNOTAVAIL") return `This machine has no address ${address}; choose another one with ${hostSetting}`
  return `The server cannot listen: ${cause.message}`
}
