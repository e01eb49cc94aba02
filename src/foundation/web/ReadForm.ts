import { Effect, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { isUtf8 } from "node:buffer"
import * as Parameters from "../../domain/Parameters.ts"
import * as Body from "../http/Body.ts"
import * as MediaType from "../http/MediaType.ts"
import type { Html } from "./Html.ts"
import { failurePage } from "./Layout.ts"
import { text } from "./Message.ts"

/**
 * Reads the fields of a posted form. An empty field counts as absent, and a repeated one is refused, so each checkbox
 * needs a name of its own. Fails with the page to show instead.
 */
export const readForm = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (MediaType.parse(request.headers["content-type"])?.essence !== formType) {
    return yield* notUnderstood(415, text("failure.form.type", { type: formType }))
  }
  if (Body.isEncoded(request)) {
    return yield* Effect.mapError(
      notUnderstood(415, text("failure.form.coding", { header: "Content-Encoding" })),
      HttpServerResponse.setHeaders(Body.takesNoCoding)
    )
  }
  // A body above the limit is answered by `ErrorBoundary`.
  const body = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
  if (!isUtf8(body)) return yield* notUnderstood(400, text("failure.form.encoding", { encoding: "UTF-8" }))
  const fields = Parameters.fromForm(Buffer.from(body).toString("utf8"))
  if (Result.isFailure(fields)) {
    return yield* notUnderstood(400, text("failure.form.malformed", { fault: fields.failure }))
  }
  return fields.success
})

/** Reads the query of the request; one that is malformed counts as empty. */
export const readQuery: Effect.Effect<Parameters.Parameters, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => Result.getOrElse(Parameters.fromForm(/\?([^#]*)/.exec(url)?.[1] ?? ""), () => new Map())
)

/** Version of a thing that a form was made for; a form without one counts as stale. */
export const versionOf = (fields: Parameters.Parameters): number => Number(fields.get("version") ?? Number.NaN)

const formType = "application/x-www-form-urlencoded"

const notUnderstood = (status: number, what: Html) =>
  Effect.fail(failurePage({
    status,
    title: text("failure.notUnderstood"),
    what,
    remedy: text("failure.form.remedy")
  }))
