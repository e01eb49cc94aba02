import { assert, describe, it, layer } from "@effect/vitest"
import { discoverOAuthProtectedResourceMetadata } from "@modelcontextprotocol/sdk/client/auth.js"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as oauth from "oauth4webapi"
import { Resources } from "../../../src/core/resources/Resources.ts"
import { metadataUrl, type ResourceMetadata } from "../../../src/doors/resource/ResourceMetadata.ts"
import { ResourceRoutes } from "../../../src/doors/resource/ResourceRoutes.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { httpSender } from "../../support/HttpSender.ts"
import * as LiveServer from "../../support/LiveServer.ts"

describe("the address of the metadata (RFC 9728 §3.1)", () => {
  it.each([
    ["https://api.test", "https://api.test/.well-known/oauth-protected-resource"],
    ["https://api.test:8443", "https://api.test:8443/.well-known/oauth-protected-resource"],
    ["https://api.test/platform/v1", "https://api.test/.well-known/oauth-protected-resource/platform/v1"]
  ])("of %s is %s", (resource, url) => {
    assert.strictEqual(metadataUrl(resource), url)
  })

  it.effect("answers for an API whose address has a path", () =>
    Effect.gen(function*() {
      const routes = ResourceRoutes.pipe(
        Layer.provide([
          HttpServer.layerServices,
          NoResources,
          AppConfig.layerTest({ BASE_URL: "https://slotkey.test/platform" })
        ])
      )
      const response = yield* (yield* httpSender(routes))("/.well-known/oauth-protected-resource/platform")
      assert.strictEqual(response.status, 200)
      assert.include(yield* Effect.promise(() => response.json()), { resource: "https://slotkey.test/platform" })
    }))
})

const NoResources = Layer.mock(Resources, { known: Effect.succeed([]), baseScopesOf: () => ["PROFILE_READ"] })

layer(LiveServer.layer(), { excludeTestServices: true })("the API, to a client that knows only its address", (it) => {
  it.effect("names its authorization server in every challenge, by way of its metadata", () =>
    Effect.gen(function*() {
      const { url } = yield* LiveServer.LiveServer
      const refused = yield* Effect.promise(() => fetch(`${url}/v2/me`))
      assert.strictEqual(refused.status, 401)
      const address = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1]
      assert.strictEqual(address, `${url}/.well-known/oauth-protected-resource`)

      const response = yield* Effect.promise(() => fetch(address ?? "", { headers: { origin: "https://app.test" } }))
      assert.strictEqual(response.headers.get("access-control-allow-origin"), "*")
      // Clients send additional headers (MCP-Protocol-Version), so browsers send a preflight.
      const preflight = yield* Effect.promise(() => fetch(address ?? "", { method: "OPTIONS" }))
      assert.strictEqual(preflight.status, 204)
      assert.include(preflight.headers.get("access-control-allow-headers"), "*")
      const metadata = yield* Effect.promise(() => response.json() as Promise<ResourceMetadata>)
      assert.include(metadata, { resource: url, resource_name: "The scheduling platform's API" })
      assert.deepStrictEqual(metadata.scopes_supported, ["PROFILE_READ"])
    }))

  it.effect("is understood by clients that others wrote", () =>
    Effect.gen(function*() {
      const { url } = yield* LiveServer.LiveServer
      const insecure = { [oauth.allowInsecureRequests]: true }
      const found = yield* Effect.promise(async () =>
        oauth.processResourceDiscoveryResponse(
          new URL(url),
          await oauth.resourceDiscoveryRequest(new URL(url), insecure)
        )
      )
      assert.deepStrictEqual(found.authorization_servers, [url])
      const mcp = yield* Effect.promise(() => discoverOAuthProtectedResourceMetadata(url))
      assert.deepStrictEqual(mcp.authorization_servers, [url])
    }))
})
