import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"

/** Packages that a module loads, itself or through our own files. Type imports load nothing. */
const packagesOf = (file: URL, seen = new Set<string>()): ReadonlyArray<string> => {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  const source = stripTypeScriptTypes(readFileSync(file, "utf8"))
  return [...source.matchAll(/\bfrom "([^"]+)"/g)].flatMap(([, specifier = ""]) =>
    specifier.startsWith(".") ? packagesOf(new URL(specifier, file), seen) : [specifier]
  )
}

it("the contract loads schemas alone, so that its typed client runs in a browser, too", () => {
  const contract = new URL("../../../src/doors/contract/Api.ts", import.meta.url)
  assert.deepStrictEqual([...new Set(packagesOf(contract))].sort(), ["effect", "effect/http", "effect/http-api"])
})
