import { Context, Effect, Layer, Option, Redacted, type Scope, Stream } from "effect"
import { HttpServer } from "effect/http"
import type { Role } from "../../../src/core/accounts/people/Account.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { LegacyImport } from "../../../src/core/legacy/import/LegacyImport.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Testing from "../../../src/testing.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import * as DatabaseOutage from "../../support/DatabaseOutage.ts"
import { type Exchange, form, serverClient } from "../../support/TestServer.ts"

/** A client of the server that all scenarios share. */
export class ServerClient extends Context.Service<ServerClient, Effect.Success<typeof serverClient>>()(
  "slotkey/test/doors/contract/Scenario/ServerClient"
) {}

/** Whole server, on a database that can be made to fail. */
export const layer = Layer.effect(ServerClient, serverClient).pipe(
  Layer.provideMerge(LegacyImport.layer),
  Layer.provideMerge(Layer.merge(Testing.layer(), HttpServer.layerServices)),
  Layer.provideMerge(DatabaseOutage.layer)
)

/** An effect that provokes an answer of the server. */
export type Scenario = Effect.Effect<Exchange, unknown, Layer.Success<typeof layer> | Scope.Scope>

/** Scenarios by the status of their answer. */
export type Scenarios = Readonly<Record<number, Scenario>>

/** Sends a request. */
export const ask = (path: string, init?: RequestInit) => Effect.flatMap(ServerClient, ({ ask }) => ask(path, init))

/** Sends a prepared request while the database refuses every statement, and while it cannot be reached. */
export const outages = <E, R>(prepared: Effect.Effect<Scenario, E, R>) => ({
  500: Effect.flatMap(prepared, (send) => Effect.flatMap(DatabaseOutage.DatabaseOutage, ({ broken }) => broken(send))),
  503: Effect.flatMap(prepared, (send) => Effect.flatMap(DatabaseOutage.DatabaseOutage, ({ away }) => away(send)))
})

/** A new account with an API key. */
export const keyHolder = Effect.fnUntraced(function*(role: Role = "user") {
  const id = yield* newAccount(role, role)
  const { key } = yield* (yield* ApiKeys).create(id, "contract", id)
  const authorization = `Bearer ${Redacted.value(key)}`
  const call = (method: string, path: string, body?: object, type = "application/json") =>
    ask(path, {
      method,
      headers: { authorization, "content-type": type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  return { id, authorization, call }
})

export type KeyHolder = Effect.Success<ReturnType<typeof keyHolder>>

/** A new account that is signed in at a browser. */
export const visitor = Effect.gen(function*() {
  const id = yield* newAccount("visitor")
  const sessions = yield* Sessions
  const token = Redacted.value(yield* sessions.start(id))
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const cookie = `${cookieName(yield* AppConfig)}=${token}`
  return {
    id,
    csrf,
    cookie,
    get: (path: string) => ask(path, { headers: { cookie } }),
    /** Calls the management API. */
    call: (method: string, path: string, body: object) =>
      ask(path, {
        method,
        headers: { cookie, "x-csrf-token": csrf, "content-type": "application/json" },
        body: JSON.stringify(body)
      }),
    post: (path: string, fields: Readonly<Record<string, string>>) =>
      ask(path, { method: "POST", headers: { cookie }, body: form({ csrf, ...fields }) })
  }
})

/** An imported legacy app with a weak secret. */
export const legacyApp = Effect.gen(function*() {
  const owner = yield* keyHolder()
  const id = `old-${crypto.randomUUID()}`
  const secret = "hunter2"
  const record = {
    client_id: id,
    owner: owner.id,
    name: "Old Timer",
    redirect_uris: ["https://old.example/callback"],
    secrets: [{ secret, algorithm: "clear" }]
  }
  yield* (yield* LegacyImport).apply(Stream.make(JSON.stringify(record)), "cli")
  return { owner, id, secret, path: `/v2/oauth-clients/${id}` }
})
