import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import * as Requirements from "../../../src/domain/scopes/Requirement.ts"
import { allOf, Decision, isAsStrict, Requirement, scopeList } from "../../../src/domain/scopes/Requirement.ts"
import type { Scope } from "../../../src/domain/scopes/Scope.ts"
import { decide } from "../../../src/doors/resource/LibraryFunctions.ts"

const anyOf = (scopes: Parameters<typeof allOf>[0]) => Requirements.anyOf(scopes, builtIn().byRisk)

const read = "TEAM_BOOKING_READ"
const write = "TEAM_BOOKING_WRITE"
const other = "APPS_READ"

describe("a requirement of any of several scopes", () => {
  const requirement = Requirement.Scope(anyOf([write, read, other]))

  it("is met by each of them, and by what covers it", () => {
    for (const scope of [read, write, other, "ORG_BOOKING_WRITE"] as const) {
      assert.deepStrictEqual(decide(requirement, [scope]), Decision.Allowed(), scope)
    }
    assert.deepStrictEqual(decide(requirement, null), Decision.Allowed())
  })

  it("asks for one to read before one to write, and for the first of those", () => {
    assert.deepStrictEqual(decide(requirement, ["APPS_WRITE"]), Decision.InsufficientScope({ scope: read }))
    assert.deepStrictEqual(decide(requirement, []), Decision.InsufficientScope({ scope: read }))
    assert.deepStrictEqual(decide(requirement, "none"), Decision.TokenRequired({ scope: read }))
    assert.deepStrictEqual(anyOf([other, write, read]), { scope: other, or: [read, write] })
    assert.deepStrictEqual(decide(Requirement.ScopeIfToken(anyOf([write, read])), "none"), Decision.Allowed())
  })

  it("is that of one scope where there is but one", () => {
    assert.deepStrictEqual([anyOf([read]), allOf([read])], [{ scope: read }, { scope: read }])
  })
})

describe("a requirement of all of several scopes", () => {
  const requirement = Requirement.Scope(allOf([write, read, other]))

  it("is met by all of them together, or by what covers them", () => {
    assert.deepStrictEqual(decide(requirement, [other, read, write]), Decision.Allowed())
    assert.deepStrictEqual(decide(requirement, [other, "ORG_BOOKING_READ", "ORG_BOOKING_WRITE"]), Decision.Allowed())
    assert.deepStrictEqual(decide(requirement, null), Decision.Allowed())
  })

  it("asks for those that are missing, in the order of the list", () => {
    assert.deepStrictEqual(decide(requirement, [read]), Decision.InsufficientScope({ scope: write, and: [other] }))
    assert.deepStrictEqual(decide(requirement, [read, write]), Decision.InsufficientScope({ scope: other }))
    const all = Decision.TokenRequired({ scope: write, and: [read, other] })
    assert.deepStrictEqual(decide(requirement, "none"), all)
    assert.strictEqual(scopeList(allOf([write, read, other])), "TEAM_BOOKING_WRITE TEAM_BOOKING_READ APPS_READ")
    assert.deepStrictEqual(decide(Requirement.ScopeIfToken(allOf([write, read])), "none"), Decision.Allowed())
  })
})

const scopes: ReadonlyArray<Scope> = ["BOOKING_READ", "TEAM_BOOKING_READ", "ORG_BOOKING_READ", "BOOKING_WRITE"]

/** Every choice of the scopes above. */
const choices = Array.from({ length: 2 ** scopes.length }, (_, bits) => scopes.filter((_, at) => bits >> at & 1))

const requirements: ReadonlyArray<Requirement> = [
  Requirement.Public(),
  Requirement.LegacyGrant(),
  Requirement.Closed({ reason: "closed" }),
  ...choices.flatMap(([first, ...others]) =>
    first === undefined ? [] : [anyOf([first, ...others]), allOf([first, ...others])].flatMap((needed) => [
      Requirement.Scope(needed),
      Requirement.ScopeIfToken(needed)
    ])
  )
]

const requirement = Arbitrary.map(
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: requirements.length - 1 }))),
  (at) => requirements[at] ?? Requirement.Public()
)

describe("a stricter requirement", () => {
  it.prop("lets pass nobody whom the other one does not", [requirement, requirement], ([one, two]) => {
    const passes = (requirement: Requirement) =>
      [null, "none" as const, ...choices].map((granted) => decide(requirement, granted)._tag === "Allowed")
    const [first, second] = [passes(one), passes(two)]
    if (isAsStrict(one, two)) assert.isTrue(first.every((passed, at) => !passed || second[at]))
    assert.isTrue(isAsStrict(one, one))
  }, { arbitrary: { runs: 2000 } })

  it.prop("is found whenever names alone tell it", [requirement, requirement], ([one, two]) => {
    const single = ["BOOKING_READ", "BOOKING_WRITE"]
    const isPlain = (requirement: Requirement) =>
      !("scope" in requirement) ||
      [requirement.scope, ...requirement.and ?? [], ...requirement.or ?? []].every((scope) => single.includes(scope))
    if (!isPlain(one) || !isPlain(two)) return
    const passes = (requirement: Requirement) =>
      [null, "none" as const, ...choices].map((granted) => decide(requirement, granted)._tag === "Allowed")
    const isStricter = passes(one).every((passed, at) => !passed || passes(two)[at])
    assert.strictEqual(isAsStrict(one, two), isStricter)
  }, { arbitrary: { runs: 2000 } })
})
