// @effect-diagnostics strictEffectProvide:off
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { readFileSync } from "node:fs"
import * as TestCollector from "../support/TestCollector.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import { Server } from "./examples/WholeServer.ts"

it.live("a server composed of its layers, with a code store of its own and traces, answers and has local accounts", () =>
  Effect.gen(function*() {
    const collector = yield* TestCollector.make
    const settings = ConfigProvider.fromUnknown({
      DATA_DIR: yield* temporaryFolder,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
    })
    const context = yield* Layer.build(
      Server.pipe(Layer.provideMerge(NodeHttpServer.layerTest), Layer.provide(ConfigProvider.layer(settings)))
    )
    const get = (path: string) =>
      Effect.provide(
        Effect.flatMap(HttpClient.get(path), (answer) => Effect.map(answer.text, (text) => [answer.status, text])),
        context
      )
    const [status, metadata] = yield* get("/.well-known/oauth-authorization-server")
    assert.strictEqual(status, 200)
    assert.include(metadata, `"code_challenge_methods_supported"`)
    assert.strictEqual((yield* get("/sign-in"))[0], 200)
    yield* collector.received(({ service }) => service === "my-platform")
  }))

it("the example of docs/embedding.md is the file that is tested here", () => {
  const page = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8")
  const code = readFileSync(new URL("examples/WholeServer.ts", import.meta.url), "utf8")
  const shown = code.replace(`"../../../src/index.ts"`, `"slotkey"`).replace("../../core/grants/examples/", "./")
  assert.include(page, `\`\`\`ts\n${shown}\`\`\``)
})
