// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import * as Testing from "../../../../src/testing.ts"
import { LogLines } from "../../../support/LogLines.ts"
import * as PreviousServer from "../../../support/PreviousServer.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { assertRefused, serverClient } from "../../../support/TestServer.ts"
import { assertLater, countedBy, installedApp, Previous, serverWith, settings } from "./Scenario.ts"

const from = (address: string) => ({ "x-forwarded-for": address })

layer(Layer.provideMerge(serverWith({ ADDRESS_BUDGET: "100", TRUSTED_PROXIES: "1" }), LogLines.layer))(
  "What a stranger can have the previous server asked",
  (it) => {
    it.effect("is limited for each address, and what becomes a grant does not count", () =>
      Effect.gen(function*() {
        const previous = yield* Previous
        const app = yield* installedApp()
        const other = yield* installedApp()
        const send = (text: string, address: string) =>
          app.token(
            { grant_type: "refresh_token", client_id: app.id, client_secret: app.secret, refresh_token: text },
            from(address)
          )
        const home = "192.0.2.1"
        for (let i = 0; i < 120; i++) {
          const live = `live-${i}-${app.refreshToken}`
          previous.answers.set(live, app.facts)
          assert.strictEqual((yield* send(live, home)).status, 200)
        }
        for (let i = 0; i < 100; i++) {
          assertRefused(yield* send(`made-up-${i}-${app.refreshToken}`, home), 400, "invalid_grant")
        }
        const before = previous.questions.length
        const counted = yield* countedBy("limited", send(app.refreshToken, home))
        assert.strictEqual(counted, 1)
        const refused = yield* send(app.refreshToken, home)
        assertRefused(refused, 429, "temporarily_unavailable")
        assert.strictEqual(refused.headers.get("retry-after"), "3600")
        assert.strictEqual(previous.questions.length, before)
        // What is known costs no question, and neither does a repeat.
        assert.strictEqual((yield* send(`live-1-${app.refreshToken}`, home)).status, 200)
        assertRefused(yield* send(`made-up-1-${app.refreshToken}`, home), 400, "invalid_grant")
        assert.strictEqual((yield* send(app.refreshToken, "192.0.2.2")).status, 200)
        yield* TestClock.adjust("61 minutes")
        assert.strictEqual(
          (yield* other.token({
            grant_type: "refresh_token",
            client_id: other.id,
            client_secret: other.secret,
            refresh_token: other.refreshToken
          }, from(home))).status,
          200
        )
      }), 60_000)

    it.effect("is limited for each app, from however many addresses it comes", () =>
      Effect.gen(function*() {
        const app = yield* installedApp({ kind: "public", secrets: [] })
        const send = (text: string, address: string) =>
          app.token({ grant_type: "refresh_token", client_id: app.id, refresh_token: text }, from(address))
        const answers = yield* Effect.all(
          Array.from({ length: 1_000 }, (_, i) => send(`made-up-${i}-${app.refreshToken}`, `198.51.${i % 50}.1`)),
          { concurrency: 20 }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 400))
        assertRefused(yield* send(app.refreshToken, "203.0.113.1"), 429, "temporarily_unavailable")
        const other = yield* installedApp()
        assert.strictEqual((yield* other.refresh(other.refreshToken)).status, 200)
      }), 120_000)

    it.effect("does not count where nothing reached the previous server", () =>
      Effect.gen(function*() {
        const previous = yield* Previous
        const app = yield* installedApp()
        previous.respond = (_, response) => void response.destroy()
        for (let i = 0; i < 101; i++) assertLater(yield* app.refresh(app.refreshToken))
        previous.respond = undefined
        assert.strictEqual((yield* app.refresh(app.refreshToken)).status, 200)
      }), 60_000)

    it.effect("leaves no token, no secret and no answer in the log, and says what was in vain", () =>
      Effect.gen(function*() {
        const lines = yield* LogLines
        const previous = yield* Previous
        const app = yield* installedApp()
        previous.respond = (_, response) => void response.end("an answer with a secret in it")
        const later = yield* app.refresh(app.refreshToken)
        previous.respond = undefined
        const taken = yield* app.refresh(app.refreshToken)
        const text = JSON.stringify(lines.all)
        assert.include(text, "answers with what is no introspection response")
        assert.include(text, "Took over a refresh token of the previous server")
        for (
          const secret of [
            app.refreshToken,
            app.secret ?? "",
            PreviousServer.clientSecret,
            encodeURIComponent(PreviousServer.clientSecret),
            String(taken.json["refresh_token"]),
            "a secret in it"
          ]
        ) {
          assert.isAbove(secret.length, 10)
          assert.notInclude(text, secret)
          assert.notInclude(later.text, secret)
        }
      }))
  }
)

layer(serverWith({ LEGACY_INTROSPECTION_UNTIL: "1970-01-02" }))("LEGACY_INTROSPECTION_UNTIL", (it) => {
  it.effect("ends the asking by itself, and what was taken over before lives on", () =>
    Effect.gen(function*() {
      const [app, late] = [yield* installedApp(), yield* installedApp()]
      const { json, status } = yield* app.refresh(app.refreshToken)
      assert.strictEqual(status, 200)
      yield* TestClock.setTime(Date.parse("1970-01-02"))
      assertRefused(yield* late.refresh(late.refreshToken), 400, "invalid_grant")
      assert.strictEqual(late.asked(), 0)
      assert.strictEqual((yield* app.refresh(app.refreshToken)).status, 200)
      assert.strictEqual((yield* app.refresh(json["refresh_token"])).status, 200)
    }))
})

layer(Layer.merge(TestDatabase.layer, Layer.effect(Previous, PreviousServer.make)))("Two processes", (it) => {
  it.effect("make one grant of a token that both are asked for, with one successor", () =>
    Effect.gen(function*() {
      const previous = yield* Previous
      const env = { ...TestDatabase.patient, ...settings, ...previous.settings }
      const node = Layer.fresh(
        LegacyImport.layer.pipe(Layer.provideMerge(Layer.merge(Testing.layer(env), HttpServer.layerServices)))
      )
      const other = yield* Effect.provide(serverClient, yield* Layer.build(node))
      yield* Effect.gen(function*() {
        const app = yield* installedApp()
        const both = yield* Deferred.make<void>()
        const held: Array<() => void> = []
        previous.respond = (_, response) => {
          held.push(() => PreviousServer.json(response, app.facts))
          if (held.length === 2) Deferred.doneUnsafe(both, Effect.void)
        }
        const fields = {
          grant_type: "refresh_token",
          client_id: app.id,
          client_secret: app.secret,
          refresh_token: app.refreshToken
        }
        const refreshing = yield* Effect.forkChild(
          Effect.all([app.token(fields), other.token(fields)], { concurrency: "unbounded" })
        )
        yield* Deferred.await(both)
        for (const answer of held) answer()
        const answers = yield* Fiber.join(refreshing)
        assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200])
        assert.strictEqual(answers[0]?.json["refresh_token"], answers[1]?.json["refresh_token"])
        assert.strictEqual((yield* app.grants).length, 1)
      }).pipe(Effect.provide(node))
    }))
})
