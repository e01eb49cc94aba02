import { assert, layer } from "@effect/vitest"
import { Array, DateTime, Duration, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from "jose"
import { generateKeyPairSync } from "node:crypto"
import { makeHandover } from "../../../../src/core/accounts/linked/Handover.ts"
import * as Credential from "../../../../src/domain/Credential.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const keys = ["first-key-of-the-platform-0123456789", "second-key-of-the-platform-012345678"] as const
const platform = "https://platform.example"
const server = "https://slotkey.test"

const Services = Layer.merge(
  TestDatabase.layer,
  AppConfig.layerTest({ HANDOVER_URL: `${platform}/login?theme=plain`, HANDOVER_KEY: keys.join(",") })
)

const bytes = (key: string) => new TextEncoder().encode(key)

/** An answer as the platform signs it, with changed claims or header. */
const answerTo = Effect.fnUntraced(function*(
  nonce: string,
  { claims = {}, key = keys[0], typ = "handover-answer+jwt" }: {
    readonly claims?: Readonly<Record<string, unknown>>
    readonly key?: string
    readonly typ?: string
  } = {}
) {
  const iat = Math.floor((yield* Effect.clockWith((clock) => clock.currentTimeMillis)) / 1000)
  return yield* Effect.promise(() =>
    new SignJWT({ iss: platform, aud: server, iat, nonce, sub: "uma", ...claims })
      .setProtectedHeader({ alg: "HS256", typ }).sign(bytes(key))
  )
})

/** Kind of the refusal, or `accepted`. */
const outcomeOf = Effect.fnUntraced(function*(answer: string, secret: string) {
  const result = yield* Effect.result((yield* makeHandover).accept(answer, secret))
  return Result.isSuccess(result) ? "accepted" : result.failure.kind
})

layer(Services)("Handover", (it) => {
  it.effect("asks by a signed request for this platform, this browser and this app", () =>
    Effect.gen(function*() {
      const handover = yield* makeHandover
      const about = { app: "Wall Display", loginHint: "uma@example.com", uiLocales: "de en", prompt: "login" }
      const { nonce, secret, url } = yield* handover.ask(about)
      const { origin, pathname, searchParams } = new URL(url)
      assert.deepStrictEqual([origin, pathname, searchParams.get("theme")], [platform, "/login", "plain"])
      const request = searchParams.get("request") ?? ""
      const currentDate = DateTime.toDateUtc(yield* DateTime.now)
      const { payload } = yield* Effect.promise(() =>
        jwtVerify(request, bytes(keys[0]), { typ: "handover-request+jwt", currentDate })
      )
      assert.strictEqual((payload.exp ?? 0) - (payload.iat ?? 0), 3600)
      assert.deepInclude(payload, {
        iss: server,
        aud: platform,
        nonce,
        response_uri: `${server}/sign-in/handover`,
        client_name: "Wall Display",
        login_hint: "uma@example.com",
        ui_locales: "de en",
        prompt: "login"
      })
      assert.notInclude(url, secret)
      assert.strictEqual(decodeProtectedHeader(request).alg, "HS256")
    }))

  it.effect("leaves out of a request what the app did not say", () =>
    Effect.gen(function*() {
      const { url } = yield* (yield* makeHandover).ask({})
      assert.hasAllKeys(decodeJwt(new URL(url).searchParams.get("request") ?? ""), [
        "iss",
        "aud",
        "iat",
        "exp",
        "nonce",
        "response_uri"
      ])
    }))

  it.effect("accepts an answer with the claims of the user, under either key", () =>
    Effect.gen(function*() {
      const handover = yield* makeHandover
      for (const key of keys) {
        const { nonce, secret } = yield* handover.ask({})
        const accepted = yield* handover.accept(yield* answerTo(nonce, { key, claims: { name: "Uma" } }), secret)
        assert.strictEqual(accepted.subject, "uma")
        assert.strictEqual(accepted.claims["name"], "Uma")
      }
    }))

  it.effect("accepts one answer to a request, however often it comes and wherever", () =>
    Effect.gen(function*() {
      const { nonce, secret } = yield* (yield* makeHandover).ask({})
      const answer = yield* answerTo(nonce)
      const outcomes = yield* Effect.all(Array.makeBy(8, () => outcomeOf(answer, secret)), { concurrency: "unbounded" })
      assert.deepStrictEqual(outcomes.toSorted(), ["accepted", ...Array.makeBy(7, () => "used")])
      const another = yield* answerTo(nonce, { claims: { sub: "ada" } })
      assert.strictEqual(yield* outcomeOf(another, secret), "used")
    }))

  it.effect("keeps the digest of a request that was answered", () =>
    Effect.gen(function*() {
      const { nonce, secret } = yield* (yield* makeHandover).ask({})
      assert.strictEqual(yield* outcomeOf(yield* answerTo(nonce), secret), "accepted")
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT 1 FROM spent_answers WHERE digest = ${Credential.digest(nonce)}`
      assert.lengthOf(rows, 1)
    }))

  it.effect("accepts an answer for 60 seconds", () =>
    Effect.gen(function*() {
      const handover = yield* makeHandover
      const first = yield* handover.ask({})
      const second = yield* handover.ask({})
      const answers = [yield* answerTo(first.nonce), yield* answerTo(second.nonce)] as const
      yield* TestClock.adjust(Duration.seconds(60))
      assert.strictEqual(yield* outcomeOf(answers[0], first.secret), "accepted")
      yield* TestClock.adjust(Duration.seconds(1))
      assert.strictEqual(yield* outcomeOf(answers[1], second.secret), "late")
    }))

  it.effect("allows the platform's clock to be 5 seconds ahead", () =>
    Effect.gen(function*() {
      const { nonce, secret } = yield* (yield* makeHandover).ask({})
      const now = Math.floor((yield* Effect.clockWith((clock) => clock.currentTimeMillis)) / 1000)
      assert.strictEqual(yield* outcomeOf(yield* answerTo(nonce, { claims: { iat: now + 6 } }), secret), "invalid")
      assert.strictEqual(yield* outcomeOf(yield* answerTo(nonce, { claims: { iat: now + 5 } }), secret), "accepted")
    }))

  it.effect("refuses an answer that was asked for by another browser, which does not spend it", () =>
    Effect.gen(function*() {
      const handover = yield* makeHandover
      const { nonce, secret } = yield* handover.ask({})
      const answer = yield* answerTo(nonce)
      assert.strictEqual(yield* outcomeOf(answer, (yield* handover.ask({})).secret), "other browser")
      assert.strictEqual(yield* outcomeOf(answer, ""), "other browser")
      // The request is in the address of the platform's page, which others may see.
      assert.strictEqual(yield* outcomeOf(answer, nonce), "other browser")
      assert.strictEqual(yield* outcomeOf(answer, secret), "accepted")
    }))

  it.effect("refuses what the platform has not signed as an answer for this server", () =>
    Effect.gen(function*() {
      const { nonce, secret, url } = yield* (yield* makeHandover).ask({})
      const good = yield* answerTo(nonce)
      const [header, payload, signature = ""] = good.split(".")
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
      const signed = (alg: string, key: Uint8Array | typeof privateKey) =>
        Effect.promise(() =>
          new SignJWT(decodeJwt(good)).setProtectedHeader({ alg, typ: "handover-answer+jwt" }).sign(key)
        )
      const bad: Readonly<Record<string, string>> = {
        nothing: "",
        "no JWS": "uma",
        unsigned: `${header}.${payload}.`,
        "alg none": new UnsecuredJWT(decodeJwt(good)).encode(),
        "alg none in its header": `${
          Buffer.from("{\"alg\":\"none\",\"typ\":\"handover-answer+jwt\"}").toString("base64url")
        }.${payload}.${signature}`,
        "another MAC": yield* signed("HS512", Buffer.alloc(64, keys[0])),
        "an asymmetric signature": yield* signed("ES256", privateKey),
        "another key": yield* answerTo(nonce, { key: "x".repeat(36) }),
        "another signature": `${header}.${payload}.${signature.slice(0, -6)}AAAAAA`,
        "changed claims": `${header}.${
          Buffer.from(JSON.stringify({ ...decodeJwt(good), sub: "ada" })).toString("base64url")
        }.${signature}`,
        "the request itself": new URL(url).searchParams.get("request") ?? "",
        "another type": yield* answerTo(nonce, { typ: "JWT" }),
        "another audience": yield* answerTo(nonce, { claims: { aud: "https://other.example" } }),
        "another issuer": yield* answerTo(nonce, { claims: { iss: "https://other.example" } }),
        "no time": yield* answerTo(nonce, { claims: { iat: undefined } }),
        "no subject": yield* answerTo(nonce, { claims: { sub: undefined } }),
        "a padded subject": yield* answerTo(nonce, { claims: { sub: " uma" } }),
        "an empty subject": yield* answerTo(nonce, { claims: { sub: " " } }),
        "no nonce": yield* answerTo(nonce, { claims: { nonce: undefined } }),
        "a nonce of another form": yield* answerTo("a;b=c"),
        "too long": yield* answerTo(nonce, { claims: { name: "n".repeat(3000) } })
      }
      const outcomes = yield* Effect.forEach(Object.entries(bad), ([what, answer]) =>
        Effect.map(outcomeOf(answer, secret), (outcome) => `${what}: ${outcome}`))
      assert.deepStrictEqual(
        outcomes,
        Object.keys(bad).map((what) =>
          `${what}: invalid`
        )
      )
      assert.strictEqual(yield* outcomeOf(good, secret), "accepted")
    }))

  it.effect("heeds an end that the platform sets", () =>
    Effect.gen(function*() {
      const { nonce, secret } = yield* (yield* makeHandover).ask({})
      const now = Math.floor((yield* Effect.clockWith((clock) => clock.currentTimeMillis)) / 1000)
      const answer = yield* answerTo(nonce, { claims: { exp: now + 10 } })
      yield* TestClock.adjust(Duration.seconds(20))
      assert.strictEqual(yield* outcomeOf(answer, secret), "late")
    }))
})
