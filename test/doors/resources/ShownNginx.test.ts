import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "node-html-parser"
import { Resources } from "../../../src/core/resources/Resources.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor } from "../../core/legacy/Scenario.ts"
import { freePort } from "../../support/FreePort.ts"
import * as Gateway from "../../support/Gateway.ts"
import { layer as server } from "../../support/TestServer.ts"
import { mcpAt } from "./Fixture.ts"

describe.skipIf(!Gateway.isAvailable("nginx"))("The lines for nginx on the page of a resource", () => {
  layer(server(), { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect("load together, ask about a call of this resource, and lead its metadata here", () =>
      Effect.gen(function*() {
        const { id } = yield* Effect.orDie((yield* Resources).create("cli", mcpAt("shown.example.com")))
        const admin = yield* Effect.flatMap(newAccount("admin", "admin"), visitor)
        const { text } = yield* admin.get(`/resources/${id}`)
        // Else the parser leaves the markup within.
        const page = parse(text, { blockTextElements: { script: true } })
        const lines = page.querySelectorAll("pre code").map(({ text }) => text).filter((text) =>
          text.includes("proxy_pass")
        )
        assert.lengthOf(lines, 2)

        const port = yield* freePort
        // Both answer 200 with what they received, the server's check as well as the platform.
        const [slotkey, platform] = [yield* Gateway.upstream, yield* Gateway.upstream]
        yield* Gateway.startNginx(
          `upstream slotkey { server 127.0.0.1:${slotkey}; } upstream platform { server 127.0.0.1:${platform}; }
          server { listen 127.0.0.1:${port}; ${lines.join("\n")} }`,
          port
        )
        const headers = { host: "shown.example.com", authorization: "Bearer token", "x-slotkey-user": "admin" }
        const passed = yield* Gateway.send(port, "/mcp?a=b", headers, "POST")
        assert.strictEqual(passed.status, 200)
        const received: Gateway.Received = JSON.parse(passed.body)
        assert.deepInclude(received, { method: "POST", url: "/mcp?a=b" })
        assert.notProperty(received.headers, "authorization")
        assert.notProperty(received.headers, "x-slotkey-user")
        const metadata = "/.well-known/oauth-protected-resource/mcp"
        const asked: Gateway.Received = JSON.parse((yield* Gateway.send(port, metadata, headers)).body)
        assert.deepInclude(asked, { url: metadata })
        assert.strictEqual(asked.headers.host, "shown.example.com")
        // Nothing but nginx itself asks for the check.
        assert.strictEqual((yield* Gateway.send(port, "/_slotkey", headers)).status, 404)
        assert.include(lines.join(), `/v2/auth/oauth2/check/resources/${id}/nginx;`)
      }))
  })
})
