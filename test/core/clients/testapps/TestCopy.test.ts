import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import * as RedirectUri from "../../../../src/core/clients/records/RedirectUri.ts"
import { testAddresses, testCopyOf } from "../../../../src/core/clients/testapps/TestCopy.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { judge } from "../../../../src/domain/catalogue/Judgement.ts"
import { BuiltInScope } from "../../../../src/domain/scopes/BuiltInNames.ts"
import { pending } from "../Fixture.ts"

const playground = "https://slotkey.test/playground/callback"
const catalogue = builtIn()

const names = BuiltInScope.literals
const someScopes = Schema.UniqueArray(BuiltInScope)

const addresses = ["/callback", "/oauth/done", "/a", "/b", "/"].flatMap((path) => [
  `https://app.example${path}`,
  `http://localhost${path}`,
  `com.example.app:${path}`
])

describe("What a test app has of its app", () => {
  it("leaves something out", () => {
    assert.isTrue(names.some((name) => catalogue.riskOf(name) === 3))
  })

  it.prop(
    "is no scope of the highest risk, whatever the app has, and no optional one that it lacks",
    [someScopes, someScopes],
    ([scopes, optional]) => {
      const has = new Set<string>(scopes)
      const optionalScopes = optional.filter((scope) => has.has(scope))
      const copy = testCopyOf(catalogue, new ManagedClient({ ...pending, scopes, optionalScopes }), playground)
      assert.isTrue(copy.scopes.length === 0 || judge(catalogue, copy.scopes).risk < 3)
      assert.deepStrictEqual(copy.scopes.filter((scope) => !has.has(scope)), [])
      assert.deepStrictEqual(copy.optionalScopes.filter((scope) => !copy.scopes.includes(scope)), [])
      assert.isTrue(copy.scopes.length === 0 || copy.optionalScopes.length < copy.scopes.length)
    }
  )

  it.prop(
    "is ten addresses at most, with the playground's and one on the developer's machine, at any port",
    [Schema.UniqueArray(Schema.Literals(addresses)).check(Schema.isMaxLength(10))],
    ([uris]) => {
      const found = testAddresses(uris, playground)
      assert.isAtMost(found.length, 10)
      assert.strictEqual(new Set(found).size, found.length)
      assert.include(found, playground)
      const [path = "/callback"] = uris.filter((one) => one.startsWith("http")).map((one) => new URL(one).pathname)
      for (const host of ["127.0.0.1", "localhost"]) {
        assert.isTrue(RedirectUri.matches(found, `http://${host}:49152${path}`))
      }
      assert.deepStrictEqual(RedirectUri.faultsOf("public", found), [])
    }
  )

  it("is what its owner wants, reviewed or not, under a name of its own and without a logo", () => {
    const app = new ManagedClient({ ...pending, logoUrl: "https://app.example/logo.png", logoDigest: "x" })
    const copy = testCopyOf(catalogue, app, playground)
    assert.deepInclude(copy, { name: "Test: Calendar Sync", logoUrl: null, logoDigest: null, website: app.website })
  })
})
