import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import type { Role } from "../../../src/core/accounts/people/Account.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { SealedSecrets } from "../../../src/core/clients/secrets/SealedSecrets.ts"
import { AppReports } from "../../../src/core/consent/AppReports.ts"
import { StoredGrants } from "../../../src/core/grants/GrantServices.ts"
import { LegacyTraffic } from "../../../src/core/legacy/migration/LegacyTraffic.ts"
import { Migration } from "../../../src/core/legacy/migration/Migration.ts"
import { MigrationAudits } from "../../../src/core/legacy/migration/MigrationAudits.ts"
import { Resources } from "../../../src/core/resources/Resources.ts"
import { UsageReports } from "../../../src/core/usage/UsageReports.ts"
import { ClientsApi } from "../../../src/doors/contract/ClientsApi.ts"
import { RefusedRequestsApi } from "../../../src/doors/contract/RefusedRequestsApi.ts"
import { ReviewApi } from "../../../src/doors/contract/ReviewApi.ts"
import { ActivityPages } from "../../../src/doors/portal/ActivityPages.ts"
import { AppListPages } from "../../../src/doors/portal/AppListPages.ts"
import { ClientsHandlers } from "../../../src/doors/portal/ClientsHandlers.ts"
import { CredentialsPages } from "../../../src/doors/portal/CredentialsPages.ts"
import { LackingPages } from "../../../src/doors/portal/LackingPages.ts"
import { OverviewPages } from "../../../src/doors/portal/OverviewPages.ts"
import { RegisterPages } from "../../../src/doors/portal/RegisterPages.ts"
import { ScopesPages } from "../../../src/doors/portal/ScopesPages.ts"
import { SettingsPages } from "../../../src/doors/portal/SettingsPages.ts"
import { QueuePages } from "../../../src/doors/review/QueuePages.ts"
import { RefusedRequestsHandlers } from "../../../src/doors/review/RefusedRequestsHandlers.ts"
import { ReviewHandlers } from "../../../src/doors/review/ReviewHandlers.ts"
import { ReviewPages } from "../../../src/doors/review/ReviewPages.ts"
import { UnusedPages } from "../../../src/doors/review/UnusedPages.ts"
import {
  authenticatedLayer,
  requireAdminLayer,
  requireReviewerLayer
} from "../../../src/doors/session/Authentication.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { jsonInputLayer } from "../../../src/foundation/http/JsonInputLayer.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { password } from "../../core/accounts/Scenario.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { httpSender } from "../../support/HttpSender.ts"
import { Services as AccountServices } from "../account/Scenario.ts"

/** Services of the room and those of the accounts room, on one database; `env` is for those of apps and reviews. */
export const servicesWith = (env: Readonly<Record<string, string>> = {}) =>
  Layer.mergeAll(AppReports.layer, Migration.layer, Resources.layer, SealedSecrets.layer).pipe(
    Layer.provide([LegacyTraffic.layer, MigrationAudits.layer]),
    Layer.provideMerge(Layer.provide(UsageReports.layer, AppConfig.layerTest(env))),
    Layer.provideMerge(StoredGrants),
    Layer.provideMerge(Layer.merge(Clients.servicesWith(env), AccountServices))
  )

export const Services = servicesWith()

export const apiRoutes = HttpApiBuilder.layer(
  HttpApi.make("slotkey").add(ClientsApi).add(RefusedRequestsApi).add(ReviewApi).annotate(HttpApi.ParseOptions, {
    errors: "all"
  })
).pipe(
  Layer.merge(ErrorBoundary),
  Layer.provide([ClientsHandlers, RefusedRequestsHandlers, ReviewHandlers]),
  Layer.provide([authenticatedLayer, requireAdminLayer, requireReviewerLayer, jsonInputLayer]),
  Layer.provide(HttpServer.layerServices)
)

