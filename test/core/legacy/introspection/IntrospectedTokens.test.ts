import { assert, describe, layer } from "@effect/vitest"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Result, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { ServerResponse } from "node:http"
import type { ClientStanding } from "../../../../src/core/clients/records/Client.ts"
import { Connections } from "../../../../src/core/consent/Connections.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { IntrospectedTokens, mostQuestions } from "../../../../src/core/legacy/introspection/IntrospectedTokens.ts"
import { UnknownTokens } from "../../../../src/core/tokens/UnknownTokens.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { clientId, clientSecret, json } from "../../../support/PreviousServer.ts"
import { approvedApp, assertRefused, basic } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { jsonLines, token as imported } from "../import/Scenario.ts"
import { assertLater, countedBy, installedApp, issuer, Previous, serverWith } from "./Scenario.ts"

layer(serverWith())("A refresh token that the previous server never stored", (it) => {
  it.effect("is asked about once, with our credential, and becomes an unrestricted grant of the user", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_700_000_000_000)
      const previous = yield* Previous
      const app = yield* installedApp()
      app.say({ ...app.facts, iat: 1_600_000_000, exp: 4_000_000_000 })
      const first = yield* app.refresh(app.refreshToken)
      assert.strictEqual(first.status, 200, first.text)
      assert.strictEqual(first.json["scope"], "")
      assert.strictEqual((yield* app.me(first.json["access_token"])).status, 200)
      const [question, ...more] = previous.questions.filter(({ token }) => token === app.refreshToken)
      assert.deepStrictEqual(more, [])
      const [id, secret] = [clientId, clientSecret].map((half) => new URLSearchParams({ "": half }).toString().slice(1))
      assert.deepStrictEqual(question, {
        path: "/introspect",
        token: app.refreshToken,
        hint: "refresh_token",
        ...basic(id ?? "", secret ?? "")
      })
      const [grant, ...others] = yield* app.grants
      assert.deepStrictEqual(others, [])
      assert.strictEqual(grant?.userId, app.user.id)
      assert.strictEqual(grant?.scopes, null)
      assert.strictEqual(grant?.importedRotates, false)
      assert.strictEqual(grant?.issuedAt?.getTime(), 1_600_000_000_000)
    }))

  it.effect("behaves like one of an import: the same successor until that is used, and theft from then on", () =>
    Effect.gen(function*() {
      const app = yield* installedApp()
      const first = yield* app.refresh(app.refreshToken)
      yield* TestClock.adjust("1 hour")
      const again = yield* app.refresh(app.refreshToken)
      assert.strictEqual(again.json["refresh_token"], first.json["refresh_token"])
      const next = yield* app.refresh(first.json["refresh_token"])
      assert.strictEqual(next.status, 200)
      yield* TestClock.adjust("1 hour")
      assertRefused(yield* app.refresh(app.refreshToken), 400, "invalid_grant")
      assertRefused(yield* app.refresh(next.json["refresh_token"]), 400, "invalid_grant")
      // What ended here does not come back from there.
      assertRefused(yield* app.refresh(app.refreshToken), 400, "invalid_grant")
      assert.strictEqual(app.asked(), 1)
    }))

  it.effect("ends with its exp", () =>
    Effect.gen(function*() {
      const app = yield* installedApp()
      const now = DateTime.toEpochMillis(yield* DateTime.now)
      app.say({ ...app.facts, exp: now / 1000 + 3_600 })
      const { json } = yield* app.refresh(app.refreshToken)
      yield* TestClock.adjust("59 minutes")
      const next = yield* app.refresh(json["refresh_token"])
      assert.strictEqual(next.status, 200)
      yield* TestClock.adjust("2 minutes")
      assertRefused(yield* app.refresh(next.json["refresh_token"]), 400, "invalid_grant")
    }))

  it.effect("of a public app is taken over without a secret", () =>
    Effect.gen(function*() {
      const app = yield* installedApp({ kind: "public", secrets: [] })
      assert.strictEqual((yield* app.refresh(app.refreshToken, { client_secret: undefined })).status, 200)
    }))

  it.effect("is one question and one grant, however many present it at the same time", () =>
    Effect.gen(function*() {
      const app = yield* installedApp()
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => app.refresh(app.refreshToken)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 200))
      assert.strictEqual(new Set(answers.map(({ json }) => json["refresh_token"])).size, 1)
      assert.strictEqual(app.asked(), 1)
      assert.strictEqual((yield* app.grants).length, 1)
    }))

  it.effect("is not asked about by anybody but its authenticated, approved legacy app", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const app = yield* installedApp()
      assertRefused(yield* app.refresh(app.refreshToken, { client_secret: "wrong" }), 401, "invalid_client")
      const registered = yield* approvedApp()
      assertRefused(yield* registered.refresh(app.refreshToken), 400, "invalid_grant")
      yield* sql`UPDATE clients SET status = 'suspended' WHERE id = ${app.id}`
      assertRefused(yield* app.refresh(app.refreshToken), 400, "unauthorized_client")
      assert.strictEqual(app.asked(), 0)
    }))

  it.effect("is not asked about where it is known: by an import, also to another app, or as a credential of ours", () =>
    Effect.gen(function*() {
      const previous = yield* Previous
      const [app, other] = [yield* installedApp(), yield* installedApp()]
      const brought = `brought-${crypto.randomUUID()}`
      const record = { client_id: app.id, refresh_tokens: [imported(brought, app.owner)] }
      yield* Effect.orDie((yield* LegacyImport).apply(Stream.make(jsonLines(record)), "cli"))
      const { json } = yield* app.refresh(brought)
      const before = previous.questions.length
      assert.strictEqual((yield* app.refresh(brought)).status, 200)
      const next = yield* app.refresh(json["refresh_token"])
      assert.strictEqual(next.status, 200)
      assertRefused(yield* other.refresh(brought), 400, "invalid_grant")
      const forged = `${String(next.json["refresh_token"]).slice(0, -1)}_`
      const own = [forged, "slk_refresh_nothing-of-ours", "slk_secret_nothing-of-ours", next.json["access_token"]]
      for (const text of [...own, "short", "x".repeat(8_193), "a token with spaces"]) {
        assertRefused(yield* app.refresh(text), 400, "invalid_grant")
      }
      assert.strictEqual(previous.questions.length, before)
    }))

  it.effect("is not asked about where another request has taken it over a moment ago", () =>
    Effect.gen(function*() {
      const app = yield* installedApp()
      const before = yield* app.refresh(app.refreshToken)
      const unknown = Context.get(yield* Layer.build(Layer.fresh(IntrospectedTokens)), UnknownTokens)
      const client: ClientStanding = {
        id: ClientId.make(app.id),
        kind: "confidential",
        status: "approved",
        isLegacyClient: true,
        migrated: false,
        scopeWords: []
      }
      const adopted = yield* unknown?.adopt(client, app.refreshToken, "192.0.2.1") ?? Effect.die("nobody is asked")
      assert.isTrue(Result.isSuccess(adopted))
      assert.strictEqual(app.asked(), 1)
      assert.strictEqual((yield* app.refresh(before.json["refresh_token"])).status, 200)
    }))

  it.effect("comes from nobody any more whose access was ended here", () =>
    Effect.gen(function*() {
      const previous = yield* Previous
      const connections = yield* Connections
      const app = yield* installedApp()
      const second = `second-${crypto.randomUUID()}`
      previous.answers.set(second, app.facts)
      yield* app.refresh(app.refreshToken)
      assert.lengthOf(yield* connections.disconnect(app.user.id, ClientId.make(app.id)), 1)
      const counted = yield* countedBy("ended_here", app.refresh(second))
      assert.strictEqual(counted, 1)
      assertRefused(yield* app.refresh(second), 400, "invalid_grant")
      assert.strictEqual((yield* app.grants).length, 1)
    }))

  it.effect("is left out once its user has authorized the migrated app anew", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const app = yield* installedApp()
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`UPDATE clients SET legacy = false, migrated_at = ${now}, scopes = '{PROFILE_READ}' WHERE id = ${app.id}`
      yield* sql`INSERT INTO grants ${
        sql.insert({
          id: crypto.randomUUID(),
          handleDigest: Buffer.alloc(32),
          clientId: app.id,
          userId: app.user.id,
          scopes: ["PROFILE_READ"],
          rotatedAt: now,
          createdAt: now,
          expiresAt: DateTime.toDateUtc(DateTime.makeUnsafe(4_000_000_000_000))
        })
      }`
      assertRefused(yield* app.refresh(app.refreshToken), 400, "invalid_grant")
    }))

  it.effect("is ended by a revocation, although nobody had asked about it", () =>
    Effect.gen(function*() {
      const app = yield* installedApp()
      assert.strictEqual((yield* app.revoke(app.refreshToken)).status, 200)
      assertRefused(yield* app.refresh(app.refreshToken), 400, "invalid_grant")
      assert.strictEqual(app.asked(), 1)
    }))

  describe("of a user", () => {
    it.effect("with a local account is theirs by an address that the previous server vouches for", () =>
      Effect.gen(function*() {
        const app = yield* installedApp()
        const user = yield* newAccount("local")
        app.say({
          ...app.facts,
          sub: "42",
          iss: "https://previous.example",
          email: `${user}@EXAMPLE.com`,
          email_verified: true
        })
        assert.strictEqual((yield* app.refresh(app.refreshToken)).status, 200)
        assert.deepStrictEqual((yield* app.grants).map(({ userId }) => userId), [user])
      }))

    it.effect.each<readonly [string, (email: string) => object]>([
      ["with an address that nobody has verified", (email: string) => ({ email })],
      ["with one of which it says that it is not", (email: string) => ({ email, email_verified: false })],
      ["with a name alone", (email: string) => ({ username: email })],
      ["by an issuer that nobody trusts", (email: string) => ({ iss: "https://elsewhere.example", sub: email })],
      ["without any word about them", () => ({})]
    ])("whom it names %s, is not decided about", ([, words]) =>
      Effect.gen(function*() {
        const app = yield* installedApp()
        const user = yield* newAccount("local")
        app.say({ active: true, client_id: app.id, token_use: "refresh_token", ...words(`${user}@example.com`) })
        assertLater(yield* app.refresh(app.refreshToken))
        assert.deepStrictEqual(yield* app.grants, [])
      }))

    it.effect("who has no account here, or is disabled, is refused", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [app, other] = [yield* installedApp(), yield* installedApp()]
        app.say({ ...app.facts, sub: "nobody" })
        assert.strictEqual(yield* countedBy("unknown_user", app.refresh(app.refreshToken)), 1)
        assertRefused(yield* app.refresh(app.refreshToken), 400, "invalid_grant")
        yield* sql`UPDATE accounts SET disabled_at = now() WHERE id = ${other.user.id}`
        assertRefused(yield* other.refresh(other.refreshToken), 400, "invalid_grant")
      }))
  })

  describe("of which the previous server says", () => {
    it.effect.each(
      [
        ["that it is not active", "inactive", { active: false }],
        ["that it is another app's", "other_client", { client_id: "somebody-else" }],
        ["that it has expired", "inactive", { exp: -1 }],
        ["that it is an access token, as Hydra does", "no_refresh_token", { token_use: "access_token" }],
        ["that it is an access token, as Keycloak does", "no_refresh_token", {
          token_use: undefined,
          typ: "Bearer",
          token_type: "Bearer"
        }]
      ] as const
    )("%s, is refused, and not asked about again for a while", ([, outcome, said]) =>
      Effect.gen(function*() {
        const app = yield* installedApp()
        app.say({ ...app.facts, ...said })
        const counted = yield* countedBy(outcome, app.refresh(app.refreshToken))
        assert.strictEqual(counted, 1)
        app.say(app.facts)
        assertRefused(yield* app.refresh(app.refreshToken), 400, "invalid_grant")
        assert.strictEqual(app.asked(), 1)
        yield* TestClock.adjust("11 minutes")
        assert.strictEqual((yield* app.refresh(app.refreshToken)).status, 200)
      }))

    it.effect.each<readonly [string, object]>([
      ["not what it is", { token_use: undefined }],
      ["Bearer, which may be either, as Doorkeeper does", { token_use: undefined, token_type: "Bearer" }],
      ["not whose it is", { client_id: undefined }]
    ])("%s, is not decided about, and not asked about again for a while", ([, said]) =>
      Effect.gen(function*() {
        const app = yield* installedApp()
        app.say({ ...app.facts, ...said })
        assert.strictEqual(yield* countedBy("unusable", app.refresh(app.refreshToken)), 1)
        assertLater(yield* app.refresh(app.refreshToken))
        assert.strictEqual(app.asked(), 1)
        assert.deepStrictEqual(yield* app.grants, [])
      }))
  })

  describe("about which the previous server", () => {
    it.effect.each<readonly [string, (response: ServerResponse) => void]>([
      ["answers with an error", (response) => void response.writeHead(500).end(`{"active":false}`)],
      ["does not know us", (response) => void response.writeHead(401).end(`{"active":false}`)],
      ["answers with a page", (response) => void response.end("<!doctype html><p>Hello")],
      ["answers with other JSON", (response) => json(response, { active: "yes" })],
      ["answers with half of it", (response) => void response.end(`{"active":true,"client_id"`)],
      ["breaks off", (response) => void response.destroy()],
      [
        "answers with 10 MB",
        (response) => void response.end(JSON.stringify({ active: false, padding: "x".repeat(10_000_000) }))
      ]
    ])("%s, is not decided about, and asked about again", ([, respond]) =>
      Effect.gen(function*() {
        const previous = yield* Previous
        const app = yield* installedApp()
        previous.respond = (_, response) => respond(response)
        assertLater(yield* app.refresh(app.refreshToken))
        previous.respond = undefined
        assert.strictEqual((yield* app.refresh(app.refreshToken)).status, 200)
        assert.strictEqual(app.asked(), 2)
      }))

    it.effect("sends us elsewhere, is not asked about there", () =>
      Effect.gen(function*() {
        const previous = yield* Previous
        const app = yield* installedApp()
        previous.respond = ({ path }, response) =>
          path === "/introspect"
            ? void response.writeHead(307, { location: "/elsewhere" }).end()
            : json(response, app.facts)
        assertLater(yield* app.refresh(app.refreshToken))
        previous.respond = undefined
        assert.deepStrictEqual(
          previous.questions.filter(({ token }) => token === app.refreshToken).map(({ path }) => path),
          ["/introspect"]
        )
      }))

    it.effect("is silent, is given up in time; its late answer changes nothing", () =>
      Effect.gen(function*() {
        const previous = yield* Previous
        const app = yield* installedApp()
        const { tokenTimeout } = yield* AppConfig
        const asked = yield* Deferred.make<void>()
        previous.respond = () => void Deferred.doneUnsafe(asked, Effect.void)
        const refreshing = yield* Effect.forkChild(app.refresh(app.refreshToken))
        yield* Deferred.await(asked)
        yield* TestClock.adjust(tokenTimeout)
        assertLater(yield* Fiber.join(refreshing))
        previous.respond = undefined
        assert.strictEqual((yield* app.refresh(app.refreshToken)).status, 200)
      }))

    it.effect("is slow, takes no more than some of the server's slots", () =>
      Effect.gen(function*() {
        const previous = yield* Previous
        const app = yield* installedApp()
        const { tokenTimeout } = yield* AppConfig
        const all = yield* Deferred.make<void>()
        let waiting = 0
        previous.respond = () => {
          if (++waiting === mostQuestions) Deferred.doneUnsafe(all, Effect.void)
        }
        const slow = yield* Effect.forkChild(
          Effect.all(Array.from({ length: mostQuestions }, (_, i) => app.refresh(`slow-${i}-${app.refreshToken}`)), {
            concurrency: "unbounded"
          })
        )
        yield* Deferred.await(all)
        assertLater(yield* app.refresh(app.refreshToken))
        assert.strictEqual(app.asked(), 0)
        yield* TestClock.adjust(tokenTimeout)
        for (const answer of yield* Fiber.join(slow)) assertLater(answer)
        previous.respond = undefined
      }))
  })
})

layer(serverWith({ LEGACY_INTROSPECTION_ISSUER: issuer, SIGN_IN: "local" }))("LEGACY_INTROSPECTION_ISSUER", (it) => {
  it.effect("says whose sub it is, whatever iss the answer has and however people sign in", () =>
    Effect.gen(function*() {
      const [app, other] = [yield* installedApp(), yield* installedApp()]
      app.say({ ...app.facts, iss: "https://previous.example" })
      assert.strictEqual((yield* app.refresh(app.refreshToken)).status, 200)
      assert.deepStrictEqual((yield* app.grants).map(({ userId }) => userId), [app.user.id])
      other.say({ ...other.facts, iss: undefined, sub: "nobody" })
      assertRefused(yield* other.refresh(other.refreshToken), 400, "invalid_grant")
    }))
})
