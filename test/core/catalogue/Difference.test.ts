import { assert, describe, it } from "@effect/vitest"
import { compare, type Difference, needsConsent, type Reach } from "../../../src/core/catalogue/Difference.ts"
import type { CheckedCatalogue } from "../../../src/domain/catalogue/file/CatalogueRules.ts"
import { decide, type Requirement } from "../../../src/domain/scopes/Requirement.ts"
import { small } from "../../domain/catalogue/file/SmallCatalogue.ts"
import * as NaiveMatcher from "../../domain/operations/NaiveMatcher.ts"
import { checkedOf } from "./Fixture.ts"
import { neighbours, type Pair, pairs } from "./RandomCatalogues.ts"

const before = checkedOf({})

/** Comparison with the small catalogue so changed. */
const comparedTo = (values: Readonly<Record<string, unknown>>) => compare(before, checkedOf(values))

const scopes = (...more: ReadonlyArray<object>) => [...small.scopes, ...more]
const operations = (...more: ReadonlyArray<object>) => [...small.operations, ...more]
const deals = { name: "deals", level: "own", access: "read", title: "See deals", covers: "Lists deals." }
const nothing: Difference = {
  added: [],
  retired: [],
  revived: [],
  gone: [],
  changed: [],
  texts: [],
  operations: [],
  widened: [],
  narrowed: []
}

const widenings: ReadonlyArray<{ name: string; values: Readonly<Record<string, unknown>>; widened: Reach }> = [
  {
    name: "a new operation beneath a scope",
    values: { operations: operations({ method: "GET", path: "/api/notes", access: "scope", scope: "contacts.write" }) },
    widened: { who: ["contacts.write"], what: "new operations", reaches: ["GET /api/notes"] }
  },
  {
    name: "an operation that needs less",
    values: { "operations.2.scope": "contacts.read" },
    widened: { who: ["contacts.read"], what: "operations", reaches: ["PUT /api/contacts/{id}"] }
  },
  {
    name: "one that opens to everybody",
    values: { "operations.0.access": "public", "operations.0.scope": undefined },
    widened: { who: "anyone", what: "operations", reaches: ["GET /api/account"] }
  },
  {
    name: "an implication that no operation shows",
    values: { "scopes.0.implies": ["members"], operations: small.operations.slice(0, 3) },
    widened: { who: ["account.read"], what: "scopes", reaches: ["members"] }
  }
]

