import { assert, describe, it } from "@effect/vitest"
import { challenge, parse } from "../../src/domain/Bearer.ts"

describe("a bearer credential", () => {
  it.each(["Bearer abc.d-e_f", "bearer abc.d-e_f", "BEARER  abc.d-e_f"])("is read from %s", (header) => {
    assert.deepStrictEqual(parse(header), { _tag: "Token", token: "abc.d-e_f" })
  })

  it.each([undefined, "", "Basic YTpi", "Bearerabc", "DPoP abc"])("is absent from %s", (header) => {
    assert.strictEqual(parse(header)._tag, "None")
  })

  it.each([
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Bearer a, Bearer b",
    "Bearer a,b",
    "Bearer é",
    "Bearer =a",
    "Bearer\ta "
  ])(
    "is malformed in %j",
    (header) => {
      assert.notStrictEqual(parse(header)._tag, "Token")
    }
  )
})

describe("a challenge", () => {
  it("names what is known and nothing else", () => {
    const resourceMetadata = "https://api.test/.well-known/oauth-protected-resource"
    assert.strictEqual(challenge({ resourceMetadata }), `Bearer resource_metadata="${resourceMetadata}"`)
    assert.strictEqual(
      challenge({ error: "insufficient_scope", description: "no", scope: "BOOKING_READ", resourceMetadata }),
      `Bearer error="insufficient_scope", error_description="no", scope="BOOKING_READ", ` +
        `resource_metadata="${resourceMetadata}"`
    )
  })
})
