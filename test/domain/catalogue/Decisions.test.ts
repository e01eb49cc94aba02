import { assert, describe, it } from "@effect/vitest"
import { make } from "../../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { decide } from "../../../src/domain/scopes/Requirement.ts"
import { pairs } from "../../core/catalogue/RandomCatalogues.ts"

const literals = ["/a", "/b", "/a/a", "/b/a"]

/** Tests step by step if one scope leads to another. */
const leads = (file: CatalogueFile, from: string, to: string): boolean =>
  from === to ||
  (file.scopes.find(({ name }) => name === from)?.implies ?? []).some((next) => leads(file, next, to))

/** Decision about a call as its entry says it, of which a literal path has one at most. */
const naively = (
  file: CatalogueFile,
  method: string,
  target: string,
  held: ReadonlyArray<string> | null | "none"
): boolean => {
  const entry = file.operations.find((operation) => operation.method === method && operation.path === target)
  if (entry === undefined) return false
  const { access, allOf, anyOf, neverForApps, scope } = entry
  if (access === "public") return true
  if (access === "closed") return held === null && neverForApps === undefined
  if (held === null) return true
  if (held === "none") return access === "scope-if-token"
  const has = (needed: string) => held.some((name) => leads(file, name, needed))
  return allOf !== undefined ? allOf.every(has) : (anyOf ?? (scope === undefined ? [] : [scope])).some(has)
}

describe("any catalogue", () => {
  it.prop("decides about each call and caller as its entries say", [pairs(literals)], ([pair]) => {
    if (pair === undefined) return
    const { file } = pair.before
    const catalogue = make(file, pair.before)
    const sets = file.scopes.map(({ name }) => name).reduce<ReadonlyArray<ReadonlyArray<string>>>(
      (sets, name) => [...sets, ...sets.map((set) => [...set, name])],
      [[]]
    )
    for (const target of [...literals, "/A", "/a/", "/a/A", "/c"]) {
      for (const method of ["GET", "POST", "PUT"]) {
        const requirement = catalogue.policy.match(method, target)
        for (const held of ["none" as const, null, ...sets]) {
          const isAllowed = decide(requirement, held, catalogue)._tag === "Allowed"
          assert.strictEqual(isAllowed, naively(file, method, target, held), `${held} ${method} ${target}`)
        }
      }
    }
  }, { arbitrary: { runs: 500 } })
})
