import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Agreement } from "../../../src/core/catalogue/Agreement.ts"
import { builtInFile } from "../../../src/domain/catalogue/BuiltIn.ts"
import { hashOf } from "../../../src/domain/catalogue/file/CatalogueHash.ts"
import { write } from "../../../src/domain/catalogue/file/WriteCatalogue.ts"
import { compile } from "../../../src/domain/catalogue/GivenCatalogue.ts"
import { layer as server, serverClient } from "../../support/TestServer.ts"

const path = "/.well-known/slotkey-catalogue"
const builtIn = builtInFile()
const next = { ...builtIn, api: { ...builtIn.api, name: "As it will be called" } }

const hashes = (json: Readonly<Record<string, unknown>>) =>
  Object.entries(json).map(([name, file]) => [
    name,
    hashOf(Result.getOrThrow(compile(typeof file === "object" && file !== null ? file : {})).file)
  ])

layer(server())("The catalogue at its well-known address", (it) => {
  it.effect("is what is in force, for anybody, and costs little to ask for again", () =>
    Effect.gen(function*() {
      const { ask } = yield* serverClient
      const { headers, json, status, text } = yield* ask(path)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(hashes(json), [["in_force", hashOf(builtIn)]])
      assert.notInclude(text, "$schema")
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(headers.get("cache-control"), "no-cache")
      const etag = headers.get("etag") ?? ""
      assert.match(etag, /^"[\w-]+"$/)

      const again = yield* ask(path, { headers: { "if-none-match": etag } })
      assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag])
      const head = yield* ask(path, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text, head.headers.get("etag")], [200, "", etag])
      assert.strictEqual((yield* ask(path, { headers: { "if-none-match": "\"another\"" } })).status, 200)
      const preflight = yield* ask(path, { method: "OPTIONS" })
      assert.deepStrictEqual([preflight.status, preflight.headers.get("allow")], [204, "GET, HEAD, OPTIONS"])
      const brief = yield* ask(path, { headers: { "accept-encoding": "br" } })
      assert.strictEqual(brief.headers.get("content-encoding"), "br")
      assert.strictEqual((yield* ask(path, { method: "POST" })).status, 405)
    }))

  it.effect("has the announced one beside it, as soon as the node has read that", () =>
    Effect.gen(function*() {
      const { ask } = yield* serverClient
      const sql = yield* SqlClient.SqlClient
      const { refresh } = yield* Agreement
      const before = yield* ask(path)
      yield* sql`INSERT INTO catalogues (hash, document, is_built_in, announced_at, announced_by)
        VALUES (${hashOf(next)}, ${write(next)}, false, now(), 'cli')`
      assert.strictEqual((yield* ask(path)).text, before.text)
      yield* refresh
      const meanwhile = yield* ask(path, { headers: { "if-none-match": before.headers.get("etag") ?? "" } })
      assert.strictEqual(meanwhile.status, 200)
      assert.deepStrictEqual(hashes(meanwhile.json), [["in_force", hashOf(builtIn)], ["announced", hashOf(next)]])

      yield* sql`UPDATE catalogues SET ended_at = now() WHERE in_force_from IS NOT NULL`
      yield* sql`UPDATE catalogues SET in_force_from = now() WHERE ended_at IS NULL`
      yield* refresh
      assert.deepStrictEqual(hashes((yield* ask(path)).json), [["in_force", hashOf(next)]])
    }))
})
