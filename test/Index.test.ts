import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as Slotkey from "../src/index.ts"
import * as Testing from "../src/testing.ts"
import * as TestDatabase from "./support/TestDatabase.ts"

const Embedding = Testing.layer().pipe(Layer.provideMerge(TestDatabase.layer))

layer(Embedding)("teams that embed Slotkey", (it) => {
  it.effect("serve its routes over its services, in a test without a port", () =>
    Effect.gen(function*() {
      const send = yield* Testing.serve(Slotkey.Routes.pipe(Layer.provide(HttpServer.layerServices)))
      const response = yield* send(new Request("https://slotkey.test/.well-known/oauth-authorization-server"))
      const metadata = yield* Effect.promise(() => response.json())
      assert.strictEqual((metadata as { readonly issuer: string }).issuer, "https://slotkey.test")
      assert.strictEqual(Slotkey.Scope.catalogue.length, 46)
    }))
})
