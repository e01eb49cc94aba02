// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { KeyRotation } from "../../../src/core/keys/KeyRotation.ts"
import { MacKeys } from "../../../src/core/keys/MacKeys.ts"
import { sign } from "../../../src/core/keys/Signature.ts"
import { SigningKeys } from "../../../src/core/keys/SigningKeys.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import { ClientId, UserId } from "../../../src/domain/Ids.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { node, token, verifyOffline } from "../keys/Scenario.ts"
import { writeAccessToken } from "./Fixture.ts"

layer(TestDatabase.layer)("The MAC of an access token", (it) => {
  it.effect("is a claim after all others, whatever those are, and no character of what it covers can be changed", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      // Ids of every length and of characters of one to four bytes, some of which JSON escapes.
      for (let n = 0; n < 60; n++) {
        const issued = {
          ...token,
          userId: UserId.make("u\"é漢😀\\\n".repeat(9).slice(0, 1 + n)),
          clientId: ClientId.make("c".repeat(1 + n % 5)),
          scopes: n % 3 === 0 ? null : token.scopes,
          generation: 7 ** (n % 10)
        }
        const text = yield* writeAccessToken(issued)
        const { payload } = yield* verifyOffline(text)
        assert.strictEqual(Object.keys(payload).at(-1), "mac")
        assert.match(String(payload["mac"]), /^[\w-]{30}$/)
        const { audience: _, expiresAt: __, id: ___, issuedAt: ____, ...verified } = yield* tokens.verify(text)
        assert.deepStrictEqual(verified, issued)
      }
      const text = yield* writeAccessToken(token)
      for (let at = 0; at < text.lastIndexOf("."); at++) {
        const other = text[at] === "A" ? "B" : "A"
        // Whose low byte is the same.
        const wide = String.fromCharCode(text.charCodeAt(at) + 0x100)
        for (const character of [other, wide]) {
          yield* Effect.flip(tokens.verify(text.slice(0, at) + character + text.slice(at + 1)))
        }
      }
    }).pipe(Effect.provide(node())))

  it.effect("says nothing for a text that is longer or shorter, or no base64url", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const text = yield* writeAccessToken(token)
      // By then it is cached.
      for (let time = 0; time < 20; time++) {
        yield* tokens.verify(text)
        const ends = ["=", "+", "/", "!", "\u0141"].map((end) => text.slice(0, -1) + end)
        for (const other of [`${text}A`, `${text}=`, text.slice(0, -1), `A${text}`, `${text}.`, ...ends]) {
          assert.strictEqual((yield* Effect.flip(tokens.verify(other)))._tag, "InvalidToken")
        }
      }
    }).pipe(Effect.provide(node())))

  it.effect("is needed: who has a signing key alone passes for nobody", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const forged = yield* withoutMac
      yield* verifyOffline(forged)
      assert.strictEqual((yield* Effect.flip(tokens.verify(forged)))._tag, "InvalidToken")
      const strange = yield* signed({ mac: "A".repeat(30) })
      assert.strictEqual((yield* Effect.flip(tokens.verify(strange)))._tag, "InvalidToken")
    }).pipe(Effect.provide(node())))

  it.effect("is for this issuer and audience alone", () =>
    Effect.gen(function*() {
      const text = yield* writeAccessToken(token)
      for (const env of [{ ISSUER: "https://other.test" }, { BASE_URL: "https://other.test" }]) {
        const elsewhere = Effect.flatMap(AccessTokens, ({ verify }) => Effect.flip(verify(text)))
        assert.strictEqual((yield* Effect.provide(elsewhere, node(env)))._tag, "InvalidToken")
      }
    }).pipe(Effect.provide(node())))

  it.effect("is known to a server whose keys another one has just replaced, and older ones are not", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const old = yield* writeAccessToken(token)
      yield* tokens.verify(old)
      const [issued, unmarked] = yield* Effect.gen(function*() {
        yield* (yield* KeyRotation).replaceSigningKeys("cli")
        return [yield* writeAccessToken(token), yield* withoutMac] as const
      }).pipe(Effect.provide(node()))
      // A look for a key that nobody has made, a moment before.
      yield* Effect.flip(tokens.verify(issued.replace(/^[^.]+/, "e30")))
      assert.strictEqual((yield* tokens.verify(issued)).grantId, token.grantId)
      for (const refused of [old, unmarked]) {
        assert.strictEqual((yield* Effect.flip(tokens.verify(refused)))._tag, "InvalidToken")
      }
    }).pipe(Effect.provide(node())))

  it.effect("of an unknown key lets the server read its keys once a second at most", () =>
    Effect.gen(function*() {
      const keys = yield* MacKeys
      const before = keys.live()
      yield* keys.lookUp("unknown1")
      const read = keys.live()
      assert.notStrictEqual(read, before)
      yield* keys.lookUp("unknown2")
      assert.strictEqual(keys.live(), read)
      yield* TestClock.adjust("1 second")
      yield* keys.lookUp("unknown3")
      assert.notStrictEqual(keys.live(), read)
    }).pipe(Effect.provide(node())))
})

/** A token that is signed as ours are, without a MAC. */
const signed = Effect.fnUntraced(function*(more: object) {
  const now = yield* DateTime.now
  const { algorithm, id, key } = (yield* SigningKeys).signing(now)
  const iat = Math.floor(DateTime.toEpochMillis(now) / 1000)
  const parts = [{ alg: algorithm, typ: "at+jwt", kid: id }, {
    iss: "https://slotkey.test",
    sub: token.userId,
    aud: "https://slotkey.test",
    client_id: token.clientId,
    iat,
    exp: iat + 1800,
    jti: "1",
    scope: "PROFILE_READ",
    grant_id: token.grantId,
    gen: 0,
    ...more
  }]
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")
  return `${input}.${sign(algorithm, key.privateKey, input)}`
})
const withoutMac = signed({})
