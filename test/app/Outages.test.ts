import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { LegacyImport } from "../../src/core/legacy/import/LegacyImport.ts"
import { ResourceServers } from "../../src/core/tokens/ResourceServers.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Testing from "../../src/testing.ts"
import { newAccount } from "../core/clients/Scenario.ts"
import { redirectUri } from "../core/tokens/Fixture.ts"
import { eventually } from "../support/Eventually.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { type Answer, approvedApp, form } from "../support/TestServer.ts"

class Postgres
  extends Context.Service<Postgres, TestPostgres.TestPostgres>()("slotkey/test/app/Outages.test/Postgres")
{
  static readonly layer = Layer.effect(Postgres, TestPostgres.make)
}

/** Server on a PostgreSQL server of its own, as a role that is no superuser. */
const Live = LegacyImport.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Testing.layer(), HttpServer.layerServices)),
  Layer.provideMerge(Layer.unwrap(Effect.gen(function*() {
    const { administer, url } = yield* Postgres
    yield* administer("CREATE ROLE slotkey LOGIN", "CREATE DATABASE slotkey OWNER slotkey")
    return TestDatabase.at(url.replace("postgres@", "slotkey@").replace(/postgres$/, "slotkey"))
  }))),
  Layer.provideMerge(Postgres.layer)
)

type Send = Effect.Effect<Answer>

/** Requests by the addresses that they go to, prepared before an outage, and all that they need written. */
const requests = Effect.gen(function*() {
  const { administer, url } = yield* Postgres
  const app = yield* approvedApp()
  const { ask, code, credentials, exchangeOf, me, post, refreshOf, token, tokens } = app
  const { access_token: accessToken, refresh_token: refreshToken } = yield* tokens()
  const unspent = yield* code()
  const bearer = { authorization: `Bearer ${accessToken}` }
  const { credential } = yield* (yield* ResourceServers).create("calendar")
  const { key } = yield* (yield* ApiKeys).create(app.owner, "an outage", app.owner)
  const withKey = { authorization: `Bearer ${Redacted.value(key)}`, "content-type": "application/json" }
  const sessions = yield* Sessions
  const browser = Effect.fnUntraced(function*(user: typeof app.owner) {
    const session = Redacted.value(yield* sessions.start(user))
    const { csrf } = Option.getOrThrow(yield* sessions.find(session))
    const cookie = { cookie: `${cookieName(yield* AppConfig)}=${session}` }
    return {
      get: (path: string) => ask(path, { headers: cookie }),
      post: (path: string, fields: Readonly<Record<string, string>>) => post(path, { csrf, ...fields }, cookie)
    }
  })
  const owner = yield* browser(app.owner)
  const admin = yield* browser(app.admin)
  const stranger = yield* newAccount("stranger")
  const authorize = `/auth/oauth2/authorize?${
    form({ client_id: app.client.id, redirect_uri: redirectUri, scope: "PROFILE_READ", state: "s" })
  }`
  // Refused with an error for the app, and counted, as the client is made a migrated one.
  const withoutScope = authorize.replace("PROFILE_READ", "")
  const get = (paths: ReadonlyArray<string>, by: (path: string) => Send) =>
    paths.map((path) => [path, by(path)] as const)
  const introspection = { token: String(accessToken) }

  // What these requests note beside their answers is due.
  const due = url.replace(/postgres$/, "slotkey")
  yield* administer(
    "CREATE EXTENSION IF NOT EXISTS dblink",
    `SELECT dblink_exec('${due}', '${
      [
        "UPDATE sessions SET last_seen_at = last_seen_at - interval $$1 hour$$",
        "UPDATE api_keys SET last_used_at = NULL",
        "UPDATE client_secrets SET last_used_at = NULL",
        "UPDATE clients SET legacy = true, migrated_at = now()"
      ].join(";")
    }')`
  )

  const reads: ReadonlyArray<readonly [string, Send]> = [
    ["GET /v2/me", me(accessToken)],
    ["check", ask("/v2/auth/oauth2/check/envoy/v2/bookings", { headers: bearer })],
    ["introspection by the client", post("/v2/auth/oauth2/introspect", { ...credentials, ...introspection })],
    [
      "introspection by a resource server",
      post("/v2/auth/oauth2/introspect", introspection, { authorization: `Bearer ${Redacted.value(credential)}` })
    ],
    ...get(["/.well-known/oauth-authorization-server", "/.well-known/jwks.json", "/", "/sign-in", "/docs"], ask),
    ...get(["/account", "/connections", "/settings/apps", `/settings/apps/${app.client.id}`, "/playground"], owner.get),
    ...get(["/review", `/review/${app.client.id}`, "/review/migration"], admin.get),
    ...get(
      ["/v2/oauth-clients", `/v2/oauth-clients/${app.client.id}`, "/v2/api-keys"],
      (path) => ask(path, { headers: withKey })
    )
  ]
  const writes: ReadonlyArray<readonly [string, Send]> = [
    ["exchange", token(exchangeOf(unspent))],
    ["refresh", token(refreshOf(refreshToken))],
    ["revocation", post("/v2/auth/oauth2/revoke", { ...credentials, token: String(refreshToken) })],
    [
      "POST /v2/oauth-clients/:id/secrets",
      ask(`/v2/oauth-clients/${app.client.id}/secrets`, { method: "POST", headers: withKey, body: "{}" })
    ],
    ["GET authorize", owner.get(authorize)],
    ["POST /sign-in", post("/sign-in", { email: `${stranger}@example.com`, password: "wrong", return_to: "/" })],
    ["POST /connections/disconnect", owner.post("/connections/disconnect", { client_id: app.client.id })]
  ]
  return { reads, writes, refusal: owner.get(withoutScope) }
})

