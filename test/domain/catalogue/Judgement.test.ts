import { assert, describe, it } from "@effect/vitest"
import { Schema, Struct } from "effect"
import { builtIn, make } from "../../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile, ScopeEntry } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { judge, type Judgement } from "../../../src/domain/catalogue/Judgement.ts"
import { crmCatalogue } from "../../support/CrmCatalogue.ts"

const ours = builtIn()

/** Rows as a page has them: what, how risky, how far, and what it may do there. */
const rowsOf = ({ areas }: Judgement) =>
  areas.map(({ parts, risk, title }) =>
    `${risk} ${title}: ${
      parts.map(({ reach, verbs }) =>
        [
          reach?.id ?? "nowhere",
          ...(verbs.sees ? ["sees"] : []),
          ...(verbs.changes ? ["changes"] : []),
          ...(verbs.removes ? ["removes"] : [])
        ].join(" ")
      ).join(", ")
    }`
  )

const wordsOf = (danger: Judgement["danger"]): ReadonlyArray<unknown> =>
  danger === undefined
    ? []
    : [danger.kind, danger.risk, danger.reach?.id, ...danger.topics.map(({ title }) => title)]

const rightsOf = ({ areas }: Judgement) => areas.flatMap(({ parts }) => parts.flatMap(({ rights }) => rights))

