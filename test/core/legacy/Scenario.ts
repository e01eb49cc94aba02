import { Effect, Option, Redacted, Stream } from "effect"
import { type SessionOrigin, Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { LegacyImport } from "../../../src/core/legacy/import/LegacyImport.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { decisionPath } from "../../../src/doors/consent/ConsentView.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { basic, form, serverClient } from "../../support/TestServer.ts"
import { newAccount } from "../clients/Scenario.ts"

export const redirectUri = "https://old.example/callback"

/** A user who is signed in at a browser. */
export const visitor = Effect.fnUntraced(function*(id: UserId, origin?: SessionOrigin) {
  const http = yield* serverClient
  const config = yield* AppConfig
  const sessions = yield* Sessions
  const token = Redacted.value(yield* sessions.start(id, origin))
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const headers = { cookie: `${cookieName(config)}=${token}` }
  return {
    id,
    get: (path: string) => http.ask(path, { headers }),
    post: (path: string, fields: Record<string, string>) =>
      http.ask(path, { method: "POST", headers, body: form({ csrf, ...fields }) }),
    /** Calls the management API. */
    call: (method: string, path: string, body?: object) =>
      http.ask(path, {
        method,
        headers: { ...headers, "x-csrf-token": csrf, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
  }
})

export type Visitor = Effect.Success<ReturnType<typeof visitor>>

/** An imported legacy app with its owner, an administrator, and new users. */
export const legacyApp = Effect.gen(function*() {
  const http = yield* serverClient
  const review = yield* ClientReview
  const owner = yield* Effect.flatMap(newAccount("owner"), visitor)
  const admin = yield* Effect.flatMap(newAccount("admin", "admin"), visitor)
  const id = `old-${crypto.randomUUID()}`
  const secret = "an old client secret"
  const record = {
    client_id: id,
    owner: owner.id,
    // Users cannot tell apps of one name: once a reviewer has decided about one, it keeps the name.
    name: `Old Timer ${id.slice(-12)}`,
    redirect_uris: [redirectUri],
    secrets: [{ secret, algorithm: "clear" }]
  }
  yield* (yield* LegacyImport).apply(Stream.make(JSON.stringify(record)), "cli")

  /** Opens an authorization URL of the app. `answer` allows it and reads what the app gets. */
  const get = (user: Visitor, scope?: string) =>
    user.get(`/auth/oauth2/authorize?${form({ client_id: id, redirect_uri: redirectUri, scope })}`)
  const ask = Effect.fnUntraced(function*(user: Visitor, scope?: string) {
    const asked = yield* get(user, scope)
    const request = /name="request" value="([^"]*)"/.exec(asked.text)?.[1]
    const answered = request === undefined
      ? Effect.succeed(asked)
      : user.post(decisionPath, { request, decision: "allow" })
    return {
      page: asked.text,
      answer: Effect.map(answered, redirected)
    }
  })
  const authorize = (user: Visitor, scope?: string) => Effect.flatMap(ask(user, scope), ({ answer }) => answer)
  const exchange = (code: string) =>
    http.token({ grant_type: "authorization_code", code, redirect_uri: redirectUri }, basic(id, secret))

  return {
    ...http,
    /** Asks as a gateway does whether an API call may pass. */
    check: (method: string, target: string, token: unknown) =>
      http.ask("/v2/auth/oauth2/check/nginx", {
        headers: { "x-original-method": method, "x-original-uri": target, authorization: `Bearer ${String(token)}` }
      }),
    id,
    owner,
    admin,
    path: `/v2/oauth-clients/${id}`,
    ask,
    /** Opens an authorization URL of the app; what it gets is empty while a question waits. */
    open: (user: Visitor, scope?: string) => Effect.map(get(user, scope), redirected),
    authorize,
    exchange,
    refresh: (token: unknown, scope?: string) =>
      http.token({ grant_type: "refresh_token", refresh_token: String(token), scope }, basic(id, secret)),
    /** Authorizes the app and exchanges the code for tokens. */
    connect: (user: Visitor, scope?: string) =>
      Effect.flatMap(authorize(user, scope), (answer) => exchange(answer.get("code") ?? "")),
    user: Effect.flatMap(newAccount("user"), visitor),
    client: Effect.orDie(review.get(id)),
    approve: Effect.flatMap(Effect.orDie(review.get(id)), ({ version }) => review.approve(admin.id, id, version)),
    /** Approves whatever breaks by it. */
    approveAllTheSame: Effect.flatMap(
      Effect.orDie(review.get(id)),
      ({ version }) => review.approve(admin.id, id, version, { breakOldUrls: true })
    ),
    reject: Effect.flatMap(
      Effect.orDie(review.get(id)),
      ({ version }) => review.reject(admin.id, id, "No.", version)
    )
  }
})

const redirected = ({ headers }: { readonly headers: Headers }) =>
  new URL(headers.get("location") ?? "about:blank").searchParams