const assertUnavailable = ([name, send]: readonly [string, Send], seconds = "5") =>
  Effect.map(send, ({ headers, json, status, text }) => {
    assert.deepStrictEqual([name, status, headers.get("retry-after")], [name, 503, seconds], text)
    // A gateway passes the answer on to the client, so it names the path that the client called.
    if (name === "check") assert.strictEqual(json["path"], "/v2/bookings")
    if (headers.get("content-type")?.includes("json") !== true) return assert.include(text, "Not available right now")
    const { error } = json
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : error
    assert.strictEqual(code, "temporarily_unavailable", name)
  })

const assertServed = ([name, send]: readonly [string, Send]) =>
  Effect.map(send, ({ status }) => assert.deepStrictEqual([name, status], [name, 200]))

/** Waits until the server has connections again. */
const connected = ([first]: ReadonlyArray<readonly [string, Send]>) =>
  first === undefined ? Effect.void : eventually(Effect.map(first[1], ({ status }) => status === 200))

/** Waits until the connections have ended, and their settings with them. */
const cutConnections = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'slotkey'"

/** Sends requests while a database accepts no writes, and once it does again. */
const servesReads = <E, R, E2, R2>(begin: Effect.Effect<void, E, R>, end: Effect.Effect<void, E2, R2>) =>
  Effect.gen(function*() {
    const { reads, refusal, writes } = yield* requests
    yield* Effect.andThen(begin, connected(reads))
    yield* Effect.forEach(reads, assertServed)
    const refused = yield* refusal
    assert.deepStrictEqual([refused.status, refused.headers.get("location")?.includes("invalid_scope")], [303, true])
    yield* Effect.forEach(writes, (write) => assertUnavailable(write))
    yield* Effect.andThen(end, connected(reads))
    yield* accepts(writes)
  })

/** Sends the writes of an outage again: nothing of them has happened. */
const accepts = (writes: ReadonlyArray<readonly [string, Send]>) =>
  Effect.gen(function*() {
    const [exchange, refresh, revocation] = writes
    for (const write of [exchange, refresh, revocation]) if (write !== undefined) yield* assertServed(write)
  })

describe.skipIf(TestPostgres.missing !== undefined)("a server whose PostgreSQL", () => {
  layer(Live, { excludeTestServices: true, timeout: "2 minutes" })((it) => {
    it.effect("is read-only serves reads, and answers the rest with 503", () =>
      Effect.gen(function*() {
        const { administer } = yield* Postgres
        const readOnly = (value: "on" | "off") =>
          administer(`ALTER ROLE slotkey SET default_transaction_read_only = ${value}`, cutConnections)
        yield* servesReads(readOnly("on"), readOnly("off"))
      }))

    it.effect("has no room for writes serves reads, and answers the rest with 503", () =>
      Effect.gen(function*() {
        const { administer, url } = yield* Postgres
        const inOurs = (statement: string) =>
          administer(`SELECT dblink_exec('${url.replace(/postgres$/, "slotkey")}', $run$${statement}$run$)`)
        yield* servesReads(
          inOurs(`
            CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
              $$BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END$$;
            DO $$DECLARE name text; BEGIN
              FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
                EXECUTE format('CREATE TRIGGER no_room BEFORE INSERT OR UPDATE OR DELETE ON %I
                  FOR EACH STATEMENT EXECUTE FUNCTION no_room()', name);
              END LOOP; END$$`),
          inOurs("DROP FUNCTION no_room CASCADE")
        )
      }))

    it.effect("has become a standby serves reads, and answers the rest with 503", () =>
      Effect.gen(function*() {
        const { administer, kill, start, startStandby } = yield* Postgres
        yield* administer("CHECKPOINT")
        yield* servesReads(
          Effect.andThen(kill, startStandby("read-only")),
          Effect.andThen(kill, start)
        )
      }))

    it.effect.each([
      {
        what: "is away",
        begin: ({ kill }: TestPostgres.TestPostgres) => kill,
        end: ({ start }: TestPostgres.TestPostgres) => start
      },
      {
        what: "lets nobody in while it starts",
        begin: ({ kill, startStandby }: TestPostgres.TestPostgres) => Effect.andThen(kill, startStandby("closed")),
        end: ({ kill, start }: TestPostgres.TestPostgres) => Effect.andThen(kill, start)
      },
      {
        what: "has no connection left for it",
        begin: ({ administer }: TestPostgres.TestPostgres) =>
          administer(
            "ALTER ROLE slotkey CONNECTION LIMIT 0",
            cutConnections
          ),
        end: ({ administer }: TestPostgres.TestPostgres) => administer("ALTER ROLE slotkey CONNECTION LIMIT -1")
      },
      {
        what: "does not let it in",
        begin: ({ administer }: TestPostgres.TestPostgres) =>
          administer(
            "ALTER ROLE slotkey NOLOGIN",
            cutConnections
          ),
        end: ({ administer }: TestPostgres.TestPostgres) => administer("ALTER ROLE slotkey LOGIN")
      }
    ])("$what answers with 503 until it is back", ({ begin, end }) =>
      Effect.gen(function*() {
        const postgres = yield* Postgres
        const { reads, writes } = yield* requests
        yield* begin(postgres)
        const needDatabase = reads.filter(([name]) => !/^[/](\.well-known.*|sign-in|docs)?$/.test(name))
        yield* Effect.forEach([...needDatabase, ...writes], (request) => assertUnavailable(request))
        yield* Effect.andThen(end(postgres), connected(reads))
        yield* accepts(writes)
      }))
  })
})
