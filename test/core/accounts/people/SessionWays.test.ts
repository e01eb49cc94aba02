// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { type SessionOrigin, Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const userId = UserId.make("uma")

const oidc = { SIGN_IN: "oidc", OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "slotkey" }
const handover = { SIGN_IN: "handover", HANDOVER_URL: "https://platform.example/login", HANDOVER_KEY: "k".repeat(32) }
const proxy = {
  SIGN_IN: "proxy",
  PROXY_HEADER: "x-assertion",
  PROXY_JWKS_URL: "https://proxy.example/keys",
  PROXY_ISSUER: "https://proxy.example",
  PROXY_AUDIENCE: "slotkey"
}
const both = { ...oidc, ...handover, SIGN_IN: "local oidc handover" }

/** Sessions of a server with these settings, on the one database. */
const under = (env: Record<string, string>) => <A, E>(work: Effect.Effect<A, E, Sessions>) =>
  Effect.provide(work, Sessions.layer.pipe(Layer.provide([AppConfig.layerTest(env), AuditLog.layer])))

const start = (env: Record<string, string>, origin: SessionOrigin = {}) =>
  Effect.flatMap(Sessions, (sessions) => sessions.start(userId, origin)).pipe(under(env), Effect.map(Redacted.value))

const isLive = (token: string, env: Record<string, string>) =>
  Effect.flatMap(Sessions, (sessions) => sessions.find(token)).pipe(under(env), Effect.map(Option.isSome))

const by = (way: "oidc" | "handover", issuer: string): SessionOrigin => ({ identity: { way, issuer, subject: "1" } })

layer(TestDatabase.layer)("A session", (it) => {
  it.effect("lasts as long as its way is in use, with the same issuer", () =>
    Effect.gen(function*() {
      const tokens = {
        local: yield* start({}),
        oidc: yield* start(oidc, by("oidc", "https://id.example")),
        handover: yield* start(handover, by("handover", "https://platform.example")),
        proxy: yield* start(proxy, { ofBrowser: true })
      }
      const live = (env: Record<string, string>) =>
        Effect.map(
          Effect.filter(Object.entries(tokens), ([, token]) => isLive(token, env)),
          (entries) => entries.map(([name]) => name)
        )
      // Whose browser it is, the proxy says with each request: its sessions are judged there.
      assert.deepStrictEqual(yield* live({}), ["local", "proxy"])
      assert.deepStrictEqual(yield* live(oidc), ["oidc", "proxy"])
      assert.deepStrictEqual(yield* live(handover), ["handover", "proxy"])
      assert.deepStrictEqual(yield* live(both), ["local", "oidc", "handover", "proxy"])
      assert.deepStrictEqual(yield* live({ ...oidc, OIDC_ISSUER: "https://other.example" }), ["proxy"])
      assert.deepStrictEqual(yield* live({ ...handover, HANDOVER_ISSUER: "the platform" }), ["proxy"])
      // The page may move where the platform keeps its name.
      const moved = {
        ...handover,
        HANDOVER_URL: "https://new.example/login",
        HANDOVER_ISSUER: "https://platform.example"
      }
      assert.deepStrictEqual(yield* live(moved), ["handover", "proxy"])
      const listed = Effect.flatMap(Sessions, (sessions) => sessions.list(userId)).pipe(under(handover))
      assert.strictEqual((yield* listed).length, 2)
    }))

  it.effect("ends with its way also where another way has the same issuer", () =>
    Effect.gen(function*() {
      const named = { HANDOVER_ISSUER: "https://id.example" }
      const token = yield* start({ ...handover, ...named }, by("handover", "https://id.example"))
      assert.isTrue(yield* isLive(token, { ...both, ...named }))
      assert.isFalse(yield* isLive(token, oidc))
    }))

  it.effect("lasts where the provider has another name for itself in each of its directories", () =>
    Effect.gen(function*() {
      const common = { ...oidc, OIDC_ISSUER: "https://login.example/common" }
      const token = yield* start(common, by("oidc", "https://login.example/tenant-7"))
      assert.isTrue(yield* isLive(token, common))
    }))
})
