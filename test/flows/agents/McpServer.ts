import { Effect, Redacted } from "effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tools } from "../../../examples/mcp/src/tools.ts"
import { Resources } from "../../../src/core/resources/Resources.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { callOf, makeGuard, metadataUrl, resourceMetadata, Scope, sendRefusal } from "../../../src/resource.ts"
import * as Live from "../../support/LiveServer.ts"

/**
 * MCP server of examples/mcp with the library, registered as a resource with the base set `PROFILE_READ`. Its own
 * `library.ts` imports the package, which is not built here; `npm run package` tests that.
 */
export const mcpServer = Effect.gen(function*() {
  const { url } = yield* Live.LiveServer
  let listener: RequestListener = (_, response) => void response.writeHead(503).end()
  const port = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => listener(request, response))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

  const resource = `http://127.0.0.1:${port}/mcp`
  const baseScopes = ["PROFILE_READ"] as const
  yield* Effect.orDie((yield* Resources).create("cli", {
    identifier: resource,
    name: "Bookings",
    scopes: ["PROFILE_READ", "BOOKING_READ"],
    baseScopes
  }))
  const { credential } = yield* (yield* ResourceServers).create("the MCP server")
  const guard = yield* Effect.acquireRelease(
    Effect.promise(() => makeGuard({ baseUrl: url, resource, credential: Redacted.value(credential) })),
    (guard) => Effect.promise(() => guard.close())
  )
  const serve = tools(resource, Scope.covers)
  const metadata = JSON.stringify(resourceMetadata(resource, url, undefined, { baseScopes, name: "Bookings" }))
  listener = async (request, response) => {
    if (request.url === new URL(metadataUrl(resource)).pathname) {
      return void response.setHeader("content-type", "application/json").end(metadata)
    }
    const verdict = await guard.check(callOf(request), { allOf: baseScopes })
    if (!verdict.allowed) return sendRefusal(verdict, response)
    if (verdict.caller !== undefined) await serve(request, response, verdict.caller)
  }
  return { server: resource }
})
