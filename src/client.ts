import { type Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "./doors/contract/Api.ts"

// For programs that call the server, browsers included: the contract, and nothing of the server.
export { Api }

export interface ClientOptions {
  /** Address of the API (`BASE_URL`). */
  readonly baseUrl: string
  /** An API key or an access token (RFC 6750 §2.1); none for public operations, or where a browser has a session. */
  readonly token?: Redacted.Redacted
}

/** A typed client of a server: a method for each operation, with its documented errors. */
export const makeClient = (
  { baseUrl, token }: ClientOptions
): Effect.Effect<HttpApiClient.ForApi<typeof Api>, never, HttpClient.HttpClient> =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: HttpClient.mapRequest((request) =>
      token === undefined ? request : HttpClientRequest.bearerToken(request, Redacted.value(token))
    )
  })
