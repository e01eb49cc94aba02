import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import { closeSync, openSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { hashOf } from "../../../src/domain/catalogue/file/CatalogueHash.ts"
import { largestFile } from "../../../src/domain/catalogue/file/ReadCatalogue.ts"
import { write } from "../../../src/domain/catalogue/file/WriteCatalogue.ts"
import { loadCatalogue } from "../../../src/foundation/config/LoadCatalogue.ts"
import { small } from "../../domain/catalogue/file/SmallCatalogue.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

const complaint = (path: string) =>
  Effect.map(Effect.flip(loadCatalogue(path)), ({ message }) => message.split("\n").slice(1))

describe("a catalogue in a file", () => {
  it.effect("is read once, whatever becomes of it meanwhile: a pipe has it no second time", () =>
    Effect.gen(function*() {
      const pipe = join(yield* temporaryFolder, "pipe")
      execFileSync("mkfifo", [pipe])
      const reading = yield* Effect.forkChild(loadCatalogue(pipe))
      yield* Effect.promise(() => writeFile(pipe, write(small)))
      const { file } = yield* Fiber.join(reading)
      assert.strictEqual(hashOf(file), hashOf(small))
    }))

  it.effect("is refused when it is cut off while it is written", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "crm.json")
      writeFileSync(file, write(small).slice(0, 500))
      assert.match((yield* complaint(file)).join(), /^ {2}line 19: is not JSON: value expected/)
    }))

  it.effect("is not read to the end when it has none, and not waited for when nobody writes it", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* complaint("/dev/zero"), [`  The file has more than ${largestFile} bytes.`])
      const pipe = join(yield* temporaryFolder, "pipe")
      execFileSync("mkfifo", [pipe])
      const waiting = yield* Effect.forkChild(complaint(pipe))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* Fiber.join(waiting), ["  The file cannot be read: nothing within 5s."])
      // The system's call to open it ends with a writer alone, and the process with that.
      closeSync(openSync(pipe, "r+"))
    }))
})
