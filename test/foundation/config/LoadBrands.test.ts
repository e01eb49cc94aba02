// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Brands } from "../../../src/domain/brand/Brand.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { loadBrands } from "../../../src/foundation/config/LoadBrands.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

/** Faults of a file with this text, which has pictures beside it. */
const faultsOf = Effect.fnUntraced(function*(text: string) {
  const folder = yield* temporaryFolder
  const file = join(folder, "brand.json")
  writeFileSync(
    join(folder, "a.svg"),
    "<?xml version=\"1.0\"?>\n<!-- a logo -->\n<svg xmlns='http://www.w3.org/2000/svg'/>"
  )
  writeFileSync(join(folder, "page.svg"), "<html><svg/></html>")
  writeFileSync(join(folder, "large.png"), Buffer.alloc(2 ** 18 + 1))
  writeFileSync(file, text)
  const { message } = yield* Effect.flip(loadBrands(file))
  const [first = "", ...lines] = message.split("\n")
  assert.strictEqual(first, `${file} is not usable:`)
  return lines.map((line) => line.trim())
})

describe("a file of brands", () => {
  it.effect("is refused with all that is wrong, each with its line, and a proposal for a mistyped key", () =>
    Effect.gen(function*() {
      const faults = yield* faultsOf(`{
  "format": 1,
  "brands": [
    { "name": "Orbit",
      "hosts": ["Accounts.orbit.example", "orbit.example:443"],
      "suport": "help@orbit.example",
      "privacy": "http://orbit.example/privacy" },
    { "name": "Fern",
      "hosts": ["fern.example", "two.example"],
      "colors": {
        "light": {
          "text": "#999" } },
      "logo": {
        "light": "page.svg",
        "dark": "large.png" } },
    { "name": "Fern",
      "hosts": ["two.example"],
      "logo": { "light": "a.svg",
        "dark": "gone.png" } },
    { "name": "Nowhere" }
  ]
}`)
      assert.deepStrictEqual(faults, [
        "line 5, brands[0].hosts[0]: must be the name of a host, in lower case and without a port, such as accounts.orbit.example",
        "line 5, brands[0].hosts[1]: must be the name of a host, in lower case and without a port, such as accounts.orbit.example",
        "line 6, brands[0].suport: \"suport\" is no key here. Call it \"support\" if that is meant.",
        "line 7, brands[0].privacy: must be an https address",
        "line 12, brands[1].colors.light.text: \"text\" (#999) on \"background\" (#ffffff) has a contrast of 2.84 to 1, and words need 4.5 to 1. \"#717171\" would do.",
        "line 14, brands[1].logo.light: page.svg: The file is neither an SVG nor a PNG.",
        "line 15, brands[1].logo.dark: large.png: The file has more than 262144 bytes.",
        "line 16, brands[2].name: \"Fern\" is the name of brands[1] already",
        "line 17, brands[2].hosts[0]: \"two.example\" is a host of brands[1] already",
        "line 19, brands[2].logo.dark: gone.png: The file cannot be read: ENOENT.",
        "line 20, brands[3]: has no hosts, so no request would have this brand: only the first is for all others"
      ])
    }))

  it.effect("is refused without what a brand must have, and where it is no JSON", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* faultsOf("{ \"format\": 1, \"brands\": [{ \"logo\": {} }] }"), [
        "line 1, brands[0].name: is required",
        "line 1, brands[0].logo.light: is required"
      ])
      const faults = yield* faultsOf("{ \"format\": 1,\n  \"brands\": [ }")
      assert.match(faults[0] ?? "", /^line 2: is not JSON/)
    }))

  it.effect("is refused where it is not there or no file, and where a logo is none that can be read", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const problem = (path: string) => Effect.map(Effect.flip(loadBrands(path)), ({ message }) => message)
      assert.match(yield* problem(join(folder, "gone.json")), /gone\.json is not usable:\n.*cannot be read: ENOENT/)
      assert.match(yield* problem(folder), /is not usable:\n.*(?:cannot be read|no file)/)
      const brand = (light: string) =>
        `{ "format": 1, "brands": [{ "name": "Fern", "logo": { "light": "${light}" } }] }`
      assert.match(
        String(yield* faultsOf(brand("gone.svg"))),
        /logo\.light: gone\.svg: The file cannot be read: ENOENT\.$/
      )
      assert.match(String(yield* faultsOf(brand("logo.gif"))), /must be the path of an SVG or PNG file/)
    }))

  it.effect("is refused where there is nothing in it", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* faultsOf("{ \"format\": 1, \"brands\": [] }"), [
        "line 1, brands: must have at least one brand"
      ])
      assert.deepStrictEqual(yield* faultsOf("{ \"format\": 1 }"), ["line 1, brands: is required"])
    }))
})

/** Problems of a start with these settings. */
const problemsOf = (env: Readonly<Record<string, string>>) =>
  AppConfig.pipe(
    Effect.provide(AppConfig.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))))),
    Effect.flip,
    Effect.map(({ problems }) => problems)
  )

const brandsWith = (settings: Readonly<Record<string, string>>) =>
  Brands.pipe(Effect.provide(AppConfig.layerTest(settings)))

describe("the brands of a server", () => {
  const file = join(import.meta.dirname, "../../support/brands/brands.json")

  it.effect("are chosen by the host of the request, without its port; the first is for all others", () =>
    Effect.gen(function*() {
      const { at } = yield* brandsWith({ BRAND: file })
      const nameAt = (host: string | undefined) => Object(at(host).name).en ?? at(host).name
      assert.deepStrictEqual(
        ["accounts.fern.example", "ACCOUNTS.fern.example:8443", "127.0.0.1:3000"].map(nameAt),
        ["Fern & Co", "Fern & Co", "Fern & Co"]
      )
      assert.deepStrictEqual(
        ["accounts.orbit.example", "fern.example", "evil.example", "[::1]:1", "", undefined].map(nameAt),
        Array.from({ length: 6 }, () => "Orbit CRM")
      )
    }))

  it.effect("have the settings where they say nothing themselves", () =>
    Effect.gen(function*() {
      const settings = { MAIL_FROM: "Accounts <accounts@platform.example>", SUPPORT_ADDRESS: "help@platform.example" }
      const { all: [orbit, fern] } = yield* brandsWith({ BRAND: file, MAIL_FROM: settings.MAIL_FROM })
      assert.deepStrictEqual([orbit.mailFrom, fern?.mailFrom], [
        "Orbit CRM <no-reply@orbit.example>",
        "Accounts <accounts@platform.example>"
      ])
      const { all: [plain] } = yield* brandsWith(settings)
      assert.deepStrictEqual([plain.name, plain.mailFrom, plain.support], [
        "Slotkey",
        settings.MAIL_FROM,
        settings.SUPPORT_ADDRESS
      ])
      assert.strictEqual((yield* brandsWith({})).all[0].mailFrom, "\"Slotkey\" <no-reply@localhost>")
    }))

  it.effect("stop the start when the file is broken, or a setting could never count", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const broken = join(folder, "brand.json")
      writeFileSync(broken, "{}")
      assert.match(
        String(yield* problemsOf({ BRAND: broken })),
        /^BRAND: .*brand\.json is not usable:\n {4}line 1, format: /
      )
      assert.deepStrictEqual(yield* problemsOf({ BRAND: file, SUPPORT_ADDRESS: "help@platform.example" }), [
        "SUPPORT_ADDRESS is set, and every brand of BRAND has a \"support\": take one of them away"
      ])
    }))
})
