import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** Project's files that Node loads with this one: by imports that are neither of types nor dynamic. */
const loadedWith = (entry: string): ReadonlySet<string> => {
  const loaded = new Set<string>()
  const load = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    const text = readFileSync(join(root, file), "utf8")
    for (const [, path = ""] of text.matchAll(/^(?:import|export) (?!type )[^"]*"(\.[^"]+\.ts)"/gm)) {
      load(relative(root, join(root, dirname(file), path)))
    }
  }
  load(entry)
  return loaded
}

describe("A server with local accounts", () => {
  it("loads no other way to sign in", () => {
    const files = [...loadedWith("src/app/Server.ts")]
    assert.include(files, "src/doors/identity/SignInWays.ts")
    assert.deepStrictEqual(files.filter((file) => /doors\/identity\/\w+\/|core\/accounts\/Handover/.test(file)), [])
  })
})
