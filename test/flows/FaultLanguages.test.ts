import { assert, describe, it as plainIt, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { parse } from "node-html-parser"
import { problem } from "../../src/core/clients/records/RedirectUri.ts"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { TestServer } from "../../src/testing.ts"
import { accented, accentedCatalogue, strayTexts } from "../support/StrayTexts.ts"

const Server = TestServer.layer({ catalogue: accentedCatalogue }).pipe(
  Layer.provide(Layer.succeed(Languages, [english, accented]))
)

/** Redirect addresses that cannot be registered, by the rules that they break. */
const badAddresses = {
  addressTooLong: `https://app.example/${"a".repeat(2048)}`,
  spaces: "https://app.example/a b",
  ascii: "https://app.example/bücher",
  asciiHost: "https://bücher.example/",
  fragment: "https://app.example/#a",
  backslash: "https://app.example/\\a",
  absolute: "app.example",
  userInformation: "https://ann@app.example/",
  severalAddresses: "https://app.example/,https://b.example/",
  placeholder: "https://{tenant}.example/",
  wildcard: "https://*.app.example/",
  wildcardPort: "http://127.0.0.1:*/",
  schemeCase: "HTTPS://app.example/",
  slashes: "https:/app.example/",
  secureRedirect: "http://app.example/",
  redirectHost: "https:///",
  hostCharacters: "https://ex%61mple.com/",
  portMissing: "https://app.example:/",
  port: "https://app.example:99999/",
  ipAddress: "https://192.0.2.999/",
  reservedScheme: "javascript:alert(1)",
  urn: "urn:ietf:wg:oauth:2.0:oob",
  schemeWithoutDot: "myapp:/",
  reverseDomain: "com.:/",
  schemeAlone: "com.example.app:",
  schemeAuthority: "com.example.app://[",
  encoding: "https://app.example/a^b",
  responseParameter: "https://app.example/?code=1"
}

describe("The addresses of this test", () => {
  plainIt.each(Object.entries(badAddresses))("break the rule %s", (code, address) => {
    assert.strictEqual(problem(address)?.rule.code, code)
  })
})

layer(Server, { timeout: "2 minutes" })("The form of an app", (it) => {
  /** Sends the form of a new app with this in it, as a reader of the pseudo-language. */
  const scene = Effect.gen(function*() {
    const kit = yield* TestServer
    yield* kit.reset
    const { cookie, csrf } = yield* kit.session(yield* kit.user({ name: "Ñ" }))
    return Effect.fnUntraced(function*(fields: Readonly<Record<string, string>>) {
      const response = yield* kit.fetch("/settings/apps", {
        method: "POST",
        headers: { cookie, "accept-language": accented.tag, "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ csrf, ...good, ...fields })
      })
      assert.strictEqual(response.status, 400)
      const page = yield* Effect.promise(() => response.text())
      // Names, such as the one of a scheme, stay as they are.
      assert.deepStrictEqual(strayTexts(page.replaceAll(/<bdi>.*?<\/bdi>/g, "")), [])
      return parse(page).querySelectorAll("small.error span, small.error:not(:has(span))").map(({ text }) => text)
    })
  })

  const good = {
    kind: "confidential",
    name: "Ñ",
    purpose: "Ñ",
    website: "https://app.example",
    redirectUris: "https://app.example/",
    "scope:PROFILE_READ": "on"
  }

  it.effect("says what is wrong with each redirect address in the language of its reader", () =>
    Effect.gen(function*() {
      const send = yield* scene
      const told = yield* send({ redirectUris: Object.values(badAddresses).join("\n") })
      // Each stands at its own field, with the first of its faults.
      assert.lengthOf(new Set(told), Object.keys(badAddresses).length)
    }))

  it.effect("says what is wrong with all of them in the language of its reader", () =>
    Effect.gen(function*() {
      const send = yield* scene
      const many = Array.from({ length: 11 }, (_, at) => `https://app.example/${at}`)
      for (const addresses of [[], many, ["https://app.example/", "https://app.example/"], ["com.example.app:/"]]) {
        assert.lengthOf(yield* send({ redirectUris: addresses.join("\n") }), 1)
      }
    }))

  it.effect("says what is wrong with all else in the language of its reader", () =>
    Effect.gen(function*() {
      const send = yield* scene
      const unfit = { name: "ñ\u200bñ", purpose: "ñ\u0007", website: "ftp://app.example", logoUrl: "ñ" }
      assert.lengthOf(yield* send(unfit), 4)
      const others = { name: "ñ".repeat(81), purpose: " ", website: "http://a:b@app.example", kind: "" }
      assert.lengthOf(yield* send(others), 3)
      assert.lengthOf(yield* send({ kind: "" }), 1)
      assert.lengthOf(yield* send({ "scope:PROFILE_READ": "" }), 1)
      assert.lengthOf(yield* send({ website: "https://a;b" }), 1)
    }))
})