describe("the judgement of the built-in scopes", () => {
  it("has the area and the risk of each", () => {
    const found = ours.names.map((name) => {
      const { areas: [area], risk } = judge(ours, [name])
      return `${name} ${risk} ${area?.title}`
    })
    assert.deepStrictEqual(found, [
      "EVENT_TYPE_READ 0 Event types",
      "EVENT_TYPE_WRITE 1 Event types",
      // Recordings and transcripts.
      "BOOKING_READ 1 Bookings",
      "BOOKING_WRITE 1 Bookings",
      "SCHEDULE_READ 0 Availability",
      "SCHEDULE_WRITE 1 Availability",
      "APPS_READ 0 Calendars and apps",
      "APPS_WRITE 1 Calendars and apps",
      "PROFILE_READ 0 Profile",
      "PROFILE_WRITE 1 Profile",
      "WEBHOOK_READ 0 Webhooks",
      "WEBHOOK_WRITE 2 Webhooks",
      "VERIFIED_RESOURCES_READ 1 Verified contacts",
      "VERIFIED_RESOURCES_WRITE 1 Verified contacts",
      "TEAM_EVENT_TYPE_READ 0 Event types",
      "TEAM_EVENT_TYPE_WRITE 2 Event types",
      "TEAM_BOOKING_READ 0 Bookings",
      "TEAM_BOOKING_WRITE 2 Bookings",
      "TEAM_SCHEDULE_READ 0 Availability",
      "TEAM_SCHEDULE_WRITE 2 Availability",
      "TEAM_PROFILE_READ 0 Teams",
      "TEAM_PROFILE_WRITE 2 Teams",
      "TEAM_MEMBERSHIP_READ 0 People",
      "TEAM_MEMBERSHIP_WRITE 3 People",
      "TEAM_APPS_READ 0 Calendars and apps",
      "TEAM_APPS_WRITE 2 Calendars and apps",
      "TEAM_ROUTING_FORM_READ 0 Routing forms",
      "TEAM_ROUTING_FORM_WRITE 2 Routing forms",
      "TEAM_WORKFLOW_READ 0 Workflows",
      "TEAM_WORKFLOW_WRITE 2 Workflows",
      "TEAM_VERIFIED_RESOURCES_READ 2 Verified contacts",
      "TEAM_VERIFIED_RESOURCES_WRITE 2 Verified contacts",
      "ORG_EVENT_TYPE_READ 2 Event types",
      "ORG_EVENT_TYPE_WRITE 3 Event types",
      "ORG_BOOKING_READ 2 Bookings",
      "ORG_BOOKING_WRITE 3 Bookings",
      "ORG_SCHEDULE_READ 2 Availability",
      "ORG_SCHEDULE_WRITE 3 Availability",
      "ORG_PROFILE_READ 2 Teams",
      "ORG_PROFILE_WRITE 3 Teams",
      "ORG_MEMBERSHIP_READ 2 People",
      "ORG_MEMBERSHIP_WRITE 3 People",
      "ORG_ROUTING_FORM_READ 2 Routing forms",
      "ORG_ROUTING_FORM_WRITE 3 Routing forms",
      "ORG_WEBHOOK_READ 2 Webhooks",
      "ORG_WEBHOOK_WRITE 3 Webhooks"
    ])
  })

  it("keeps the rules: writes for all 3, others' and what leaves 2, one's own 1, and reads 0 that show nothing special", () => {
    const special = ["BOOKING_READ", "VERIFIED_RESOURCES_READ", "TEAM_VERIFIED_RESOURCES_READ"]
    for (const name of ours.names) {
      const counts = name.endsWith("_WRITE") || special.includes(name)
      const risk = name === "TEAM_MEMBERSHIP_WRITE" || name.startsWith("ORG_") && counts
        ? 3
        : name === "WEBHOOK_WRITE" || name.startsWith("ORG_") || name.startsWith("TEAM_") && counts
        ? 2
        : counts
        ? 1
        : 0
      assert.strictEqual(ours.riskOf(name), risk, name)
    }
  })

  it("makes eleven rows of all 46, the riskiest first, and names the worst", () => {
    const judgement = judge(ours, ours.names)
    assert.deepStrictEqual(rowsOf(judgement), [
      "3 People: organization sees changes removes",
      "3 Bookings: organization sees changes removes, user sees changes",
      "3 Teams: organization sees changes removes",
      "3 Routing forms: organization sees changes removes",
      "3 Webhooks: organization sees changes, user sees changes",
      "3 Event types: organization sees changes, user sees changes",
      "3 Availability: organization sees changes, user sees changes",
      "2 Calendars and apps: team sees changes, user sees changes removes",
      "2 Workflows: team sees changes",
      "2 Verified contacts: team sees changes, user sees changes",
      "1 Profile: user sees changes"
    ])
    const { changes, danger, everything, reach, risk, sees, unknown } = judgement
    assert.deepInclude({ everything, risk, sees, unknown, reach: reach?.id }, {
      everything: false,
      risk: 3,
      sees: 11,
      unknown: 0,
      reach: "organization"
    })
    assert.deepStrictEqual(changes.map(({ areas, level }) => [level.id, areas]), [
      ["user", 7],
      ["team", 3],
      ["organization", 7]
    ])
    assert.deepStrictEqual(wordsOf(danger), ["admits", 3, "organization", "People"])
  })

  it("tells apart what an app changes of all and what it only sees of the user's", () => {
    const judgement = judge(ours, [
      "PROFILE_READ",
      "BOOKING_READ",
      "ORG_BOOKING_WRITE",
      "ORG_WEBHOOK_WRITE",
      "ORG_MEMBERSHIP_READ",
      "ORG_MEMBERSHIP_WRITE",
      "TEAM_MEMBERSHIP_READ"
    ])
    assert.deepStrictEqual(rowsOf(judgement), [
      "3 People: organization sees changes removes",
      "3 Bookings: organization changes removes, user sees",
      "3 Webhooks: organization changes",
      "0 Profile: user sees"
    ])
    assert.deepStrictEqual(judgement.changes.map(({ areas }) => areas), [0, 0, 3])
    assert.strictEqual(judgement.sees, 3)
  })

  it("names the worst of well-known sets", () => {
    const cases: ReadonlyArray<
      readonly [scopes: string, risk: number, kind: string, reach: string, ...of: Array<string>]
    > = [
      ["PROFILE_READ", 0, "sees", "user", "Profile"],
      ["PROFILE_READ SCHEDULE_READ TEAM_BOOKING_READ", 0, "sees", "team", "Bookings"],
      ["PROFILE_READ BOOKING_READ", 1, "sensitive", "user", "Bookings"],
      ["BOOKING_READ BOOKING_WRITE SCHEDULE_WRITE", 1, "changes", "user", "Bookings", "Availability"],
      ["BOOKING_WRITE APPS_WRITE", 1, "removes", "user", "Calendars and apps"],
      ["BOOKING_WRITE WEBHOOK_WRITE", 2, "forwards", "user", "Webhooks"],
      ["ORG_BOOKING_READ BOOKING_WRITE", 2, "sees", "organization", "Bookings"],
      ["TEAM_VERIFIED_RESOURCES_READ", 2, "sensitive", "team", "Verified contacts"],
      ["TEAM_BOOKING_WRITE TEAM_PROFILE_WRITE TEAM_WORKFLOW_WRITE", 2, "removes", "team", "Bookings", "Teams"],
      ["TEAM_MEMBERSHIP_WRITE", 3, "admits", "team", "People"],
      ["ORG_SCHEDULE_WRITE TEAM_BOOKING_WRITE", 3, "changes", "organization", "Availability"],
      ["ORG_SCHEDULE_WRITE ORG_WEBHOOK_WRITE", 3, "forwards", "organization", "Webhooks"]
    ]
    for (const [scopes, risk, kind, reach, ...areas] of cases) {
      const { danger } = judge(ours, scopes.split(" "))
      assert.deepStrictEqual(wordsOf(danger), [kind, risk, reach, ...areas], scopes)
    }
    assert.isUndefined(judge(ours, []).danger)
  })

  it("gives a legacy app the highest risk and reach, and no rows", () => {
    const { areas, danger, everything, reach, risk, verbs } = judge(ours, null)
    assert.deepStrictEqual({ areas, everything, risk, verbs, kind: danger?.kind, reach: reach?.id }, {
      areas: [],
      everything: true,
      risk: 3,
      verbs: { sees: true, changes: true, removes: true },
      kind: "everything",
      reach: "organization"
    })
  })
})

