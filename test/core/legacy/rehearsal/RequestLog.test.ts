import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Stream } from "effect"
import { readRequestLog } from "../../../../src/core/legacy/rehearsal/RequestLog.ts"

/** Lines of a log that comes in these chunks: their requests, or what is wrong with them. */
const read = (...chunks: ReadonlyArray<string>) =>
  Effect.map(
    Stream.runCollect(readRequestLog(Stream.fromIterable(chunks))),
    (lines) =>
      lines.map(({ line, request }) =>
        Result.match(request, { onFailure: (fault) => `${line} ${fault}`, onSuccess: (value) => ({ line, ...value }) })
      )
  )

describe("A log of authorization requests", () => {
  it.effect("is read alike however it comes", () =>
    Effect.gen(function*() {
      const text = "{\"client_id\":\"é☃\",\"at\":1}\r\n\n {\"query\":\"a=b\"}\n[]\n{\"scope\":null}"
      const whole = yield* read(text)
      assert.deepStrictEqual(whole, [
        { line: 1, client_id: "é☃" },
        { line: 3, query: "a=b" },
        "4 is not a JSON object",
        { line: 5, scope: null }
      ])
      for (const length of [1, 2, 3, 7]) {
        assert.deepStrictEqual(yield* read(...text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? []), whole)
      }
    }))

  it.effect("names what is wrong with a line: half of it, another kind, a value that is no text", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* read(
          "d\":\"x\"}\n{\"client_id\":7}\n127.0.0.1 - - [21/Nov/2026] \"GET /\"\n\"text\"\nnull\n{\"client_id\":\"o"
        ),
        [
          "1 is not a JSON object",
          "2 client_id must be a string or null",
          "3 is not a JSON object",
          "4 is not a JSON object",
          "5 is not a JSON object",
          "6 is not a JSON object"
        ]
      )
    }))

  it.effect("keeps no more of a line of 100 MB than a request can have", () =>
    Effect.gen(function*() {
      const chunk = "x".repeat(65_536)
      const lines = Stream.concat(
        Stream.make("{\"client_id\":\"a\"}\n{\"client_id\":\""),
        Stream.concat(Stream.range(1, 1_600).pipe(Stream.map(() => chunk)), Stream.make("\"}\n{\"client_id\":\"b\"}\n"))
      )
      const found = yield* Stream.runCollect(readRequestLog(lines))
      assert.deepStrictEqual(found, [
        { line: 1, request: Result.succeed({ client_id: "a" }) },
        { line: 2, request: Result.fail("has more than 65536 characters") },
        { line: 3, request: Result.succeed({ client_id: "b" }) }
      ])
    }))

  it.effect("reads a line as long as it may be, and no longer one", () =>
    Effect.gen(function*() {
      const line = (length: number) => `{"scope":"${"x".repeat(length - 12)}"}`
      const [whole, longer] = yield* read(`${line(65_536)}\n${line(65_537)}`)
      assert.isObject(whole)
      assert.strictEqual(longer, "2 has more than 65536 characters")
    }))
})
