// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { join } from "node:path"
import { EmbeddedRoutes } from "../../src/app/Routes.ts"
import * as Testing from "../../src/testing.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { Users } from "./examples/OwnUsers.ts"

const file = join(import.meta.dirname, "../support/brands/brands.json")
const fern = "accounts.fern.example"

const titleOf = (page: string) => /<title>([^<]*)<\/title>/.exec(page)?.[1]

const Embedded = Testing.layerWith(Users, { BRAND: file }).pipe(
  Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer))
)

layer(Embedded)("a program that embeds the server with two brands", (it) => {
  it.effect("has each at its host, and its users sign in there", () =>
    Effect.gen(function*() {
      const send = yield* Testing.serve(EmbeddedRoutes)
      const ask = (host: string, init: RequestInit = {}) =>
        send(new Request("https://slotkey.test/sign-in", { ...init, headers: { host, origin: `https://${host}` } }))
      const shown = (host: string) =>
        Effect.flatMap(ask(host), (response) => Effect.map(Effect.promise(() => response.text()), titleOf))
      assert.strictEqual(yield* shown(fern), "Sign in · Fern &amp; Co")
      assert.strictEqual(yield* shown("slotkey.test"), "Sign in · Orbit CRM")
      const body = new URLSearchParams({ email: "paul@platform.example", password: "rain on the roof" })
      assert.strictEqual((yield* ask(fern, { method: "POST", body })).status, 303)
    }))
})

describe("the test kit with two brands", () => {
  it("has each at its host, also with users of one's own", async () => {
    for (const options of [{ BRAND: file }, { BRAND: file, users: Users }]) {
      await using kit = await Testing.start(options)
      const page = await kit.fetch("/sign-in", { headers: { host: fern } })
      assert.strictEqual(titleOf(await page.text()), "Sign in · Fern &amp; Co")
    }
  }, 60_000)
})
