import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { builtIn } from "../../../src/domain/scopes/BuiltInCatalogue.ts"
import { describe as described, grouped } from "../../../src/domain/scopes/Description.ts"
import { catalogue, covers, isWrite, level } from "../../../src/domain/scopes/Scope.ts"
import { write } from "../../../src/domain/scopes/WriteCatalogue.ts"

const { closure, file, policy, warnings } = builtIn()
const names = file.scopes.map(({ name }) => name)

describe("the built-in catalogue", () => {
  it("has the 46 scopes of the specification in order, with the texts that users know", () => {
    assert.deepStrictEqual(names, [...catalogue])
    assert.lengthOf(names, 46)
    for (const { access, covers, level: of, name, title } of file.scopes) {
      assert.deepStrictEqual({ title, covers }, { ...described(name) }, name)
      assert.strictEqual(access === "write", catalogue.some((scope) => scope === name && isWrite(scope)), name)
      assert.isTrue(catalogue.some((scope) => scope === name && level(scope) === of), name)
    }
    assert.deepStrictEqual(
      file.levels.map(({ id, title }) => ({ id, title })),
      grouped(catalogue).map(({ level, title }) => ({ id: level, title }))
    )
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
    const text = readFileSync(new URL("../../../src/domain/scopes/scheduling.catalogue.json", import.meta.url), "utf8")
    assert.strictEqual(write(file), text)
    assert.deepStrictEqual(warnings.map(({ problem }) => problem), ["no operation needs \"TEAM_BOOKING_WRITE\""])
  })
})
