import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { builtIn, make } from "../../../src/domain/catalogue/Catalogue.ts"
import { load } from "../../../src/domain/catalogue/EndpointPolicy.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { check } from "../../../src/domain/catalogue/file/CatalogueRules.ts"
import { crmCatalogue } from "../../support/CrmCatalogue.ts"

/** Catalogue of ten scopes, each of which implies some of those before it. */
const catalogueOf = (implied: ReadonlyArray<ReadonlyArray<number>>) => {
  const file: CatalogueFile = {
    ...crmCatalogue,
    scopes: Array.from({ length: 10 }, (_, at) => ({
      name: `scope-${at}`,
      level: "own",
      access: "read" as const,
      title: `Title ${at}`,
      covers: `Text ${at}.`,
      implies: [...new Set(implied[at] ?? [])].flatMap((earlier) => earlier < at ? [`scope-${earlier}`] : [])
    })),
    profile: { scope: "scope-0" },
    samples: { demo: ["scope-0"], tests: ["scope-0"] },
    operations: []
  }
  return make(file)
}

/** Tests step by step if one scope leads to another. */
const leadsTo = (file: CatalogueFile, from: string, to: string): boolean =>
  from === to ||
  (file.scopes.find(({ name }) => name === from)?.implies ?? []).some((next) => leadsTo(file, next, to))

const Implied = Schema.Array(
  Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))).check(Schema.isMaxLength(3))
).check(Schema.isMaxLength(10))
const Some = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 11 }))).check(Schema.isMaxLength(4))

