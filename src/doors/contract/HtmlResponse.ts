import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** A page for people: its text is not part of the contract. */
export const page = (status: number, description: string) =>
  Schema.String.annotate({ description }).pipe(
    HttpApiSchema.asText({ contentType: "text/html" }),
    HttpApiSchema.status(status)
  )

/** A redirect of the browser to another page (RFC 9110 §15.4.4). */
export const seeOther = (description: string) => HttpApiSchema.Empty(303).annotate({ description })

/** Error boundary's pages for any request that needs the database. */
export const failurePages = [
  page(500, "The server made a mistake"),
  page(503, "The server cannot reach its database")
] as const
