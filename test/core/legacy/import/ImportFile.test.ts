import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { readImportFile } from "../../../../src/core/legacy/import/ImportFile.ts"
import { app, jsonLines } from "./Scenario.ts"

/** Lines of a text that comes in chunks of this length. */
const read = (text: string, length: number) =>
  Stream.runCollect(readImportFile(Stream.fromIterable(text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [])))

const tricky = app("owner", { name: "A \\\"]},{[\\\\ name, in \"quotes\"", purpose: "é\u2028☃" })
const pretty = JSON.stringify(tricky, null, 2)
const header = "client_id,owner,name,redirect_uris"

const files = {
  "JSON lines": `\n${jsonLines(tricky, app("owner"))}\n{not json\n`,
  "a JSON array": `\ufeff \n[\n${pretty},\n${JSON.stringify(app("owner"))} , 7, {"a":[1,{}]}\n]\n`,
  "an array that ends early": `[${pretty},{`,
  "an array with more behind it": `[${pretty}] {}`,
  "an array with an empty place": `[${pretty},]`,
  CSV: `${header}\r\nold,ada,"A ""name""\r\nof two lines",https://old.example/a\r\n\r\nnew,ada,x,y,z`,
  "CSV that ends early": `${header}\nold,ada,"A name`
}

describe("A file of legacy apps", () => {
  for (const [name, text] of Object.entries(files)) {
    it.effect(`is read alike however it comes: ${name}`, () =>
      Effect.gen(function*() {
        const whole = yield* read(text, text.length)
        assert.isAbove(whole.length, 0)
        for (const length of [1, 2, 3, 7, 64]) assert.deepStrictEqual(yield* read(text, length), whole)
      }))
  }

  it.effect("names the line where each element of an array begins, and where it is no array any more", () =>
    Effect.gen(function*() {
      const lines = yield* read(`[\n{},\n\n"a\\"]",{}\n,\n,1\n]\n7`, 5)
      assert.deepStrictEqual(lines.map(({ line, source }) => `${line} ${source}`), [
        "2 {}",
        "4 \"a\\\"]\"",
        "4 {}",
        "6 1",
        "6 null"
      ])
    }))
})