describe("the judgement of other scopes", () => {
  it("has a row for each scope without an area, and for each name that the catalogue does not know", () => {
    const crm = make({
      ...Struct.omit(crmCatalogue, ["areas"]),
      scopes: crmCatalogue.scopes.map((scope) => Struct.omit(scope, ["area"]))
    })
    const judgement = judge(crm, ["contacts.write", "deals.read", "BOOKING_READ"])
    assert.deepStrictEqual(rowsOf(judgement), [
      "3 BOOKING_READ: nowhere changes",
      "1 Change your contacts: own changes",
      "1 See your contacts: own sees",
      "0 See your deals: own sees"
    ])
    assert.strictEqual(judgement.unknown, 1)
    assert.deepStrictEqual(judgement.areas.map(({ id, of }) => [of, id]), [
      ["unknown", "BOOKING_READ"],
      ["scope", "contacts.write"],
      ["scope", "contacts.read"],
      ["scope", "deals.read"]
    ])
    assert.deepStrictEqual(wordsOf(judge(crm, ["BOOKING_READ"]).danger), ["unknown", 3, undefined, "BOOKING_READ"])
  })

  it("tells of what comes along with which scopes that is", () => {
    const crm = make(crmCatalogue)
    const [area] = judge(crm, ["contacts.write"]).areas
    assert.deepStrictEqual(area?.parts.flatMap(({ rights }) => rights), [
      { scope: "contacts.write", risk: crm.riskOf("contacts.write"), comesWith: [] },
      { scope: "contacts.read", risk: crm.riskOf("contacts.read"), comesWith: ["contacts.write"] }
    ])
    assert.isTrue(area?.verbs.sees && area.verbs.changes)
  })
})

const Flag = Schema.Boolean
const Facts = Schema.Struct({
  level: Schema.Literals(["own", "team", "all", "world"]),
  area: Schema.Literals(["a", "b", "none"]),
  isWrite: Flag,
  removes: Flag,
  admits: Flag,
  forwards: Flag,
  sensitive: Flag,
  implies: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))).check(Schema.isMaxLength(3))
})
const AnyFacts = Schema.Array(Facts).check(Schema.isMinLength(10), Schema.isMaxLength(10))
/** Numbers of scopes, those of two among them that no catalogue has. */
const Asked = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 11 }))).check(Schema.isMaxLength(8))

const nameOf = (at: number) => `scope-${at}`

/** Catalogue of ten scopes, each of which implies some of those before it. */
const catalogueOf = (facts: ReadonlyArray<typeof Facts.Type>) => {
  const file: CatalogueFile = {
    ...crmCatalogue,
    levels: [
      { id: "own", title: "You" },
      { id: "team", title: "Your team", reviewAlways: true },
      { id: "all", title: "Everybody", everyone: true },
      { id: "world", title: "All of us", everyone: true }
    ],
    areas: [{ id: "a", title: "A" }, { id: "b", title: "B" }],
    scopes: facts.map(({ admits, area, forwards, implies, isWrite, level, removes, sensitive }, at): ScopeEntry => ({
      name: nameOf(at),
      level,
      ...(area === "none" ? {} : { area }),
      access: isWrite ? "write" : "read",
      title: `Title ${at}`,
      covers: `Text ${at}.`,
      removes,
      sensitive,
      admits: isWrite && admits,
      forwards: isWrite && forwards,
      implies: [...new Set(implies)].filter((earlier) => earlier < at).map(nameOf)
    })),
    profile: { scope: "scope-0" },
    samples: { demo: ["scope-0"], tests: ["scope-0"] },
    operations: []
  }
  return make(file)
}

