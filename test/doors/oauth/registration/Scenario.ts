import { Effect, Redacted } from "effect"
import { InitialTokens } from "../../../../src/core/clients/dynamic/InitialTokens.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { type Answer, serverClient } from "../../../support/TestServer.ts"

export const endpoint = "/v2/auth/oauth2/register"
export const callback = "https://client.example.org/callback"

/** Sends a request with JSON and, where there is one, a bearer token. */
export const sendJson = Effect.fnUntraced(
  function*(method: string, path: string, body?: unknown, token?: unknown, more: Record<string, string> = {}) {
    const { ask } = yield* serverClient
    return yield* ask(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...more
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
  }
)

export const register = (metadata: unknown, token?: unknown) => sendJson("POST", endpoint, metadata, token)

/** What manages the app of an answer. */
export const managed = ({ json }: Answer) => {
  const path = new URL(String(json["registration_client_uri"])).pathname
  const token = json["registration_access_token"]
  return {
    path,
    token,
    id: String(json["client_id"]),
    read: sendJson("GET", path, undefined, token),
    replace: (metadata: object) => sendJson("PUT", path, { client_id: json["client_id"], ...metadata }, token),
    remove: sendJson("DELETE", path, undefined, token)
  }
}

export const initialToken = Effect.fnUntraced(function*(options: { readonly mostUses?: number } = {}) {
  const { info, token } = yield* Effect.orDie(
    (yield* InitialTokens).create({ name: "Desktop clients", ...options }, UserId.make("admin"))
  )
  return { ...info, token: Redacted.value(token) }
})
