import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { decide } from "../support/ConsentPage.ts"
import { freePort } from "../support/FreePort.ts"
import * as Live from "../support/LiveServer.ts"
import * as Script from "../support/Script.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import { mcpServer } from "./agents/McpServer.ts"

const conformance = "node_modules/@modelcontextprotocol/conformance/dist/index.js"

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** Runs all scenarios for authorization servers, as `user` who allows what is asked; their checks. */
const checksOf = Effect.fnUntraced(function*(clientId: string, user: Parameters<typeof decide>[0], port: number) {
  const { url } = yield* Live.LiveServer
  const folder = yield* temporaryFolder
  const { server } = yield* mcpServer
  const app = ["--client-id", clientId, "--port", String(port), "--resource", server]
  const args = ["authorization", "--url", url, ...app, "--output-dir", folder]
  const { read, rest } = yield* Script.start(process.execPath, [conformance, ...args])
  let line = yield* read
  while (!line.startsWith(`${url}/`)) line = yield* read
  const callback = yield* decide(user, line, "allow")
  yield* Effect.promise(() => fetch(callback))
  yield* rest
  return globSync("**/checks.json", { cwd: folder }).flatMap((file): ReadonlyArray<Check> =>
    JSON.parse(readFileSync(join(folder, file), "utf8"))
  )
})

layer(Live.layer(), { excludeTestServices: true })("@modelcontextprotocol/conformance", (it) => {
  it.effect("finds no failure and no warning in what it checks of authorization servers", () =>
    Effect.gen(function*() {
      const port = yield* freePort
      const { client } = yield* Live.newApp({ kind: "public", redirectUris: [`http://127.0.0.1:${port}/callback`] })
      const checks = yield* checksOf(client.id, yield* Live.newAccount(), port)
      assert.isAtLeast(checks.length, 3)
      assert.deepStrictEqual(checks.filter(({ status }) => status !== "SUCCESS"), [])
    }))
})
