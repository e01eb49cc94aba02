import { Struct } from "effect"
import { OpenApi } from "effect/http-api"

/** Takes statuses out of the description of an endpoint that the middleware of its group answers to other endpoints only. */
export const neverAnswers = (...statuses: ReadonlyArray<400 | 403 | 413 | 415>) =>
  OpenApi.annotations({
    transform: (operation) => ({ ...operation, responses: Struct.omit(operation["responses"], statuses) })
  })
