// @effect-diagnostics strictEffectProvide:off
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { LocalIdentitySource } from "../../../src/core/accounts/local/LocalIdentitySource.ts"
import { Passwords } from "../../../src/core/accounts/local/Passwords.ts"
import { LocalUsers } from "../../../src/core/accounts/LocalUsers.ts"
import { ClaimedRoles } from "../../../src/core/accounts/people/ClaimedRoles.ts"
import { Continuations } from "../../../src/core/accounts/people/Continuations.ts"
import { FormMarks } from "../../../src/core/accounts/people/FormMarks.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import type { RegistrationInput } from "../../../src/core/clients/life/Registration.ts"
import { ConsentServices } from "../../../src/core/consent/ConsentServices.ts"
import { StoredGrants } from "../../../src/core/grants/GrantServices.ts"
import { MasterKey } from "../../../src/core/keys/MasterKey.ts"
import { LegacyTraffic } from "../../../src/core/legacy/migration/LegacyTraffic.ts"
import { Resources } from "../../../src/core/resources/Resources.ts"
import type { ClientId, UserId } from "../../../src/domain/Ids.ts"
import type { GrantedScopes } from "../../../src/domain/scopes/Scope.ts"
import { AuthorizationPages } from "../../../src/doors/consent/AuthorizationPages.ts"
import { ConnectionsPages } from "../../../src/doors/consent/ConnectionsPages.ts"
import { ReportPages } from "../../../src/doors/consent/ReportPages.ts"
import { WaitingPages } from "../../../src/doors/consent/WaitingPages.ts"
import { PageSession } from "../../../src/doors/session/PageSession.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { challenge } from "../../core/consent/Fixture.ts"
import { httpSender } from "../../support/HttpSender.ts"

/**
 * Services behind the pages, on a database of their own; `env` holds settings by their names in
 * docs/operations/settings.md.
 */
export const servicesWith = (env: Readonly<Record<string, string>> = {}) =>
  Layer.mergeAll(ConsentServices, PageSession.layer).pipe(
    Layer.provideMerge(Resources.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        ClaimedRoles.layer,
        Continuations.layer,
        FormMarks.layer,
        StoredGrants,
        LegacyTraffic.layer,
        LocalIdentitySource,
        Sessions.layer
      )
    ),
    Layer.provideMerge(Layer.mergeAll(LocalUsers.layer, MasterKey.layer, Passwords.layer)),
    Layer.provideMerge(Clients.servicesWith(env)),
    Layer.provideMerge(Layer.mergeAll(AppConfig.layerTest(env), HttpServer.layerServices))
  )

export const Services = servicesWith()

const routes = Layer.mergeAll(ErrorBoundary, AuthorizationPages, ConnectionsPages, ReportPages, WaitingPages)

/** A browser, with a signed-in user or without a session. */
export const browser = Effect.fnUntraced(function*(userId?: UserId) {
  const config = yield* AppConfig
  const sessions = yield* Sessions
  const send = yield* httpSender(routes)
  const token = userId === undefined ? undefined : Redacted.value(yield* sessions.start(userId))
  const session = token === undefined ? undefined : Option.getOrThrow(yield* sessions.find(token))
  const headers: Record<string, string> = token === undefined ? {} : { cookie: `${cookieName(config)}=${token}` }
  const answer = (response: Response) =>
    Effect.map(Effect.promise(() => response.text()), (body) => ({
      status: response.status,
      location: response.headers.get("location"),
      headers: response.headers,
      body,
      /** Id of the question on the page. */
      question: /name="request" value="([^"]*)"/.exec(body)?.[1] ?? ""
    }))
  const get = (path: string) => Effect.flatMap(send(path, { headers }), answer)
  const post = (path: string, fields: Record<string, string>) =>
    Effect.flatMap(send(path, { method: "POST", headers, body: new URLSearchParams(fields) }), answer)
  const csrf = session?.csrf ?? ""
  return { get, post, csrf, session: session! }
})

export const authorizePath = (query: Record<string, string>) => `/auth/oauth2/authorize?${new URLSearchParams(query)}`

/** A live grant, inserted without the exchange of a code. */
export const grant = Effect.fnUntraced(function*(userId: UserId, clientId: ClientId, scopes: GrantedScopes) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  const expiresAt = DateTime.toDateUtc(DateTime.add(now, { days: 365 }))
  yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
    VALUES (${randomUUID()}, ${new Uint8Array(32)}, ${clientId}, ${userId}, ${scopes}, ${at}, ${at}, ${expiresAt})`
}, Effect.orDie)

/** An approved app, a signed-in user, and the request of the app. */
export const requestingApp = Effect.fnUntraced(function*(input: Partial<RegistrationInput> = {}) {
  const owner = yield* Clients.newAccount("owner")
  const admin = yield* Clients.newAccount("admin", "admin")
  const user = yield* Clients.newAccount("user")
  const client = yield* Clients.approvedClient(owner, admin, input)
  const request = {
    client_id: client.id,
    redirect_uri: client.redirectUris[0]!,
    scope: "PROFILE_READ",
    state: "a b+c&d=\u00e9",
    ...(client.kind === "public" ? { code_challenge: challenge } : {})
  }
  return { owner, admin, user, client, request, tab: yield* browser(user) }
})

/** Parameters of a redirect. */
export const parameters = (location: string | null) =>
  Object.fromEntries(new URL(location ?? "about:blank").searchParams)

/** Codes issued so far. */
export const codes = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ clientId: string; scopes: ReadonlyArray<string> | null; redirectUri: string }>`
    SELECT client_id, user_id, scopes, redirect_uri, code_challenge FROM codes ORDER BY created_at`
})
export const codesOf = (clientId: string) =>
  Effect.map(codes, (all) => all.filter((code) => code.clientId === clientId))

export const { approvedClient, newAccount, newClient } = Clients
