import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientOrigin } from "../../src/core/clients/records/ClientOrigin.ts"
import { nobody } from "../../src/core/clients/records/Nobody.ts"
import { TestServer } from "../../src/testing.ts"
import type { AppOptions, TestApp, TestSession } from "../../src/testing/Fixtures.ts"

/** State of an app's request, with characters that an encoding would change. */
export const state = "a%20b%2Bc~secret-of-the-app"

/** An app that came by itself: nobody owns it. */
export const ownerless = Effect.fnUntraced(function*(
  options: AppOptions = {},
  origin: ClientOrigin = "dynamic"
) {
  const kit = yield* TestServer
  const sql = yield* SqlClient.SqlClient
  const app = yield* kit.app({ status: "pending", ...options })
  yield* sql`UPDATE clients SET origin = ${origin}, owner_id = ${nobody} WHERE id = ${app.clientId}`
  return app
})

/** Address of an app's request. */
export const requestOf = (app: TestApp, more: Readonly<Record<string, string>> = {}): string =>
  `/auth/oauth2/authorize?${new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    scope: app.scopes.join(" "),
    ...more
  })}&state=${state}`

/** A signed-in browser of a user. */
export const browser = Effect.fnUntraced(function*(session: TestSession) {
  const kit = yield* TestServer
  const answered = Effect.fnUntraced(function*(response: Response) {
    const location = response.headers.get("location")
    return {
      status: response.status,
      location,
      path: location === null ? "" : new URL(location, kit.url).pathname + new URL(location, kit.url).search,
      refresh: response.headers.get("refresh"),
      csp: response.headers.get("content-security-policy") ?? "",
      body: yield* Effect.promise(() => response.text())
    }
  })
  const get = (path: string) => Effect.flatMap(kit.fetch(path, { headers: { cookie: session.cookie } }), answered)
  const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    Effect.flatMap(kit.submit(session, path, fields), answered)
  /** Opens a request that waits, and answers the address of its page. */
  const arrive = Effect.fnUntraced(function*(request: string) {
    const { path } = yield* get(request)
    return path
  })
  const ask = Effect.fnUntraced(function*(request: string, reason = "For the rota of my team.") {
    const path = yield* arrive(request)
    yield* post(`${path}/ask`, { reason })
    return path
  })
  return { ...session, get, post, arrive, ask }
})

/** Same of a new user. */
export const person = Effect.gen(function*() {
  const kit = yield* TestServer
  return yield* browser(yield* kit.session(yield* kit.user()))
})
