// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { Routes } from "../../src/app/Routes.ts"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { SecretVault } from "../../src/core/clients/secrets/SecretVault.ts"
import { CodeStore } from "../../src/core/grants/CodeStore.ts"
import * as Testing from "../../src/testing.ts"
import { registration } from "../core/clients/Fixture.ts"
import { newAccount } from "../core/clients/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const Server = Layer.mergeAll(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(TestDatabase.layer))

/** The path of every form, read from the routes. */
const forms = Effect.gen(function*() {
  const router = yield* HttpRouter.make
  const found: Array<string> = []
  const recording = HttpRouter.HttpRouter.of({
    ...router,
    add: (method, path, handler, options) => {
      if (method === "POST") found.push(path)
      return router.add(method, path, handler, options)
    }
  })
  const recorded = Routes.pipe(Layer.provide(Layer.succeed(HttpRouter.HttpRouter, recording)))
  // No handler runs here, so what handlers need from a request is not provided.
  yield* Layer.build(recorded as Layer.Layer<never, never, HttpRouter.Request.Without<Layer.Services<typeof recorded>>>)
  return found.filter((path) => !path.startsWith("/v2/") && !withoutSession.has(path))
})

/** Forms without a session, and so without its token; `test/doors/account` tests that they check the origin. */
const withoutSession = new Set([
  "/confirm-address",
  "/forgotten-password",
  "/invitation",
  "/reset-password",
  "/sign-in",
  "/setup"
])

/** A digest of every table but `sessions`, which changes with each request. */
const snapshot = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> 'sessions' ORDER BY 1`
  assert.isAbove(tables.length, 10)
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ rows: string }>`SELECT md5(string_agg(t::text, ';' ORDER BY t::text)) AS rows FROM ${sql(name)} t`,
      ([first]) => `${name}: ${first?.rows}`
    ))
})

const attackedSession = Effect.gen(function*() {
  const registry = yield* ClientRegistry
  const sessions = yield* Sessions
  const victim = yield* newAccount("victim", "admin")
  const session = Effect.fnUntraced(function*(id: typeof victim) {
    const token = Redacted.value(yield* sessions.start(id))
    return { token, csrf: Option.getOrThrow(yield* sessions.find(token)).csrf }
  })
  const { client } = yield* registry.register(victim, registration)
  const { info } = yield* (yield* SecretVault).generate(client.id)
  const { key } = yield* (yield* ApiKeys).create(victim, "script", victim)
  yield* (yield* CodeStore).issue({
    clientId: client.id,
    userId: victim,
    scopes: client.scopes,
    redirectUri: "https://app.example/callback",
    codeChallenge: null
  })
  const fields = {
    ...registration,
    redirectUris: "https://other.example/callback",
    tagline: "Keeps other calendars in step.",
    privacyUrl: "https://other.example/privacy",
    termsUrl: "https://other.example/terms",
    contact: "help@other.example",
    logoUrl: "",
    scopes: "",
    optionalScopes: "",
    "scope:PROFILE_READ": "on",
    confirm: client.name,
    version: String(client.version),
    reason: "Because.",
    id: Redacted.value(key).slice(-4),
    client_id: client.id,
    app: client.id,
    step: "me",
    decision: "allow",
    request: "any",
    role: "user"
  }
  return {
    client,
    victim,
    secret: info.id,
    fields,
    mine: yield* session(victim),
    other: yield* session(yield* newAccount("attacker", "admin"))
  }
})

layer(Server, { excludeTestServices: true })("forms", (it) => {
  it.effect("change nothing without the token of their own session, whatever the page", () =>
    Effect.gen(function*() {
      const { client, fields, mine, other, secret, victim } = yield* attackedSession
      const send = yield* Testing.server
      const before = yield* snapshot
      const paths = yield* forms
      assert.includeMembers(paths, [
        "/sign-out",
        "/account/profile",
        "/account/password",
        "/account/api-keys",
        "/account/api-keys/revoke",
        "/settings/apps",
        "/settings/apps/:id/secrets",
        "/review/:id/approve",
        "/users/:id/role",
        "/users/:id/disable",
        "/auth/oauth2/decision",
        "/auth/oauth2/switch-account",
        "/playground/run",
        "/playground/demo"
      ])
      for (const path of paths) {
        for (
          const [name, csrf] of [["none", {}], ["another's", { csrf: other.csrf }], ["empty", { csrf: "" }]] as const
        ) {
          const address = path.replace(":id", path.startsWith("/users/") ? victim : client.id).replace(
            ":secretId",
            secret
          )
          const { status } = yield* send(
            new Request(`https://slotkey.test${address}`, {
              method: "POST",
              headers: { cookie: `__Host-slotkey=${mine.token}` },
              body: new URLSearchParams({ ...fields, ...csrf })
            })
          )
          assert.deepStrictEqual([path, name, status], [path, name, 403])
        }
      }
      assert.deepStrictEqual(yield* snapshot, before)
      // The attacks have not signed the session out.
      assert.isTrue(Option.isSome(yield* (yield* Sessions).find(mine.token)))
      assert.isAbove(paths.length, 20)
    }))

  it.effect("of another site, which come without our cookies, take none of them away", () =>
    Effect.gen(function*() {
      const { client, fields, secret, victim } = yield* attackedSession
      const send = yield* Testing.server
      const paths = [...yield* forms, ...withoutSession]
      assert.includeMembers(paths, ["/sign-out", "/auth/oauth2/switch-account"])
      for (const path of paths) {
        const address = path.replace(":id", path.startsWith("/users/") ? victim : client.id).replace(
          ":secretId",
          secret
        )
        const { headers, status } = yield* send(
          new Request(`https://slotkey.test${address}`, {
            method: "POST",
            headers: { "sec-fetch-site": "cross-site" },
            body: new URLSearchParams(fields)
          })
        )
        assert.deepStrictEqual([path, status, headers.get("set-cookie")], [path, 403, null])
      }
    }))
})
