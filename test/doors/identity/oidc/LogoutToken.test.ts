import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose"
import { readLogoutToken } from "../../../../src/doors/identity/oidc/LogoutToken.ts"

const issuer = "https://login.platform.example"
const audience = "slotkey"
const now = new Date("2026-11-23T08:00:00Z")
const seconds = now.getTime() / 1000
const events = { "http://schemas.openid.net/event/backchannel-logout": {} }
const claims = {
  iss: issuer,
  aud: audience,
  iat: seconds,
  exp: seconds + 120,
  jti: "one",
  sub: "uma",
  sid: "s-1",
  events
}

const keyPair = await generateKeyPair("ES256")
const publicJwk = { ...await exportJWK(keyPair.publicKey), kid: "k" }
const keys = createLocalJWKSet({ keys: [publicJwk] })
const secret = Buffer.alloc(32, 1)

const signed = (payload: JWTPayload) =>
  new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(keyPair.privateKey)

const read = (
  token: Promise<string> | string,
  algorithms: ReadonlyArray<string> | undefined = ["ES256", "none", "HS256"]
) => Effect.tryPromise(async () => readLogoutToken(await token, { issuer, audience, algorithms, keys, now }))

const without = (name: keyof typeof claims) => {
  const { [name]: _, ...rest } = claims
  return rest
}

describe("a logout token", () => {
  it.effect("names the user, the session or both", () =>
    Effect.gen(function*() {
      const id = "one"
      assert.deepStrictEqual(yield* read(signed(claims)), { issuer, id, subject: "uma", sid: "s-1" })
      assert.deepStrictEqual(yield* read(signed(without("sid"))), { issuer, id, subject: "uma", sid: undefined })
      assert.deepStrictEqual(yield* read(signed(without("sub"))), { issuer, id, subject: undefined, sid: "s-1" })
    }))

  it.effect.each<readonly [what: string, token: () => Promise<string> | string]>([
    ["of another issuer", () => signed({ ...claims, iss: "https://evil.example" })],
    ["without an issuer", () => signed(without("iss"))],
    ["for another audience", () => signed({ ...claims, aud: "another" })],
    ["without an audience", () => signed(without("aud"))],
    ["that has expired", () => signed({ ...claims, iat: seconds - 200, exp: seconds - 31 })],
    ["without an end", () => signed(without("exp"))],
    ["that is old, however long it lasts", () => signed({ ...claims, iat: seconds - 331, exp: seconds + 86_400 })],
    ["of the future", () => signed({ ...claims, iat: seconds + 31 })],
    ["without a time", () => signed(without("iat"))],
    ["without an id", () => signed(without("jti"))],
    ["with the nonce of an ID token", () => signed({ ...claims, nonce: "n" })],
    ["with a nonce that is empty", () => signed({ ...claims, nonce: "" })],
    ["with a nonce that is no text", () => signed({ ...claims, nonce: null })],
    ["without events", () => signed(without("events"))],
    ["of another event", () => signed({ ...claims, events: { "http://schemas.openid.net/event/other": {} } })],
    ["whose event is no object", () => signed({ ...claims, events: { [Object.keys(events)[0] ?? ""]: true } })],
    [
      "about nobody",
      () => signed(Object.fromEntries(Object.entries(claims).filter(([name]) => name !== "sub" && name !== "sid")))
    ],
    ["whose session is no text", () => signed({ ...claims, sid: 5 })],
    ["without a signature", () => new UnsecuredJWT(claims).encode()],
    ["signed with a secret", () => new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "k" }).sign(secret)],
    ["of another key", async () => {
      const { privateKey } = await generateKeyPair("ES256")
      return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(privateKey)
    }],
    ["that is none", () => "hello"]
  ])("is refused %s", ([, token]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.result(read(token())))._tag, "Failure")
    }))

  it.effect("is refused if its algorithm is none of the provider's, which is RS256 if the metadata names none", () =>
    Effect.gen(function*() {
      for (const algorithms of [["PS256"], undefined]) {
        const token = signed(claims)
        const options = { issuer, audience, algorithms, keys, now }
        const result = yield* Effect.result(Effect.tryPromise(async () => readLogoutToken(await token, options)))
        assert.strictEqual(result._tag, "Failure")
      }
    }))
})
