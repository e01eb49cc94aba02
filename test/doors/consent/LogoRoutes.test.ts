import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import * as Testing from "../../../src/testing.ts"
import { newAccount, newClient } from "../../core/clients/Scenario.ts"
import * as Host from "../../support/PictureHost.ts"
import * as TestServer from "../../support/TestServer.ts"

layer(TestServer.layer().pipe(Layer.provideMerge(Host.layer)))("/logos/", (it) => {
  it.effect("serves a picture to everybody, as nothing but a picture, to be kept for ever", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      host.serve("/logo", yield* Effect.promise(() => Host.picture("red", "jpeg")))
      const { client } = yield* newClient(yield* newAccount("dev"), { logoUrl: "https://pictures.example/logo" })
      const send = yield* Testing.server
      const response = yield* send(new Request(`https://slotkey.test/logos/${client.logoDigest}`))
      const bytes = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()))
      assert.strictEqual(response.status, 200)
      assert.strictEqual(createHash("sha256").update(bytes).digest("base64url"), client.logoDigest)
      assert.strictEqual(bytes.subarray(8, 12).toString(), "WEBP")
      const header = (name: string) => response.headers.get(name)
      assert.strictEqual(header("content-type"), "image/webp")
      assert.strictEqual(header("x-content-type-options"), "nosniff")
      assert.strictEqual(header("content-security-policy"), "default-src 'none'; sandbox")
      assert.strictEqual(header("cache-control"), "public, max-age=31536000, immutable")
      assert.isNull(header("set-cookie"))
    }))

  it.effect("answers 404 for all others, which no cache keeps", () =>
    Effect.gen(function*() {
      const { ask } = yield* TestServer.serverClient
      for (const name of ["x".repeat(43), "x", "%00", `${"x".repeat(42)}%27`]) {
        const { headers, status } = yield* ask(`/logos/${name}`)
        assert.strictEqual(status, 404, name)
        assert.notInclude(headers.get("cache-control") ?? "", "public", name)
      }
    }))
})
