import { Effect, Result } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { isUtf8 } from "node:buffer"
import * as Parameters from "../../domain/Parameters.ts"
import * as MediaType from "../http/MediaType.ts"
import { failurePage } from "./Layout.ts"

/**
 * The fields of a form that was posted, read strictly: an empty field is absent, and a repeated one is refused, so
 * checkboxes need a name each. Fails with the page to answer instead.
 */
export const readForm: Effect.Effect<
  Parameters.Parameters,
  HttpServerResponse.HttpServerResponse,
  HttpServerRequest.HttpServerRequest
> = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (MediaType.parse(request.headers["content-type"])?.essence !== "application/x-www-form-urlencoded") {
    return yield* refuse(415, "The form was not sent as application/x-www-form-urlencoded.")
  }
  // What is larger than the limit of the shell ends in the shell's own answer.
  const body = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
  if (!isUtf8(body)) return yield* refuse(400, "The form is not valid UTF-8.")
  const fields = Parameters.fromForm(Buffer.from(body).toString("utf8"))
  if (Result.isFailure(fields)) return yield* refuse(400, `The form could not be read: ${fields.failure}.`)
  return fields.success
})

/** The query of the request; one that cannot be read is as good as none. */
export const readQuery: Effect.Effect<Parameters.Parameters, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => Result.getOrElse(Parameters.fromForm(/\?([^#]*)/.exec(url)?.[1] ?? ""), () => new Map())
)

const refuse = (status: number, what: string) =>
  Effect.fail(failurePage({
    status,
    title: "Not understood",
    what,
    remedy: "The program that sent it made a mistake. Nothing was changed. Go back, load the page anew and try again."
  }))
