import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { freePort } from "../support/FreePort.ts"
import { documented, isAvailable, send, startNginx } from "../support/Gateway.ts"
import * as Live from "../support/LiveServer.ts"

/** nginx with the lines of docs/operations/scale.md, before a server that knows its path. */
class Proxy extends Context.Service<Proxy, { readonly port: number }>()(
  "slotkey/test/flows/PublicPathBehindNginx.test/Proxy"
) {
  static readonly layer = Layer.effect(
    Proxy,
    Effect.gen(function*() {
      const { url } = yield* Live.LiveServer
      const port = yield* freePort
      const locations = documented("operations/scale.md", "nginx")
      yield* startNginx(
        `upstream slotkey { server ${new URL(url).host.replace("localhost", "127.0.0.1")}; }
         server { listen 127.0.0.1:${port}; ${locations} }`,
        port
      )
      return { port }
    })
  )
}

const Server = Proxy.layer.pipe(
  Layer.provideMerge(Live.layer({ BASE_URL: "http://localhost/oauth", TRUSTED_PROXIES: "1" }))
)

describe.skipIf(!isAvailable("nginx"))("behind nginx, beneath a path", () => {
  layer(Server, { excludeTestServices: true })((it) => {
    it.effect("pages find their files and each other, and clients the metadata", () =>
      Effect.gen(function*() {
        const { port } = yield* Proxy
        const redirect = yield* send(port, "/oauth/account")
        assert.deepStrictEqual(
          [redirect.status, redirect.headers.location],
          [303, "/oauth/sign-in?return_to=%2Faccount"]
        )
        const page = yield* send(port, "/oauth/sign-in?return_to=%2Faccount")
        assert.include(page.body, `action="/oauth/sign-in"`)
        const [, style = ""] = /href="(\/oauth\/assets\/[^"]*slotkey\.css)"/.exec(page.body) ?? []
        for (const path of [style, "/oauth", "/oauth/docs", "/oauth/.well-known/jwks.json"]) {
          assert.include([200, 308], (yield* send(port, path)).status, path)
        }
        const metadata = yield* send(port, "/.well-known/oauth-authorization-server/oauth")
        assert.strictEqual(JSON.parse(metadata.body).issuer, "http://localhost/oauth")
      }))
  })
})
