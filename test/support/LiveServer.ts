import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Routes } from "../../src/app/Routes.ts"
import { listening } from "../../src/app/Server.ts"
import { LocalServices } from "../../src/app/Services.ts"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import type { Account, Role } from "../../src/core/accounts/people/Account.ts"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../../src/core/clients/life/Registration.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { CodeStore } from "../../src/core/grants/CodeStore.ts"
import { LegacyImport } from "../../src/core/legacy/import/LegacyImport.ts"
import type { GrantedScopes } from "../../src/domain/scopes/Scope.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { nameOf } from "../core/clients/Fixture.ts"
import { freePort } from "./FreePort.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** Whole server on a port of its own, for journeys with real clients and browsers. */
export class LiveServer
  extends Context.Service<LiveServer, { readonly url: string }>()("slotkey/test/support/LiveServer")
{}

/** Server and its services; `env` holds settings by their names in docs/operations/settings.md. */
export const layer = (env: Readonly<Record<string, string>> = {}) =>
  layerWith(Layer.provideMerge(LegacyImport.layer, LocalServices), env)

/** Database, for tests that run several servers on one. */
export const database = TestDatabase.layer

/** Server on these services. */
export const layerWith = <A, E, R>(services: Layer.Layer<A, E, R>, env: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(Effect.map(freePort, (port) => {
    const url = `http://localhost:${port}`
    return Layer.succeed(LiveServer, { url }).pipe(
      Layer.provideMerge(listening(Routes)),
      Layer.provide(NodeHttpServer.layerHttpServices),
      Layer.provideMerge(services),
      Layer.provideMerge(TestDatabase.layer),
      Layer.provideMerge(AppConfig.layerTest({ BASE_URL: url, PORT: String(port), ...env })),
      Layer.orDie
    )
  }))

export const password = "correct horse battery staple"

/** A new account with the password above. */
export const newAccount = Effect.fnUntraced(function*(role: Role = "user") {
  const accounts = yield* Accounts
  const email = `${role}-${crypto.randomUUID()}@example.com`
  return yield* Effect.orDie(accounts.create({
    email,
    name: role === "admin" ? "Ada Admin" : "Uma User",
    password: Redacted.make(password),
    role
  }))
})

/** A new API key of the account, in clear text. */
export const newApiKey = Effect.fnUntraced(function*({ id }: Account) {
  const keys = yield* ApiKeys
  const { key } = yield* Effect.orDie(keys.create(id, "a test", id))
  return Redacted.value(key)
})

let apps = 0

/** An approved app with its secret in clear text, registered by a new account. */
export const newApp = Effect.fnUntraced(function*(input: Partial<RegistrationInput> = {}) {
  const registry = yield* ClientRegistry
  const review = yield* ClientReview
  const owner = yield* newAccount()
  const admin = yield* newAccount("admin")
  const { client, secret } = yield* Effect.orDie(registry.register(owner.id, {
    kind: "confidential",
    name: nameOf("Calendar Buddy", apps++),
    purpose: "Shows bookings on a wall display.",
    website: "https://buddy.example",
    redirectUris: ["https://buddy.example/callback"],
    scopes: ["PROFILE_READ", "BOOKING_READ"],
    ...input
  }))
  const approved = yield* Effect.orDie(review.approve(admin.id, client.id, client.version))
  return { client: approved, owner, admin, secret: Option.getOrUndefined(Option.map(secret, Redacted.value)) ?? "" }
})

/** An app that a user has connected, and an access token; `scopes: null` stands for a legacy grant. */
export const newConnection = Effect.fnUntraced(function*(
  scopes: GrantedScopes = ["PROFILE_READ", "BOOKING_READ"],
  resource: string | null = null
) {
  const { url } = yield* LiveServer
  const { client, secret } = yield* newApp(scopes === null ? {} : { scopes })
  const user = yield* newAccount()
  const redirectUri = "https://buddy.example/callback"
  const code = yield* (yield* CodeStore).issue({
    clientId: client.id,
    userId: user.id,
    scopes,
    resource,
    redirectUri,
    codeChallenge: null
  })
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: client.id,
    client_secret: secret,
    code: Redacted.value(code),
    redirect_uri: redirectUri
  })
  const { access_token: accessToken } = yield* Effect.promise(async () => {
    const response = await fetch(`${url}/v2/auth/oauth2/token`, { method: "POST", body })
    return await response.json() as { access_token: string }
  })
  return { client, user, accessToken }
})
