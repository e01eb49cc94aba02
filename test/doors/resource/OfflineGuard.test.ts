import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { makeGuard, makeOfflineGuard } from "../../../src/resource.ts"
import { clientId, userId } from "../../core/tokens/Fixture.ts"

const baseUrl = "https://api.example.com"
const issuer = "https://auth.example.com"

/** A server of which nothing but its keys can be had; `answer` is what it says when it is asked for them. */
const scene = async (answer?: () => Promise<Response>, address = baseUrl) => {
  const { privateKey, publicKey } = await generateKeyPair("ES256")
  const keys = [{ ...await exportJWK(publicKey), alg: "ES256", kid: "first", use: "sig" }]
  const asked: Array<string> = []
  const guard = await makeOfflineGuard({ baseUrl: address, issuer }, (url) => {
    asked.push(String(url))
    return answer?.() ?? Promise.resolve(Response.json({ keys }))
  })
  const check = (token: string, target = "/v2/bookings") =>
    guard.check({ method: "GET", target, authorization: `Bearer ${token}` })
  return { asked, check, close: guard.close, key: privateKey, status: (token: string) => check(token).then(statusOf) }
}

const statusOf = (verdict: { readonly allowed: boolean; readonly status?: number }) =>
  verdict.allowed ? 200 : verdict.status

const claims = {
  iss: issuer,
  aud: baseUrl,
  sub: userId,
  client_id: clientId,
  scope: "BOOKING_READ",
  jti: "token",
  grant_id: crypto.randomUUID(),
  gen: 0
}

const sign = (key: CryptoKey | Uint8Array, changed: JWTPayload = {}, header: Record<string, string> = {}) =>
  new SignJWT({ ...claims, ...changed })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "first", ...header })
    .setIssuedAt()
    .setExpirationTime(changed.exp ?? "30 minutes")
    .sign(key)

describe("A guard that verifies tokens by the published keys", () => {
  it("knows the caller, and compares the scopes with what the call needs", async () => {
    const { asked, check, close, key } = await scene()
    const token = await sign(key)
    const passed = await check(token)
    assert.isTrue(passed.allowed)
    assert.strictEqual(passed.allowed ? passed.caller?.userId : undefined, userId)
    const narrow = await check(token, "/v2/webhooks")
    assert.strictEqual(statusOf(narrow), 403)
    assert.match(
      narrow.allowed ? "" : narrow.headers["www-authenticate"] ?? "",
      /scope="BOOKING_READ WEBHOOK_READ", resource_metadata="https:\/\/api\.example\.com\/\.well-known\/oauth-protected-resource"/
    )
    assert.strictEqual(
      statusOf(await check(await sign(key, { scope: undefined, unrestricted: true }), "/v2/webhooks")),
      200
    )
    assert.deepStrictEqual(asked, ["https://api.example.com/.well-known/jwks.json"])
    await close()
  })

  it("refuses what is not an access token of this server for this API", async () => {
    const { asked, close, key, status } = await scene()
    const foreign = await generateKeyPair("ES256")
    const tokens = await Promise.all([
      sign(key, { iss: "https://other.example.com" }),
      sign(key, { aud: "https://other.example.com" }),
      sign(key, { exp: Math.floor(Date.now() / 1000) - 1 }),
      sign(key, { client_id: undefined }),
      sign(key, {}, { typ: "JWT" }),
      sign(key, {}, { kid: "unknown" }),
      sign(foreign.privateKey),
      sign(new TextEncoder().encode("the public key, taken for a secret"), {}, { alg: "HS256" })
    ])
    // Padding, which RFC 7515 §2 leaves out.
    tokens.push(`${await sign(key)}==`)
    for (const token of tokens) assert.strictEqual(await status(token), 401)
    assert.strictEqual(await status(await sign(key)), 200)
    // An unknown key is no reason to ask again at once.
    assert.lengthOf(asked, 1)
    await close()
  })

  it("takes an address that ends with a slash for the server's, which has none", async () => {
    const asked: Array<string> = []
    const fetch = (address: unknown) => {
      asked.push(String(address))
      return Promise.resolve(Response.json({}))
    }
    const call = { method: "GET", target: "/v2/bookings", authorization: undefined }
    const authorization = `Bearer ${await sign((await generateKeyPair("ES256")).privateKey)}`
    for (
      const guard of [
        await makeOfflineGuard({ baseUrl: `${baseUrl}/` }, fetch),
        await makeGuard({ baseUrl: `${baseUrl}/`, credential: Redacted.make("slk_rs_ours") }, fetch)
      ]
    ) {
      const nobody = await guard.check(call)
      const metadata = /resource_metadata="([^"]*)"/.exec(
        nobody.allowed ? "" : nobody.headers["www-authenticate"] ?? ""
      )
      assert.strictEqual(metadata?.[1], `${baseUrl}/.well-known/oauth-protected-resource`)
      await guard.check({ ...call, authorization })
      await guard.close()
    }
    assert.deepStrictEqual(asked, [`${baseUrl}/.well-known/jwks.json`, `${baseUrl}/v2/auth/oauth2/introspect`])
    const { close, key, status } = await scene(undefined, `${baseUrl}/`)
    assert.strictEqual(await status(await sign(key)), 200)
    await close()
  })

  it("goes by the scopes that it knows beside those of a later release, which cover nothing and are shown", async () => {
    const { check, close, key } = await scene()
    const token = await sign(key, { scope: "BOOKING_READ TIME_TRAVEL_WRITE ORG_TIME_TRAVEL_WRITE" })
    const passed = await check(token)
    assert.deepStrictEqual(passed.allowed ? passed.caller?.scopes : [], [
      "BOOKING_READ",
      "TIME_TRAVEL_WRITE",
      "ORG_TIME_TRAVEL_WRITE"
    ])
    assert.strictEqual(statusOf(await check(token, "/v2/webhooks")), 403)
    await close()
  })

  it("answers 503 while the keys cannot be read", async () => {
    for (
      const answer of [
        () => Promise.reject(new TypeError("fetch failed")),
        async () => Response.json({}, { status: 502 })
      ]
    ) {
      const { check, close, key } = await scene(answer)
      const token = await sign(key)
      const unread = await check(token)
      assert.deepInclude(unread, { allowed: false, status: 503, headers: { "retry-after": "1" } })
      await close()
    }
  })
})