describe("any judgement", () => {
  const runs = { arbitrary: { runs: 500 } }

  it.prop("is never milder for a scope more", [AnyFacts, Asked, Asked], ([facts, some, more]) => {
    const catalogue = catalogueOf(facts)
    const few = judge(catalogue, some.map(nameOf))
    const many = judge(catalogue, [...some, ...more].map(nameOf))
    assert.isAtLeast(many.risk, few.risk)
    assert.isAtLeast(judge(catalogue, null).risk, many.risk)
    for (const verb of ["sees", "changes", "removes"] as const) {
      assert.isTrue(many.verbs[verb] || !few.verbs[verb], verb)
    }
    // A right is gone only where another one has it as a part, and that one is no less risky.
    const found = rightsOf(many)
    for (const { risk, scope } of rightsOf(few)) {
      assert.isTrue(
        found.some((right) => right.risk >= risk && (right.scope === scope || catalogue.covers([right.scope], scope))),
        scope
      )
    }
  }, runs)

  it.prop("has the rights of all scopes in one row each, and shows each scope, by itself or in another", [
    AnyFacts,
    Asked
  ], ([facts, some]) => {
    const catalogue = catalogueOf(facts)
    const asked = [...new Set(some.map(nameOf))]
    const judgement = judge(catalogue, asked)
    const rights = rightsOf(judgement)
    const names = rights.map(({ scope }) => scope)
    assert.strictEqual(new Set(names).size, names.length, "no right twice")
    for (const name of asked) {
      const { access, level } = catalogue.entry(name) ?? {}
      const isShown = names.includes(name) || names.some((other) => {
        const entry = catalogue.entry(other)
        const isEveryones = catalogue.file.levels.some(({ everyone, id }) => id === entry?.level && everyone === true)
        return catalogue.included(other).some((one) => one === name) && entry?.access === access &&
          (entry?.level === level || isEveryones)
      })
      assert.isTrue(isShown, name)
    }
    // Whatever else is there comes with one that was asked for, and says so.
    for (const { comesWith, scope } of rights) {
      assert.strictEqual(comesWith.length === 0, asked.includes(scope), scope)
      for (const one of comesWith) assert.isTrue(asked.includes(one) && catalogue.covers([one], scope))
    }
    assert.deepStrictEqual([...names].sort(), [...catalogue.rights(asked)].sort())
    assert.strictEqual(judgement.unknown, asked.filter((name) => catalogue.entry(name) === undefined).length)
  }, runs)

  it.prop("is the same whether scopes that come along are named or not, and in whatever order", [
    AnyFacts,
    Asked
  ], ([facts, some]) => {
    const catalogue = catalogueOf(facts)
    const asked = some.map(nameOf)
    const all = asked.flatMap((name) => [...catalogue.included(name), name, name]).reverse()
    const [one, other] = [judge(catalogue, asked), judge(catalogue, all)]
    assert.deepStrictEqual(rowsOf(one), rowsOf(other))
    for (const key of ["risk", "reach", "verbs", "sees", "changes", "unknown", "danger"] as const) {
      assert.deepStrictEqual(one[key], other[key], key)
    }
  }, runs)

  it.prop("has its rows and their parts by risk, and the highest as its own", [AnyFacts, Asked], ([facts, some]) => {
    const judgement = judge(catalogueOf(facts), some.map(nameOf))
    const { areas, danger, risk } = judgement
    const falls = (risks: ReadonlyArray<number>) => risks.every((one, at) => at === 0 || one <= (risks[at - 1] ?? 0))
    assert.isTrue(falls(areas.map(({ risk }) => risk)))
    for (const { parts, risk } of areas) {
      assert.isTrue(falls(parts.map(({ risk }) => risk)))
      assert.strictEqual(parts[0]?.risk, risk)
      for (const { rights, risk } of parts) assert.strictEqual(Math.max(...rights.map(({ risk }) => risk)), risk)
    }
    assert.strictEqual(areas[0]?.risk ?? 0, risk)
    assert.strictEqual(danger?.risk, areas[0]?.risk)
    assert.strictEqual(danger?.topics[0]?.id, areas[0]?.id)
    assert.strictEqual(danger === undefined, some.length === 0)
  }, runs)
})