describe("The difference of two catalogues", () => {
  it("is none from one to itself", () => {
    assert.deepStrictEqual(compare(before, before), nothing)
  })

  it("names scopes that came, went, or mean something else", () => {
    const difference = comparedTo({
      scopes: [
        { ...small.scopes[0], title: "See yourself" },
        { ...small.scopes[1], retired: { since: "2027-01-01" } },
        { ...small.scopes[2], level: "workspace", access: "read" },
        deals
      ],
      operations: small.operations.slice(0, 1),
      samples: { demo: ["account.read"], tests: ["account.read"] }
    })
    assert.deepStrictEqual(difference.added, ["deals"])
    assert.deepStrictEqual(difference.gone, ["members"])
    assert.deepStrictEqual(difference.retired, ["contacts.read"])
    assert.deepStrictEqual(difference.changed, [
      { scope: "contacts.write", change: "level own → workspace, access write → read" }
    ])
    assert.deepStrictEqual(difference.texts, ["account.read"])
  })

  it("names what people read otherwise, in words and in what they are warned of", () => {
    const areas = [{ id: "people", title: "People" }]
    const about = { areas, "scopes.3.area": "people", "scopes.2.area": "people" }
    const { texts } = compare(
      checkedOf(about),
      checkedOf({
        ...about,
        "areas.0.title": "Members",
        "levels.1.reach": "your whole workspace",
        "scopes.1.sensitive": true,
        "scopes.2.area": undefined,
        "scopes.3.admits": true
      })
    )
    assert.deepStrictEqual(texts, ["level workspace", "area people", "contacts.read", "contacts.write", "members"])
  })

  it("shows operations that open, close or need something else", () => {
    const { operations } = comparedTo({
      "operations.0.access": "public",
      "operations.0.scope": undefined,
      "operations.4": { method: "DELETE", path: "/api/contacts/{id}", access: "scope", scope: "contacts.write" }
    })
    assert.deepStrictEqual(operations, [
      { operation: "DELETE /api/contacts/{id}", before: "not listed", after: "contacts.write" },
      { operation: "GET /api/account", before: "account.read", after: "public" },
      { operation: "GET /api/status", before: "public", after: "not listed" }
    ])
  })

  it("a scope with operations of its own widens nothing that a user was asked about", () => {
    const { widened } = comparedTo({
      scopes: scopes(deals),
      operations: operations({ method: "GET", path: "/api/deals", access: "scope", scope: "deals" })
    })
    assert.deepStrictEqual(widened, [{ who: "legacy", what: "new operations", reaches: ["GET /api/deals"] }])
    assert.isFalse(widened.some(needsConsent))
  })

  it.each(widenings)("calls $name a widening", ({ values, widened }) => {
    const found = comparedTo(values).widened.filter(needsConsent)
    assert.deepInclude(found, widened)
  })

  it("a closed operation that opens is one for legacy grants as well", () => {
    const never = { method: "GET", path: "/api/bills", access: "closed", neverForApps: "money" }
    const open = { method: "GET", path: "/api/bills", access: "closed" }
    const { widened } = compare(
      checkedOf({ operations: operations(never) }),
      checkedOf({ operations: operations(open) })
    )
    assert.deepStrictEqual(widened, [{ who: "legacy", what: "operations", reaches: ["GET /api/bills"] }])
    assert.isTrue(widened.some(needsConsent))
  })

  it("a retired scope that new ones stand for widens nothing as long as no operation opens", () => {
    const retired = { since: "2027-01-01", standsFor: ["people.see", "people.manage"] }
    const people = ["people.see", "people.manage"].map((name) => ({ ...small.scopes[3], name, title: name }))
    const replaced = {
      scopes: [...small.scopes.slice(0, 3), { ...small.scopes[3], retired }, ...people],
      "operations.3.scope": "people.manage"
    }
    const difference = comparedTo(replaced)
    assert.deepStrictEqual(difference.widened, [])
    assert.deepStrictEqual(difference.retired, ["members"])
    assert.deepStrictEqual(difference.narrowed, [])
  })

  it("finds what a parameter of one list and a literal of the other share", () => {
    const wide = { method: "GET", path: "/api/{thing}", access: "scope", scope: "members" }
    const { narrowed, widened } = comparedTo({ operations: [...small.operations.slice(1), wide] })
    assert.deepStrictEqual(narrowed, [
      { who: ["account.read"], what: "operations", reaches: ["GET /api/account"] }
    ])
    assert.deepInclude(widened, { who: ["members"], what: "operations", reaches: ["GET /api/{thing}"] })
  })

  /**
   * Holds the comparison to the callers of all calls. A call that is refused for its upper case alone, because a router
   * that ignores case finds another operation, is open to those whom the list lets pass as it is written: what they
   * gain by it may be found, and need not be.
   */
  const agree = (calls: ReadonlyArray<Call>, pair: Pair) => {
    if (pair === undefined) return
    const { after, before } = pair
    const { narrowed, widened } = compare(before, after)
    const implies = coversMore(before, after)
    if (widened.length > 0) assert.isTrue(implies || someGains(calls, before, after, required), "nobody gains")
    if (implies || someGains(calls, before, after, asWritten)) assert.isNotEmpty(widened)
    if (narrowed.length > 0) assert.isTrue(someGains(calls, after, before, required), "nobody loses")
    if (someGains(calls, after, before, asWritten)) assert.isNotEmpty(narrowed)
  }

  it("finds a path that is listed in upper case instead of lower case, which another router takes for another", () => {
    const listed = (path: string) =>
      checkedOf({ operations: operations({ method: "GET", path, case: "exact", access: "public" }) })
    const pair = { before: listed("/ab/{p+}"), after: listed("/aB/{p+}") }
    agree(callsOf(formedTexts, ["", "/"]), pair)
    const { narrowed, widened } = compare(pair.before, pair.after)
    assert.deepInclude(widened, { who: "anyone", what: "new operations", reaches: ["GET /aB/{p+}"] })
    assert.deepInclude(narrowed, { who: "anyone", what: "operations", reaches: ["GET /ab/{p+}"] })
  })

  it.prop(
    "widens if and only if some caller passes after who did not before",
    [pairs(plainPaths)],
    ([pair]) => agree(callsOf(["a", "b", "z"], [""]), pair),
    { arbitrary: { runs: 2_000 } }
  )

  it.prop(
    "does so with paths of all forms as well",
    [neighbours(formedPaths)],
    ([pair]) => agree(callsOf(formedTexts, ["", "/"]), pair),
    { arbitrary: { runs: 250 } }
  )
})

