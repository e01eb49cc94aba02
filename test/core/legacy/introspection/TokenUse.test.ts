import { assert, describe, it } from "@effect/vitest"
import { isAccessToken, tokenUse } from "../../../../src/core/legacy/introspection/TokenUse.ts"

const jwt = (claims: object, header: object = {}) =>
  [{ alg: "ES256", ...header }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(
    "."
  ) +
  ".c2lnbmF0dXJl"

const opaque = "an-opaque-token"

describe("What a token may be used for", () => {
  it.each(
    [
      // Hydra, which calls access tokens alone Bearer.
      [opaque, { token_use: "refresh_token" }, "refresh"],
      [opaque, { token_use: "access_token", token_type: "Bearer" }, "other"],
      // Keycloak, whose token_type repeats typ.
      [opaque, { typ: "Refresh", token_type: "Refresh" }, "refresh"],
      [opaque, { typ: "Offline", token_type: "Offline" }, "refresh"],
      [opaque, { typ: "Bearer", token_type: "Bearer" }, "other"],
      [opaque, { typ: "ID" }, "other"],
      // Doorkeeper, which says Bearer of both kinds, and Django OAuth Toolkit, which says nothing of access tokens.
      [opaque, { token_type: "Bearer" }, "unsaid"],
      [opaque, {}, "unsaid"],
      [opaque, { token_type: "refresh_token" }, "refresh"],
      [opaque, { token_type: "access_token" }, "other"],
      // The more precise word counts.
      [opaque, { token_use: "access_token", typ: "Refresh", token_type: "refresh_token" }, "other"],
      [opaque, { token_use: null, typ: "Refresh", token_type: "Bearer" }, "refresh"],
      // Token itself, where the answer says nothing.
      [jwt({ token_type: "refresh" }), { token_type: "Bearer" }, "refresh"],
      [jwt({ token_type: "access" }), {}, "other"],
      [jwt({ typ: "Refresh" }), {}, "refresh"],
      [jwt({ typ: "Refresh" }), { token_use: "access_token" }, "other"],
      [jwt({ token_use: "access" }), { token_type: "refresh" }, "other"],
      [jwt({ typ: "JWT" }), { typ: "JWT" }, "unsaid"],
      [jwt({ typ: 1 }), {}, "unsaid"],
      ["not.a.jwt", {}, "unsaid"],
      [opaque, { token_use: "" }, "unsaid"],
      [opaque, { token_use: "norefresh" }, "other"]
    ] as const
  )(
    "of %s with the answer %o is %s",
    (text, said, use) => assert.strictEqual(tokenUse(text, { active: true, ...said }), use)
  )

  it("is known of a JWT that calls itself an access token (RFC 9068 §2.1)", () => {
    assert.isTrue(isAccessToken(jwt({}, { typ: "at+jwt" })))
    assert.isTrue(isAccessToken(jwt({}, { typ: "application/at+JWT" })))
    assert.isFalse(isAccessToken(jwt({}, { typ: "JWT" })))
    assert.isFalse(isAccessToken(opaque))
  })
})
