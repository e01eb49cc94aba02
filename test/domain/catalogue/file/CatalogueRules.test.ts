import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { check } from "../../../../src/domain/catalogue/file/CatalogueRules.ts"
import { problemsOf, small } from "./SmallCatalogue.ts"

type Case = readonly [values: Readonly<Record<string, unknown>>, ...problems: ReadonlyArray<string>]

const finds = (cases: ReadonlyArray<Case>) => () => {
  for (const [values, ...problems] of cases) {
    assert.deepStrictEqual(problemsOf(values), problems, JSON.stringify(values))
  }
}

const badName = "must be 1 to 64 characters of a scope (RFC 6749 §3.3), without a comma, an asterisk and quotes"

describe("the rules of a catalogue", () => {
  it("are kept by the small one", () => {
    const { closure, file, policy, warnings } = Result.getOrThrow(check(small))
    assert.deepStrictEqual(file, small)
    assert.deepStrictEqual(warnings, [])
    assert.deepStrictEqual([...closure.get("contacts.write") ?? []], ["contacts.read"])
    assert.strictEqual(
      JSON.stringify(policy.match("PUT", "/api/contacts/7")),
      "{\"scope\":\"contacts.write\",\"_tag\":\"Scope\"}"
    )
  })

  it(
    "find unknown and missing keys, and values of another kind, with a proposal",
    finds([
      [{ "scopes.0.titel": "x" }, "scopes[0].titel: \"titel\" is no key here. Call it \"title\" if that is meant."],
      [{ extra: 1 }, "extra: \"extra\" is no key here."],
      [{ "api.account": undefined }, "api.account: is required"],
      [
        { "scopes.0.access": "raed" },
        "scopes[0].access: must be \"read\" or \"write\". Call it \"read\" if that is meant."
      ],
      [{ "scopes.1.title": 7 }, "scopes[1].title: must be a string or an object"],
      [{ "operations.0": "GET /api" }, "operations[0]: must be an object"],
      [{ scopes: {} }, "scopes: must be a list"],
      [{ "samples.demo": [] }, "samples.demo: must name a scope at least"],
      [
        { "operations.4.method": "get" },
        "operations[4].method: must be \"GET\", \"POST\", \"PUT\", \"PATCH\" or \"DELETE\". Call it \"GET\" if that is meant."
      ]
    ])
  )

  it(
    "find all that is wrong at once, also in an entry that is out of shape elsewhere",
    finds([[
      {
        "scopes.0.titel": "x",
        "scopes.2.implies": ["contact.read"],
        "operations.3.scope": "member",
        "levels.0.titel": "You"
      },
      "levels[0].titel: \"titel\" is no key here. Call it \"title\" if that is meant.",
      "scopes[0].titel: \"titel\" is no key here. Call it \"title\" if that is meant.",
      "scopes[2].implies[0]: \"contact.read\" is no scope here. Call it \"contacts.read\" if that is meant.",
      "operations[3].scope: \"member\" is no scope here. Call it \"members\" if that is meant."
    ]])
  )

  it("take every name of RFC 6749 §3.3 but for commas, asterisks and quotes, and none that programs have", () => {
    for (
      const name of ["a", "A".repeat(64), "https://api.example/auth/calendar.events", "x!#$%&()+-./:;<=>?@[]^_{|}~9"]
    ) {
      assert.deepStrictEqual(problemsOf({ "scopes.3.name": name, "operations.3.scope": name }), [], name)
    }
    for (
      const name of [
        "",
        "A".repeat(65),
        "a b",
        "a,b",
        "*",
        "a*",
        "a\"",
        "'a",
        "`",
        "a\\b",
        "ä",
        "a\n",
        "\u0000",
        "\u007f"
      ]
    ) {
      assert.include(problemsOf({ "scopes.3.name": name }), `scopes[3].name: ${badName}`, JSON.stringify(name))
    }
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "null", "undefined"]) {
      assert.deepStrictEqual(problemsOf({ "scopes.3.name": name, "operations.3.scope": name }), [
        "scopes[3].name: is a word that programs take for something else"
      ], name)
    }
  })

  it(
    "find names that are there already, or differ by case alone",
    finds([
      [
        { "scopes.2.name": "contacts.read", "operations.2.scope": "members" },
        "scopes[2].name: \"contacts.read\" is the name of scopes[1] already",
        "scopes[2].implies: contacts.read → contacts.read go round in a circle"
      ],
      [
        { "scopes.2.name": "Contacts.Read", "operations.2.scope": "members" },
        "scopes[2].name: \"Contacts.Read\" differs from \"contacts.read\" of scopes[1] by case alone"
      ],
      [
        { "levels.1.id": "own", "scopes.3.level": "own" },
        "levels[1].id: \"own\" is the id of levels[0] already"
      ],
      [
        {
          "levels.0.id": "unknown",
          "scopes.0.level": "unknown",
          "scopes.1.level": "unknown",
          "scopes.2.level": "unknown"
        },
        "levels[0].id: \"unknown\" is the level of scopes that a catalogue does not know"
      ]
    ])
  )

  it(
    "find texts that a page cannot show, and titles that say the same",
    finds([
      [
        { "scopes.1.title": "See who you are" },
        "scopes[1].title: \"See who you are\" is the title of scopes[0] already"
      ],
      [
        { "scopes.0.title": { en: "A", de: "Sieh" }, "scopes.1.title": { en: "B", de: "Sieh" } },
        "scopes[1].title: \"Sieh\" is the title of scopes[0] already"
      ],
      [{ "scopes.1.title": "x".repeat(81) }, "scopes[1].title: must have at most 80 characters"],
      [{ "scopes.1.covers": "x".repeat(301) }, "scopes[1].covers: must have at most 300 characters"],
      [{ "scopes.1.title": "a\nb" }, "scopes[1].title: must be one line, without blanks at its ends"],
      [{ "scopes.1.title": " " }, "scopes[1].title: must be one line, without blanks at its ends"],
      [{ "scopes.1.title": "a\u202eb" }, "scopes[1].title: must not contain control characters"],
      [{ "scopes.1.title": { de: "Sieh" } }, "scopes[1].title.en: is required"],
      [{ "scopes.1.title": { en: "A", de_DE: "B" } }, "scopes[1].title.de_DE: is no language tag (BCP 47)"],
      [
        { "scopes.1.title": { en: "A", "en-x": "B" } },
        "scopes[1].title: has \"en-x\", which is no language tag (BCP 47)"
      ],
      [{ "scopes.1.title": { en: "A", de: "B", DE: "C" } }, "scopes[1].title: has the language \"DE\" twice"],
      [{ "scopes.1.title": { en: "A", "zh-Hant-TW": "B" } }]
    ])
  )

  it(
    "find what is named and is not there",
    finds([
      [
        { "scopes.3.level": "worksapce" },
        "scopes[3].level: \"worksapce\" is no level here. Call it \"workspace\" if that is meant."
      ],
      [{ "profile.scope": "account" }, "profile.scope: \"account\" is no scope here."],
      [
        { "samples.tests": ["acount.read"] },
        "samples.tests[0]: \"acount.read\" is no scope here. Call it \"account.read\" if that is meant."
      ],
      [{ "samples.demo": ["members", "members"] }, "samples.demo[1]: \"members\" comes twice"],
      [
        { "operations.0.scope": "ACCOUNT.READ" },
        "operations[0].scope: \"ACCOUNT.READ\" is no scope here. Call it \"account.read\" if that is meant."
      ]
    ])
  )

  const areas = [{ id: "contacts", title: "Contacts" }, { id: "people", title: { en: "People", de: "Leute" } }]
  const about = { areas, "scopes.1.area": "contacts", "scopes.3.area": "people" }

  it(
    "find areas that are not there, come twice or have no scope, and what reading cannot do",
    finds([
      [about],
      [{ ...about, "scopes.3.admits": true, "scopes.2.forwards": true, "scopes.1.sensitive": true }],
      [{ "scopes.1.area": "contacts" }, "scopes[1].area: \"contacts\" is no area here."],
      [
        { ...about, "scopes.1.area": "contact" },
        "scopes[1].area: \"contact\" is no area here. Call it \"contacts\" if that is meant."
      ],
      [
        { ...about, "areas.0.id": "1" },
        "areas[0].id: must be a letter, and then at most 63 letters, digits, - and _",
        "scopes[1].area: \"contacts\" is no area here."
      ],
      [
        { ...about, "areas.0.titel": "x" },
        "areas[0].titel: \"titel\" is no key here. Call it \"title\" if that is meant."
      ],
      [{ ...about, areas: {} }, "areas: must be a list"],
      [
        { ...about, "areas.2": { id: "People", title: "Leute" } },
        "areas[2].id: \"People\" differs from \"people\" of areas[1] by case alone"
      ],
      [
        { ...about, "areas.2": { id: "all", title: { en: "All", de: "Leute" } } },
        "areas[2].title: \"Leute\" is the title of areas[1] already"
      ],
      [{ ...about, "areas.2": { id: "all", title: "All" } }, "warning: areas[2]: no scope is of the area \"all\""],
      [
        { ...about, "areas.0.title": "TODO", "levels.0.reach": "TODO" },
        "warning: levels[0].reach: says TODO: write what people are to read",
        "warning: areas[0].title: says TODO: write what people are to read"
      ],
      [
        { "scopes.0.admits": true, "scopes.1.forwards": true },
        "scopes[0].admits: is what only a scope that writes can do",
        "scopes[1].forwards: is what only a scope that writes can do"
      ]
    ])
  )

  it(
    "find circles, each written out",
    finds([
      [
        { "scopes.1.implies": ["contacts.write"] },
        "scopes[2].implies: contacts.read → contacts.write → contacts.read go round in a circle"
      ],
      [{ "scopes.0.implies": ["account.read"] }, "scopes[0].implies: account.read → account.read go round in a circle"],
      [
        {
          "scopes.0.implies": ["contacts.write"],
          "scopes.1.implies": ["account.read"],
          "scopes.3.implies": ["account.read", "members"]
        },
        "scopes[1].implies: account.read → contacts.write → contacts.read → account.read go round in a circle",
        "scopes[3].implies: members → members go round in a circle"
      ]
    ])
  )

  const retired = { name: "crm", level: "own", access: "write", title: "Use it", covers: "Everything of yours." }
  const old = (values: object) => ({ "scopes.4": { ...retired, retired: { since: "2027-01-31", ...values } } })

  it(
    "find a retired scope that stands for more than it did, or is needed all the same",
    finds([
      [old({})],
      [old({ until: "2027-06-30", standsFor: ["contacts.read", "contacts.write"] })],
      [old({ since: "2027-02-30" }), "scopes[4].retired.since: is a day that no calendar has"],
      [old({ since: "31.1.2027" }), "scopes[4].retired.since: must be a date such as 2027-01-31"],
      [old({ until: "2026-12-31" }), "scopes[4].retired: must not end (\"until\") before it begins"],
      [
        old({ standsFor: ["contact.read"] }),
        "scopes[4].retired.standsFor[0]: \"contact.read\" is no scope here. Call it \"contacts.read\" if that is meant."
      ],
      [
        old({ standsFor: ["members"] }),
        "scopes[4].retired.standsFor[0]: \"members\" reaches the level \"workspace\", which \"crm\" did not"
      ],
      [
        { "scopes.4": { ...retired, access: "read", retired: { since: "2027-01-31", standsFor: ["contacts.write"] } } },
        "scopes[4].retired.standsFor[0]: \"contacts.write\" writes, which \"crm\" did not"
      ],
      [
        { ...old({ standsFor: ["contacts.write"] }), "scopes.2.removes": true },
        "scopes[4].retired.standsFor[0]: \"contacts.write\" removes, which \"crm\" did not"
      ],
      [
        { ...old({ standsFor: ["contacts.write"] }), "scopes.2.implies": ["contacts.read", "members"] },
        "scopes[4].retired.standsFor[0]: \"members\" reaches the level \"workspace\", which \"crm\" did not"
      ],
      [
        { ...old({ standsFor: ["contacts.read"] }), "scopes.1.implies": ["crm"] },
        "scopes[4].retired.standsFor: contacts.read → crm → contacts.read go round in a circle"
      ],
      [
        { ...old({ standsFor: ["contacts.read", "contacts.write"] }), "operations.0.scope": "crm" },
        "operations[0].scope: \"crm\" is retired. It stands for \"contacts.read\" and \"contacts.write\"."
      ],
      [{ ...old({}), "profile.scope": "crm" }, "profile.scope: \"crm\" is retired."],
      [{ ...old({}), "samples.demo": ["crm"] }, "samples.demo[0]: \"crm\" is retired."]
    ])
  )

  it(
    "find operations that say too little, too much, or the same as another",
    finds([
      [{ "operations.0.scope": undefined }, "operations[0]: \"scope\" needs one of \"scope\", \"anyOf\" and \"allOf\""],
      [
        { "operations.0.anyOf": ["members"] },
        "operations[0]: \"scope\" takes one of \"scope\", \"anyOf\" and \"allOf\", and no more"
      ],
      [{ "operations.4.scope": "members" }, "operations[4]: \"public\" takes no \"scope\""],
      [
        { "operations.4.access": "closed", "operations.4.allOf": ["members"] },
        "operations[4]: \"closed\" takes no \"allOf\""
      ],
      [{ "operations.4.neverForApps": "billing" }, "operations[4]: \"public\" takes no \"neverForApps\""],
      [{ "operations.4.access": "closed", "operations.4.neverForApps": "billing" }],
      [{ "operations.0.scope": undefined, "operations.0.anyOf": ["members", "account.read"] }],
      [
        { "operations.0.scope": undefined, "operations.0.allOf": ["members", "acount.read", "members"] },
        "operations[0].allOf[1]: \"acount.read\" is no scope here. Call it \"account.read\" if that is meant.",
        "operations[0].allOf[2]: \"members\" comes twice"
      ],
      [{ "operations.4.path": "/api/Status", "operations.4.case": "exact" }],
      [{ "operations.4.path": "/api/files/{path+}" }],
      [{ "operations.4.path": "api/status" }, "operations[4]: the path \"api/status\" must start with a slash"],
      [
        { "operations.4.path": "/api/account" },
        "operations[4]: GET /api/account matches the same paths as operations[0]"
      ],
      [
        { "operations.4": { method: "PUT", path: "/api/{what}/me", access: "scope", scope: "members" } },
        "operations[4]: PUT /api/{what}/me is ambiguous with operations[2]: both match /api/contacts/me"
      ]
    ])
  )

  it(
    "warn of what can be used and is probably not meant",
    finds([
      [
        { operations: small.operations.toSpliced(3, 1) },
        "warning: scopes[3]: no operation needs \"members\""
      ],
      [
        {
          "scopes.1.title": "TODO",
          "scopes.2.title": "TODO",
          "api.name": "The TODO API",
          "levels.0.title": { en: "You", de: "TODO" }
        },
        "warning: api.name: says TODO: write what people are to read",
        "warning: levels[0].title: says TODO: write what people are to read",
        "warning: scopes[1].title: says TODO: write what people are to read",
        "warning: scopes[2].title: says TODO: write what people are to read"
      ]
    ])
  )

  it("warn of names that make the metadata longer than 4 kB", () => {
    const many = Array.from(
      { length: 70 },
      (_, at) => ({ ...small.scopes[1], name: `${"n".repeat(60)}${at}`, title: `${at}` })
    )
    const [warning] = problemsOf({
      scopes: [...small.scopes, ...many],
      operations: [
        ...small.operations,
        ...many.map(({ name }, at) => ({ method: "GET", path: `/api/${at}`, access: "scope", scope: name }))
      ]
    })
    assert.strictEqual(warning, "warning: scopes: all names together take 4599 bytes of the metadata, more than 4096")
  })

  it("read format 1, and say of another one nothing else", () => {
    assert.deepStrictEqual(problemsOf({ format: 2, scopes: 3 }), ["format: is 2, and this release reads format 1"])
    assert.deepStrictEqual(problemsOf({ format: "1" }), ["format: must be 1"])
    assert.deepStrictEqual(problemsOf({ format: undefined }), ["format: is required"])
    for (const value of [null, 7, "x", [], [small]]) {
      const checked = check(value)
      assert.deepStrictEqual(Result.isFailure(checked) && checked.failure, [{
        place: "",
        problem: "must be an object"
      }])
    }
  })

  it("set limits, beyond which nothing is compared", () => {
    const scopes = Array.from({ length: 501 }, (_, at) => ({ ...small.scopes[1], name: `s${at}`, title: `${at}` }))
    assert.deepStrictEqual(problemsOf({ scopes }), ["scopes: has 501 entries, more than 500"])
    assert.deepStrictEqual(
      problemsOf({ areas: Array.from({ length: 51 }, (_, at) => ({ id: `a${at}`, title: `${at}` })) }),
      [
        "areas: has 51 entries, more than 50"
      ]
    )
    assert.deepStrictEqual(problemsOf({ operations: Array.from({ length: 10_001 }, () => small.operations[0]) }), [
      "operations: has 10001 entries, more than 10000"
    ])
  })

  it("take as much as the limits allow", () => {
    const scopes = Array.from({ length: 500 }, (_, at) => ({
      ...small.scopes[1],
      name: `s${at}`,
      title: `See ${at}`,
      implies: at === 0 ? [] : [`s${at - 1}`]
    }))
    const operations = Array.from({ length: 10_000 }, (_, at) => ({
      method: at % 2 === 0 ? "GET" : "PUT",
      path: `/api/r${at >> 2}/${at % 4 < 2 ? "{id}" : "all"}`,
      access: "scope",
      scope: `s${at % 500}`
    }))
    const samples = { demo: ["s0"], tests: ["s0"] }
    const { closure, policy } = Result.getOrThrow(
      check({ ...small, scopes, operations, samples, profile: { scope: "s0" } })
    )
    assert.strictEqual(closure.get("s499")?.size, 499)
    assert.lengthOf(policy.endpoints, 10_000)
  }, 60_000)
})
