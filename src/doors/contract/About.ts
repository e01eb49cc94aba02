import { Struct } from "effect"
import { OpenApi } from "effect/http-api"

/**
 * Words about an endpoint, and statuses that it `never` answers although the middleware of its group declares them for
 * all endpoints: a GET has no body to refuse, and changes nothing that a forged request could abuse. A list is there
 * even if it is empty.
 */
export const about = (
  summary: string,
  description?: string,
  never: ReadonlyArray<400 | 403 | 404 | 413 | 415> = []
) =>
  OpenApi.annotations({
    summary,
    ...(description === undefined ? {} : { description }),
    transform: (operation) => ({ ...operation, responses: Struct.omit(operation["responses"], never) })
  })
