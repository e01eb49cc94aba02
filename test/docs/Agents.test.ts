import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mcpServer } from "../flows/agents/McpServer.ts"
import { person } from "../flows/agents/Person.ts"
import * as HttpBlocks from "../support/HttpBlocks.ts"
import * as Live from "../support/LiveServer.ts"
import * as Host from "../support/PictureHost.ts"

const Journey = Live.layer().pipe(Layer.provideMerge(Host.layer))

layer(Journey, { excludeTestServices: true })("docs/agents.md", (it) => {
  it.effect("shows the journey as it is, step by step", () =>
    Effect.gen(function*() {
      const { url } = yield* Live.LiveServer
      const host = yield* Host.PictureHost
      const { server } = yield* mcpServer
      const [account, reviewer] = [yield* Live.newAccount(), yield* Live.newAccount("admin")]
      const user = yield* person(account)
      const known = new Map([["user", user.cookie], ["reviewer", yield* Live.newApiKey(reviewer)]])
      const places = new Map([
        ["https://api.example.com", url],
        ["https://mcp.example.com", new URL(server).origin],
        ["https://agent.example", "https://other.example"]
      ])
      const document = HttpBlocks.jsonBlock("agents.md").replaceAll("https://agent.example", "https://other.example")
      host.serve("/client.json", (_, response) => {
        response.setHeader("content-type", "application/json").end(document)
      })

      const blocks = [...HttpBlocks.httpBlocks("agents.md")]
      const next = (count: number) =>
        Effect.forEach(
          blocks.splice(0, count),
          (block) => HttpBlocks.run(block, known, places),
          { discard: true }
        )
      // Steps 1 to 4, and the page to which they lead.
      yield* next(4)
      const waiting = yield* user.open(`/auth/oauth2/waiting/${known.get("waiting")}`)
      yield* user.submit(waiting, "/ask", { reason: "It reads my calendar to me." })
      // The review, and consent.
      yield* next(2)
      const { url: callback } = yield* user.submit(yield* user.open(waiting.url), "/decision", { decision: "allow" })
      assert.strictEqual(callback.searchParams.get("iss"), url)
      assert.strictEqual(callback.searchParams.get("state"), "af0ifjsldkj")
      known.set("code", callback.searchParams.get("code") ?? "")
      yield* next(5)
      assert.isEmpty(blocks)
    }))
})
