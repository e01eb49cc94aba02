import { Struct } from "effect"
import { OpenApi } from "effect/http-api"

/**
 * Removes statuses from the description of an endpoint. The middleware of its group declares them for all endpoints,
 * but a GET has no body to refuse, and changes nothing that a forged request could abuse. A list is there even if it is
 * empty.
 */
export const neverAnswers = (...statuses: ReadonlyArray<400 | 403 | 404 | 413 | 415>) =>
  OpenApi.annotations({
    transform: (operation) => ({ ...operation, responses: Struct.omit(operation["responses"], statuses) })
  })