const plainPaths = ["a", "b", "{x}"].flatMap((one) => [`/${one}`, ...["a", "{y}"].map((two) => `/${one}/${two}`)])

const formedPaths = ["a", "{x}", "aB", "ab", "{x}.a", "{x}:b", "a{x}a"].flatMap((one) =>
  ["", "/", "/{p+}", "/a"].map((end) => `/${one}${end}`)
)

/** Texts of all forms that those and their meetings have. */
const formedTexts = [
  ...new Set(
    ["", "a", "aB", "ab"].flatMap((begin) =>
      ["", "z"].flatMap((middle) => ["", ".a", ":b", "a"].map((end) => `${begin}${middle}${end}`))
    )
  )
].filter((text) => text !== "")

interface Call {
  readonly method: string
  readonly target: string
}

const callsOf = (texts: ReadonlyArray<string>, ends: ReadonlyArray<string>): ReadonlyArray<Call> =>
  texts.flatMap((one) => [`/${one}`, ...["a", "z", ...texts.slice(1, 2)].map((two) => `/${one}/${two}`), `/${one}/z/z`])
    .flatMap((path) => ends.flatMap((end) => ["GET", "POST"].map((method) => ({ method, target: path + end }))))

/** Tests if some caller of some call passes at `after` and not at `before`, judged like this. */
const someGains = (
  calls: ReadonlyArray<Call>,
  before: CheckedCatalogue,
  after: CheckedCatalogue,
  requiredBefore: typeof required
): boolean =>
  calls.some((call) => {
    const [was, is] = [requiredBefore(before, call), required(after, call)]
    return callers(before, after).some((caller) => passes(after, is, caller) && !passes(before, was, caller))
  })

const required = ({ policy }: CheckedCatalogue, { method, target }: Call): Requirement =>
  NaiveMatcher.match(policy.endpoints, method, target)

/** Same for a router to which an upper-case letter has nothing to do with a lower-case one. */
const asWritten: typeof required = ({ policy }, { method, target }) =>
  NaiveMatcher.match(
    policy.endpoints.map((endpoint) => ({ ...endpoint, path: withoutCase(endpoint.path) })),
    method,
    withoutCase(target)
  )

/** Text with a number in place of each upper-case letter, which no path here has. */
const withoutCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `${letter.charCodeAt(0)}`)

type Caller = ReadonlyArray<string> | null | "none"

/** Without a token, with a legacy grant, and with each set of the scopes that are in both. */
const callers = (before: CheckedCatalogue, after: CheckedCatalogue): ReadonlyArray<Caller> => [
  "none",
  null,
  ...namesInBoth(before, after).reduce<ReadonlyArray<ReadonlyArray<string>>>(
    (sets, name) => [...sets, ...sets.map((set) => [...set, name])],
    [[]]
  )
]

const namesInBoth = (before: CheckedCatalogue, after: CheckedCatalogue): ReadonlyArray<string> =>
  before.file.scopes.map(({ name }) => name).filter((name) => after.file.scopes.some((scope) => scope.name === name))

const passes = (catalogue: CheckedCatalogue, requirement: Requirement, caller: Caller): boolean => {
  const covers = (granted: ReadonlyArray<string> | null, needed: string) =>
    granted === null || granted.some((scope) => leads(catalogue, scope, needed))
  return decide(requirement, caller, { covers })._tag === "Allowed"
}

const leads = (catalogue: CheckedCatalogue, from: string, to: string): boolean =>
  from === to ||
  (catalogue.file.scopes.find(({ name }) => name === from)?.implies ?? []).some((next) => leads(catalogue, next, to))

const coversMore = (before: CheckedCatalogue, after: CheckedCatalogue): boolean =>
  namesInBoth(before, after).some((one) =>
    namesInBoth(before, after).some((other) => leads(after, one, other) && !leads(before, one, other))
  )
