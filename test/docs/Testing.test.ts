import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

it.each(["Kit.test.ts", "KitWithEffect.test.ts", "test_slotkey.py"])(
  "docs/testing.md shows %s, which is run",
  (file) => {
    const code = read(`../testing/examples/${file}`).replace("../../../src/testing.ts", "slotkey/testing")
    assert.include(read("../../docs/testing.md"), code)
  }
)