/** An app in an answer of the API. */
export interface App {
  readonly id: string
  readonly status: string
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly version: number
  readonly secret: string | null
  readonly rejectionReason: string | null
  readonly change: null | { readonly scopes: ReadonlyArray<string>; readonly rejectionReason: string | null }
}

/** Numbers of rows, which show that a refused request changes nothing. */
export const count = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ clients: number; secrets: number; outbox: number }>`SELECT
    (SELECT count(*)::int FROM clients) AS clients, (SELECT count(*)::int FROM client_secrets) AS secrets,
    (SELECT count(*)::int FROM outbox) AS outbox`
  return row
})

export interface Answer<A> {
  readonly status: string
  readonly data: A
  /** Of lists that come page by page. */
  readonly nextCursor?: string | null
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: ReadonlyArray<{ readonly path: string; readonly message: string }>
  }
}

export const newAccount = Effect.fnUntraced(function*(role: Role = "user") {
  const accounts = yield* Accounts
  const email = `${crypto.randomUUID()}@example.test`
  return yield* accounts.create({ email, name: `Some ${role}`, password, role })
})

/** A new account that sends JSON with its API key. */
export const caller = Effect.fnUntraced(function*(role: Role = "user") {
  const account = yield* newAccount(role)
  const { key } = yield* (yield* ApiKeys).create(account.id, "test", account.id)
  const send = yield* httpSender(apiRoutes)
  const raw = (method: string, path: string, body?: BodyInit, contentType = "application/json") =>
    send(path, {
      method,
      headers: { authorization: `Bearer ${Redacted.value(key)}`, "content-type": contentType },
      ...(body === undefined ? {} : { body })
    })
  const call = Effect.fnUntraced(function*<A = unknown>(method: string, path: string, payload?: unknown) {
    const response = yield* raw(method, path, payload === undefined ? undefined : JSON.stringify(payload))
    return { status: response.status, body: (yield* Effect.promise(() => response.json())) as Answer<A> }
  })
  return { account, call, raw }
})

const appPages = Layer.mergeAll(
  ActivityPages,
  AppListPages,
  CredentialsPages,
  LackingPages,
  OverviewPages,
  ScopesPages,
  SettingsPages
)

const pageRoutes = Layer.mergeAll(appPages, RegisterPages, QueuePages, ReviewPages, UnusedPages, ErrorBoundary).pipe(
  Layer.provide(HttpServer.layerServices)
)

/** A signed-in user who opens pages and sends their forms; redirects are not followed. */
export const visitor = Effect.fnUntraced(function*(role: Role = "user") {
  const account = yield* newAccount(role)
  const sessions = yield* Sessions
  const token = Redacted.value(yield* sessions.start(account.id))
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const window = yield* browser(`${cookieName(yield* AppConfig)}=${token}`)
  return {
    account,
    csrf,
    ...window,
    post: (path: string, fields: Record<string, string> = {}) => window.post(path, { csrf, ...fields })
  }
})

/** A browser, with this cookie or without one. */
export const browser = Effect.fnUntraced(function*(cookie = "") {
  const send = yield* httpSender(pageRoutes)
  const headers: Record<string, string> = cookie === "" ? {} : { cookie }
  const answer = (response: Response) =>
    Effect.map(Effect.promise(() => response.text()), (text) => ({
      status: response.status,
      location: response.headers.get("location"),
      csp: response.headers.get("content-security-policy"),
      retryAfter: response.headers.get("retry-after"),
      text
    }))
  return {
    get: (path: string) => Effect.flatMap(send(path, { headers }), answer),
    post: (path: string, fields: Record<string, string> = {}) =>
      Effect.flatMap(send(path, { method: "POST", headers, body: new URLSearchParams(fields) }), answer)
  }
})

/** Owner's rows in the database: apps and secrets. */
export const rowsOf = Effect.fnUntraced(function*(ownerId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT clients.*, client_secrets.id AS secret_id FROM clients
    LEFT JOIN client_secrets ON client_id = clients.id WHERE owner_id = ${ownerId} ORDER BY clients.id, secret_id`
})
