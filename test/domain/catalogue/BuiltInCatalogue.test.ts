import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { builtInFile } from "../../../src/domain/catalogue/BuiltIn.ts"
import { catalogue, covers, level } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { check } from "../../../src/domain/catalogue/file/CatalogueRules.ts"
import { write } from "../../../src/domain/catalogue/file/WriteCatalogue.ts"

const text = readFileSync(new URL("../../../src/domain/catalogue/scheduling.catalogue.json", import.meta.url), "utf8")
const { closure, file, policy, warnings } = Result.getOrThrow(check(JSON.parse(text)))
const names = file.scopes.map(({ name }) => name)

describe("the built-in catalogue", () => {
  it("has the 46 scopes of the specification in order, on their levels", () => {
    assert.deepStrictEqual(names, [...catalogue])
    assert.lengthOf(names, 46)
    for (const { access, level: of, name } of file.scopes) {
      assert.strictEqual(access === "write", name.endsWith("_WRITE"), name)
      assert.isTrue(catalogue.some((scope) => scope === name && level(scope) === of), name)
    }
    assert.deepStrictEqual(file.levels.map(({ id, title }) => [id, title]), [
      ["user", "You"],
      ["team", "Your teams"],
      ["organization", "Your organization"]
    ])
  })

  it("implies what is covered today, for every pair", () => {
    for (const granted of catalogue) {
      for (const needed of catalogue) {
        const implied = granted === needed || closure.get(granted)?.has(needed) === true
        assert.strictEqual(implied, covers([granted], needed), `${granted} ${needed}`)
      }
    }
  })

  it("has the 363 operations", () => {
    assert.lengthOf(file.operations, 363)
    assert.lengthOf(policy.endpoints, 363)
  })

  it("reviews what a legacy app gains beyond its user's data, and calls only the organization everyone's", () => {
    const { organization, team, user } = Object.fromEntries(file.levels.map((level) => [level.id, level]))
    assert.deepStrictEqual([user?.reviewAlways, team?.reviewAlways, organization?.reviewAlways], [
      undefined,
      true,
      true
    ])
    assert.deepStrictEqual([user?.everyone, team?.everyone, organization?.everyone], [undefined, undefined, true])
    assert.deepStrictEqual([team?.parameter, organization?.parameter], ["teamId", "orgId"])
  })

  it("says of scopes that delete people, teams or what others made that they remove, and of no other", () => {
    assert.deepStrictEqual(file.scopes.filter(({ removes }) => removes === true).map(({ name }) => name), [
      "APPS_WRITE",
      "TEAM_BOOKING_WRITE",
      "TEAM_PROFILE_WRITE",
      "TEAM_MEMBERSHIP_WRITE",
      "TEAM_ROUTING_FORM_WRITE",
      "ORG_BOOKING_WRITE",
      "ORG_PROFILE_WRITE",
      "ORG_MEMBERSHIP_WRITE",
      "ORG_ROUTING_FORM_WRITE"
    ])
  })

  it("is what a check makes of it, though it is used without one", () => {
    assert.deepStrictEqual(builtInFile(), file)
    assert.strictEqual(builtInFile(), builtInFile(), "decoded once")
    assert.deepStrictEqual(builtIn().policy.endpoints, policy.endpoints)
  })

  it("has the words and samples that pages and kit have", () => {
    assert.deepStrictEqual(file.api, {
      name: "The scheduling platform's API",
      account: "your scheduling account",
      everything: "your bookings, calendars and profile, your teams and your organization"
    })
    assert.strictEqual(file.profile.scope, "PROFILE_READ")
    assert.deepStrictEqual(file.samples, {
      demo: ["BOOKING_READ", "PROFILE_READ", "BOOKING_WRITE"],
      tests: ["PROFILE_READ", "BOOKING_READ"]
    })
  })

  it("is written as people read it, and has one scope that nothing needs: the specification lists it all the same", () => {
    assert.strictEqual(write(file), text)
    assert.deepStrictEqual(warnings.map(({ problem }) => problem), ["no operation needs \"TEAM_BOOKING_WRITE\""])
  })
})