describe("a catalogue", () => {
  it.prop("covers what a scope leads to, by however many steps", [Implied, Some], ([implied, granted]) => {
    const { covers, file, included, names, wider } = catalogueOf(implied)
    const held = granted.map((at) => `scope-${at}`)
    for (const needed of names) {
      assert.strictEqual(covers(held, needed), held.some((scope) => leadsTo(file, scope, needed)), `${held} ${needed}`)
      const others = names.filter((name) => name !== needed)
      assert.deepStrictEqual([...wider(needed)], others.filter((name) => leadsTo(file, name, needed)))
      assert.deepStrictEqual([...included(needed)], others.filter((name) => leadsTo(file, needed, name)))
    }
    assert.isTrue(covers(null, "scope-0"))
  })

  it.prop("lists names in its order, and behind them those that it does not know", [Some], ([some]) => {
    const { format, inOrder, names, parse } = catalogueOf([])
    const held = some.map((at) => `scope-${at}`)
    const known = names.filter((name) => held.includes(name))
    const unknown = ["scope-10", "scope-11"].filter((name) => held.includes(name))
    assert.deepStrictEqual(inOrder(held), [...known, ...unknown])
    assert.strictEqual(format(held), [...known, ...unknown].join(" "))
    assert.strictEqual(parse(held.join(","))._tag, unknown.length > 0 ? "Failure" : "Success")
  })

  it("is the specification's where no other is given: an ORG_ scope covers the TEAM_ scope of its name, and no more", () => {
    const { covers, names } = builtIn()
    assert.lengthOf(names, 46)
    for (const held of names) {
      for (const needed of names) {
        const expected = held === needed || held.replace(/^ORG_/, "TEAM_") === needed
        assert.strictEqual(covers([held], needed), expected, `${held} ${needed}`)
      }
    }
  })

  it("says who is asked again, by level", () => {
    const ours = builtIn()
    for (const name of ours.names) assert.strictEqual(ours.isReviewedAlways(name), /^(?:TEAM|ORG)_/.test(name), name)
    const crm = make(crmCatalogue)
    assert.isFalse(crm.isReviewedAlways("contacts.write"))
    assert.isTrue(crm.isReviewedAlways("members.read"))
    assert.isTrue(crm.isReviewedAlways("BOOKING_READ"))
  })

  it("says which of several scopes is the less risky, by what they allow and not by their names", () => {
    const scope = (name: string, access: "read" | "write", level: string, removes = false) => ({
      name,
      access,
      level,
      removes,
      title: `Title of ${name}`,
      covers: "Covers something."
    })
    const byRisk = ["b.write", "a.write", "removes.write", "g.read", "d.read", "everyone.write", "h.read", "c.read"]
    const file: CatalogueFile = {
      ...crmCatalogue,
      scopes: [
        scope("c.read", "write", "workspace", true),
        scope("d.read", "write", "own", true),
        scope("h.read", "write", "workspace"),
        scope("g.read", "write", "own"),
        scope("removes.write", "read", "own", true),
        scope("everyone.write", "read", "workspace"),
        scope("a.write", "read", "own"),
        scope("b.write", "read", "own")
      ],
      profile: { scope: "a.write" },
      samples: { demo: ["a.write"], tests: ["a.write"] },
      operations: [{
        method: "GET",
        path: "/x",
        access: "scope",
        anyOf: ["b.write", "c.read", "d.read", "a.write", "g.read", "h.read", "everyone.write", "removes.write"]
      }]
    }
    const [least, ...or] = byRisk
    const loaded = Result.getOrThrow(load(JSON.stringify(file.operations), make(file)))
    for (const policy of [loaded, make(file).policy, Result.getOrThrow(check(file)).policy]) {
      const asked: object = policy.match("GET", "/x")
      assert.deepInclude(asked, { scope: least, or })
    }
    assert.strictEqual(make(file).byRisk("unheard.of", "h.read"), 1)
    assert.strictEqual(make(file).riskOf("unheard.of"), 3)
  })

  it("names what comes with a scope and is another right: to see, to change, to remove, or on another level", () => {
    const ours = builtIn()
    for (const name of ours.names) assert.deepStrictEqual(ours.alsoGranted([name]), [], name)

    const scope = (name: string, level: string, access: "read" | "write", ...implies: ReadonlyArray<string>) => ({
      name,
      level,
      access,
      implies,
      removes: name.endsWith("remove"),
      title: `Title of ${name}`,
      covers: "Covers something."
    })
    const { alsoGranted } = make({
      ...crmCatalogue,
      levels: [
        { id: "own", title: "You" },
        { id: "team", title: "Your team" },
        { id: "all", title: "Everybody", everyone: true },
        { id: "world", title: "All of us", everyone: true }
      ],
      scopes: [
        scope("read", "own", "read"),
        scope("write", "own", "write", "read"),
        scope("remove", "own", "write", "write"),
        scope("team.read", "team", "read", "read"),
        scope("all.read", "all", "read", "team.read"),
        scope("world.read", "world", "read", "all.read"),
        scope("odd.read", "own", "read", "remove"),
        scope("odd.team", "own", "write", "team.read")
      ],
      profile: { scope: "read" },
      samples: { demo: ["read"], tests: ["read"] },
      operations: []
    })
    const cases: ReadonlyArray<readonly [asked: string, ...also: ReadonlyArray<string>]> = [
      ["read"],
      ["write", "read"],
      ["remove", "read"],
      ["team.read", "read"],
      // Some of everybody are no more than these.
      ["all.read"],
      ["world.read", "all.read"],
      // To remove is to write.
      ["odd.read", "remove"],
      ["odd.team", "read", "team.read"],
      ["unheard.of"]
    ]
    for (const [asked, ...also] of cases) {
      assert.deepStrictEqual<ReadonlyArray<string>>(alsoGranted([asked]), also, asked)
    }
    assert.deepStrictEqual(alsoGranted(["odd.read", "remove"]), [])
    assert.deepStrictEqual(alsoGranted(["odd.team", "all.read"]), [])
  })

  it("compiles its operations when they are asked for, and not again what a check has compiled", () => {
    const twice: CatalogueFile = {
      ...crmCatalogue,
      operations: [...crmCatalogue.operations, ...crmCatalogue.operations]
    }
    const unchecked = make(twice)
    assert.isTrue(unchecked.covers(["contacts.write"], "contacts.write"))
    assert.throws(() => unchecked.policy, /matches the same paths/)
    const checked = Result.getOrThrow(check(crmCatalogue))
    assert.strictEqual(make(checked.file, checked).policy, checked.policy)
    const lazy = make(crmCatalogue)
    assert.strictEqual(lazy.policy, lazy.policy)
  })

  it("knows the form of its names", () => {
    const looksAlike = (names: ReadonlyArray<string>, word: string) =>
      make({
        ...crmCatalogue,
        scopes: names.map((name, at) => ({ name, level: "own", access: "read", title: `T${at}`, covers: "C." })),
        profile: { scope: names[0] ?? "" }
      }).nameForm.test(word)
    assert.isTrue(builtIn().nameForm.test("CALENDAR_READ"))
    assert.isFalse(builtIn().nameForm.test("calendar_read"))
    assert.isFalse(builtIn().nameForm.test("READ_CALENDAR"))
    assert.isTrue(looksAlike(["contacts.read", "deals.read"], "notes.read"))
    assert.isFalse(looksAlike(["contacts.read", "deals.read"], "notes:read"))
    assert.isFalse(looksAlike(["contacts.read", "deals.write"], "notes.read"))
    assert.isTrue(looksAlike(["read:contacts+all", "read:deals+all"], "read:notes+all"))
    assert.isFalse(looksAlike(["contacts", "deals"], "notes"))
  })
})
