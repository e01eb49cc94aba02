import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ImageCache from "../../../../src/foundation/database/embedded/ImageCache.ts"
import { temporaryFolder } from "../../../support/TestDatabase.ts"

/** A folder of caches that is empty. */
const emptyCache = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env["XDG_CACHE_HOME"]
      process.env["XDG_CACHE_HOME"] = folder
      return before
    }),
    (before) =>
      Effect.sync(() => {
        if (before === undefined) delete process.env["XDG_CACHE_HOME"]
        else process.env["XDG_CACHE_HOME"] = before
      })
  )
  return folder
})

it.effect("an image is kept whole, for the same migrations alone, and can be forgotten", () =>
  Effect.gen(function*() {
    const folder = yield* emptyCache
    const name = ImageCache.nameOf(["0001_tables"])
    assert.isUndefined(ImageCache.read(name))
    ImageCache.write(name, Buffer.from("first"))
    ImageCache.write(name, Buffer.from("second"))
    assert.strictEqual(Buffer.from(ImageCache.read(name) ?? []).toString(), "second")
    assert.deepStrictEqual(readdirSync(join(folder, "slotkey")), [name])
    assert.isUndefined(ImageCache.read(ImageCache.nameOf(["0001_tables", "0002_more"])))
    ImageCache.forget(name)
    assert.isUndefined(ImageCache.read(name))
  }))

it.effect("an image that was cut off or changed is deleted, and no longer used", () =>
  Effect.gen(function*() {
    const folder = yield* emptyCache
    const name = ImageCache.nameOf(["0001_tables"])
    const file = join(folder, "slotkey", name)
    const breakages = [
      (content: Buffer) => content.subarray(0, -10),
      (content: Buffer) => content.subarray(0, 2),
      (content: Buffer) => content.fill("x", 3, 4)
    ]
    for (const breakage of breakages) {
      ImageCache.write(name, Buffer.from("a whole image"))
      assert.isDefined(ImageCache.read(name))
      writeFileSync(file, breakage(readFileSync(file)))
      assert.isUndefined(ImageCache.read(name))
      assert.deepStrictEqual(readdirSync(join(folder, "slotkey")), [])
    }
  }))
