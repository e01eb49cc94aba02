import { OpenApi } from "effect/http-api"

/** Words about an operation in the reference of the API. */
export const about = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description === undefined ? {} : { description }) })
