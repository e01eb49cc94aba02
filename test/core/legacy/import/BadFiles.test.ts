import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { longestRecord } from "../../../../src/core/legacy/import/ImportFile.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { layer as server } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { app, apply, counts, findings, jsonLines, listenTo, token, unique } from "./Scenario.ts"

const hundredMegabytes = 100 * 2 ** 20
const piece = "x".repeat(2 ** 16)

/** A file that begins with a text and goes on for 100 MB in pieces like this one, and how much of it was read. */
const endless = (beginning: string, more = piece) => {
  const state = { read: 0 }
  const rest = Stream.unfold(hundredMegabytes, (left) =>
    Effect.sync(() => {
      state.read += more.length
      return left > 0 ? [more, left - more.length] as const : undefined
    }))
  return { text: Stream.concat(Stream.make(beginning), rest), state }
}

layer(server(), { timeout: 60_000 })("A file that is no import file, or half of one", (it) => {
  const record =
    `a record has more than ${longestRecord} characters: give the refresh tokens of an app on several lines`
  const cell = "a record has more than 1048576 characters: it may begin with a quote that is not closed"
  const header = "client_id,owner,name,redirect_uris\n"
  const cases = [
    ["of JSON lines", "{\"client_id\":\"", `1 wrong: ${record}`],
    [
      "of JSON lines, after some that are good",
      `${jsonLines(app("nobody"), app("nobody"))}\n{"client_id":"`,
      `3 wrong: ${record}`
    ],
    ["of a JSON array", "[{\"client_id\":\"", `1 wrong: ${record}`],
    ["of CSV", `${header}crm,ann,"A name`, `2 wrong: ${cell}`],
    ["of another kind", "-- a dump", `1 wrong: ${cell}`]
  ] as const

  for (const [name, beginning, expected] of cases) {
    it.effect(`with 100 MB on one line is given up early: ${name}`, () =>
      Effect.gen(function*() {
        const { state, text } = endless(beginning)
        const { findings } = yield* listenTo((yield* LegacyImport).inspect(text))
        const last = findings.at(-1)
        assert.strictEqual(`${last?.line} ${last?.kind}: ${last?.text}`, expected)
        assert.isBelow(state.read, longestRecord + 4 * piece.length)
      }))
  }

  it.effect("is read on and on where one line of 100 MB has many records", () =>
    Effect.gen(function*() {
      const { text } = endless("[", `${JSON.stringify({ client_id: "old", colour: piece })},`)
      const { records } = yield* listenTo((yield* LegacyImport).inspect(text))
      assert.strictEqual(records, Math.ceil(hundredMegabytes / (piece.length + 35)) + 1)
    }))

  it.effect("that was cut off changes nothing, and its last line is named", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const before = yield* counts
      const whole = jsonLines(app(owner), app(owner))
      const array = `[${jsonLines(app(owner))},\n${jsonLines(app(owner))}]`
      const csv =
        `${header}crm-${unique()},${owner},CRM,https://crm.example/cb\ncrm-${unique()},${owner},"CRM, the other",https://crm.example/cb`
      const cut = [
        [whole.slice(0, -20), /^2 wrong: the line is not a JSON object$/],
        [jsonLines(app(owner)).slice(0, -20), /^1 wrong: the line is not a JSON object$/],
        [array.slice(0, -20), /^2 wrong: the file is not a JSON array, or ends early$/],
        [array.slice(0, -1), /^2 wrong: the file is not a JSON array, or ends early$/],
        [csv.slice(0, csv.lastIndexOf("the other")), /^3 wrong: Unterminated quoted field$/],
        [csv.slice(0, csv.lastIndexOf(",")), /^3 wrong: the line has 3 cells, the header 4$/]
      ] as const
      for (const [text, expected] of cut) {
        assert.match((yield* findings(text)).at(-1) ?? "", expected)
        assert.strictEqual((yield* Effect.flip(apply(text))).code, "import_unfit", text)
      }
      assert.deepStrictEqual(yield* counts, before)
    }))

  it.effect("that another server has exported is refused by what it has in place of our fields", () =>
    Effect.gen(function*() {
      const kinds = [
        [
          "{\"clientId\":\"crm\",\"redirectUris\":[\"https://crm.example/*\"]}",
          /^1 wrong: clientId, redirectUris is not a field of the format$/
        ],
        ["id,secret,callback\n1,2,3", /^1 wrong: id, secret, callback is not a column of the format, or is repeated$/],
        [
          "--\n-- PostgreSQL database dump\n--\nCOPY clients (id) FROM stdin;",
          /^1 wrong: -- is not a column of the format/
        ],
        ["<?xml version=\"1.0\"?>\n<clients/>", /^1 wrong: /],
        ["[[\"crm\"]]", /^1 wrong: the line is not a JSON object$/]
      ] as const
      for (const [text, expected] of kinds) assert.match((yield* findings(text)).join("\n"), expected, text)
    }))

  it.effect("may have a record as long as the bound, such as an app with many refresh tokens", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const run = unique()
      const tokens = Array.from({ length: 5_000 }, (_, n) => token(`refresh-${run}-${n}-`.padEnd(200, "x"), owner))
      const line = jsonLines(app(owner, { refresh_tokens: tokens }))
      const pieces = line.match(/[^]{1,65536}/g) ?? []
      const { refreshTokens } = yield* listenTo((yield* LegacyImport).inspect(Stream.fromIterable(pieces)))
      assert.isAbove(line.length, 2 ** 20)
      assert.strictEqual(refreshTokens, 5_000)
    }))
})
