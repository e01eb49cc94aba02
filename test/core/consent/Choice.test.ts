import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import { Account } from "../../../src/core/accounts/people/Account.ts"
import { readRequest } from "../../../src/core/consent/AuthorizationRequest.ts"
import { type Choice, judge } from "../../../src/core/consent/Choice.ts"
import { declinableOf } from "../../../src/core/consent/Given.ts"
import { givenBefore } from "../../../src/core/consent/PriorConsent.ts"
import { withheldFrom } from "../../../src/core/consent/Withheld.ts"
import type { Grant } from "../../../src/core/grants/Grant.ts"
import { builtIn, make } from "../../../src/domain/catalogue/Catalogue.ts"
import { GrantId } from "../../../src/domain/Ids.ts"
import type { ScopeName } from "../../../src/domain/scopes/Scope.ts"
import { app as anyClient, query } from "./Fixture.ts"

const catalogue = builtIn()
const now = DateTime.makeUnsafe("2026-03-03T10:00:00Z")
const sent = Result.getOrThrow(readRequest(query()))
const tomorrow = DateTime.add(now, { days: 1 })

/** An app with these scopes, of which some are optional. */
const appWith = (scopes: ReadonlyArray<ScopeName>, optionalScopes: ReadonlyArray<ScopeName>) =>
  anyClient({ scopes, optionalScopes })

const allow = (ticked: ReadonlyArray<string>, changes: Partial<Choice> = {}): Choice => ({
  decision: "allow",
  ticked,
  end: "server",
  ...changes
})

/** A live grant. */
const grantOf = (scopes: Grant["scopes"], declined: Grant["declined"] = null, expiresAt = tomorrow): Grant => ({
  id: GrantId.make("018f0000-0000-7000-8000-000000000000"),
  handleDigest: new Uint8Array(32),
  clientId: anyClient().id,
  userId: anyClient().ownerId,
  scopes,
  resource: null,
  declined,
  browser: null,
  place: null,
  generation: 0,
  createdAt: now,
  rotatedAt: now,
  expiresAt,
  revokedAt: null,
  imported: null
})

/** Outcome of a choice: what is given, or why nothing is. */
const outcome = (
  app: ReturnType<typeof appWith>,
  scopes: ReadonlyArray<ScopeName>,
  choice: Choice,
  grants: ReadonlyArray<Grant> = [],
  offered = declinableOf(catalogue, app, scopes),
  isWithheld: (scopes: Grant["scopes"]) => boolean = () => false
) => {
  const judged = judge(catalogue, app, { scopes, offered, isWithheld }, choice, grants, now)
  return Result.isSuccess(judged) ? judged.success : judged.failure._tag
}

/** A user of whom the platform says this. */
const user = (decidesForOrganization: boolean | null | undefined) =>
  new Account({
    id: anyClient().ownerId,
    email: "",
    username: "ann",
    name: "Ann",
    role: "user",
    avatarUrl: null,
    bio: null,
    timeFormat: 24,
    defaultScheduleId: null,
    weekStart: "Monday",
    timeZone: "Europe/Rome",
    locale: "",
    organizationId: null,
    ...(decidesForOrganization === undefined ? {} : { decidesForOrganization }),
    createdAt: now
  })

const noClaim = { organizationDeciderClaim: Option.none() }
const claim = { organizationDeciderClaim: Option.some({ claim: "org_role", value: "owner" }) }

/** What a later request gets without a question. */
const later = (app: ReturnType<typeof appWith>, scopes: ReadonlyArray<ScopeName>, grants: ReadonlyArray<Grant>) =>
  givenBefore(
    catalogue,
    app,
    sent,
    { clientId: app.id, redirectUri: "", scopes, resource: null, state: null, codeChallenge: null },
    grants
  )

describe("What a user allows", () => {
  const scopes = ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"]
  const app = appWith(scopes, ["BOOKING_READ", "BOOKING_WRITE"])

  it("is what is required and what is ticked, and never more", () => {
    assert.deepStrictEqual(outcome(app, scopes, allow(["BOOKING_READ"])), {
      scopes: ["BOOKING_READ", "PROFILE_READ"],
      declined: ["BOOKING_WRITE"],
      expiresAt: null
    })
    assert.deepInclude(outcome(app, ["PROFILE_READ"], allow(scopes)), { scopes: ["PROFILE_READ"], declined: null })
  })

  it("lets the app only see, where its user says so", () => {
    assert.deepInclude(outcome(app, scopes, allow(scopes, { decision: "see" })), {
      scopes: ["BOOKING_READ", "PROFILE_READ"],
      declined: ["BOOKING_WRITE"]
    })
  })

  it("is a mistake where it is nothing, and leaves the question open", () => {
    assert.strictEqual(outcome(app, ["BOOKING_READ"], allow([])), "NothingChosen")
  })

  it("has no scope that brings a declined one with it", () => {
    const both = ["ORG_BOOKING_READ", "PROFILE_READ", "TEAM_BOOKING_READ"]
    const team = appWith(both, ["ORG_BOOKING_READ", "TEAM_BOOKING_READ"])
    assert.deepInclude(outcome(team, both, allow(["ORG_BOOKING_READ"])), { scopes: ["PROFILE_READ"] })
    assert.deepInclude(outcome(team, both, allow(["TEAM_BOOKING_READ"])), {
      scopes: ["PROFILE_READ", "TEAM_BOOKING_READ"]
    })
  })

  it("ends after a day or 30 days, or when the server ends it", () => {
    const endOf = (end: Choice["end"]) => outcome(app, scopes, allow(scopes, { end }))
    assert.deepInclude(endOf("day"), { expiresAt: tomorrow })
    assert.deepInclude(endOf("month"), { expiresAt: DateTime.add(now, { days: 30 }) })
    assert.deepInclude(endOf("server"), { expiresAt: null })
  })

  it("is not given where the app requires by now what was unticked", () => {
    const stricter = appWith(scopes, ["BOOKING_READ"])
    const offered = ["BOOKING_READ", "BOOKING_WRITE"]
    assert.strictEqual(outcome(stricter, scopes, allow(["BOOKING_READ"]), [], offered), "AccessDenied")
  })

  it("may stay what it is, if the app does without the rest", () => {
    const held = grantOf(["BOOKING_READ", "PROFILE_READ"])
    assert.deepStrictEqual(outcome(app, scopes, allow([], { decision: "keep" }), [held]), {
      scopes: ["BOOKING_READ", "PROFILE_READ"],
      declined: ["BOOKING_WRITE"],
      expiresAt: tomorrow
    })
    const strict = appWith(scopes, [])
    assert.strictEqual(outcome(strict, scopes, allow([], { decision: "keep" }), [held]), "AccessDenied")
    assert.strictEqual(outcome(app, scopes, allow([], { decision: "keep" })), "AccessDenied")
  })
})

describe("A request after a consent", () => {
  const scopes = ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"]
  const app = appWith(scopes, ["BOOKING_WRITE"])
  const declining = grantOf(["BOOKING_READ", "PROFILE_READ"], ["BOOKING_WRITE"])

  it("is answered by it with what was given, its end, and what was declined", () => {
    assert.deepStrictEqual(later(app, scopes, [declining]), {
      scopes: ["BOOKING_READ", "PROFILE_READ"],
      declined: ["BOOKING_WRITE"],
      expiresAt: tomorrow
    })
  })

  it("is asked about where it has something new, or what was declined is required by now", () => {
    assert.isUndefined(later(appWith([...scopes, "SCHEDULE_READ"], ["BOOKING_WRITE"]), [...scopes, "SCHEDULE_READ"], [
      declining
    ]))
    assert.isUndefined(later(appWith(scopes, []), scopes, [declining]))
    assert.isUndefined(later(app, ["BOOKING_WRITE"], [declining]))
  })

  it("gets nothing from an older consent that was declined since", () => {
    const everything = grantOf(null)
    assert.deepInclude(later(app, scopes, [declining, everything]), { scopes: ["BOOKING_READ", "PROFILE_READ"] })
    const more = appWith([...scopes, "SCHEDULE_READ"], ["BOOKING_WRITE"])
    assert.deepInclude(later(more, [...scopes, "SCHEDULE_READ"], [declining, everything]), {
      scopes: ["BOOKING_READ", "PROFILE_READ", "SCHEDULE_READ"]
    })
  })
})

/** Two pairs of scopes of which one implies the other, and two alone: few, so that their combinations meet. */
const pool = [
  "TEAM_BOOKING_READ",
  "TEAM_BOOKING_WRITE",
  "ORG_BOOKING_READ",
  "ORG_BOOKING_WRITE",
  "PROFILE_READ",
  "APPS_WRITE"
]

/** Some scopes of the pool, each as a bit. */
const Some = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** pool.length - 1 }))
const named = (bits: number): ReadonlyArray<ScopeName> =>
  catalogue.inOrder(pool.filter((_, place) => (bits >> place) % 2 === 1))

describe("No combination of optional, implied and earlier rights", () => {
  const Step = Schema.Struct({ asked: Some, optional: Some, ticked: Some, decision: Schema.Literals(["allow", "see"]) })

  it.prop(
    "yields more than was ticked, whatever was decided before",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(4)), last: Some, optional: Some },
    ({ last, optional, steps }) => {
      const registered = named(steps.reduce((bits, { asked }) => bits | asked, last))
      /** Last word of the user on each scope: whether an app may use it. */
      const word = new Map<ScopeName, boolean>()
      let grants: ReadonlyArray<Grant> = []
      for (const step of steps) {
        const app = appWith(registered, named(step.optional).filter((scope) => registered.includes(scope)))
        const asked = named(step.asked)
        const ticked = named(step.ticked)
        const offered = declinableOf(catalogue, app, asked)
        const given = outcome(app, asked, allow(ticked, { decision: step.decision }), grants, offered)
        if (typeof given === "string" || given.scopes === null) continue
        const required = asked.filter((scope) => !offered.includes(scope))
        const unticked = offered.filter((scope) =>
          !ticked.includes(scope) || step.decision === "see" && catalogue.isWrite(scope)
        )
        const allowed = [...required, ...ticked.filter((scope) => asked.includes(scope))]
        for (const name of catalogue.names) {
          if (!catalogue.covers(given.scopes, name)) continue
          assert.isTrue(catalogue.covers(allowed, name), `${name} was neither required nor ticked`)
          assert.notInclude(unticked, name)
          word.set(name, true)
        }
        for (const name of unticked) word.set(name, false)
        grants = [grantOf(given.scopes, given.declined), ...grants]
      }
      const app = appWith(registered, named(optional).filter((scope) => registered.includes(scope)))
      const silent = later(app, named(last), grants)
      for (const name of catalogue.names) {
        if (silent !== undefined && catalogue.covers(silent.scopes, name)) {
          assert.isTrue(word.get(name), `${name} was declined, or never given`)
        }
      }
    },
    { arbitrary: { runs: 1_000 } }
  )
})

describe("A user who may not decide for their organization", () => {
  const withheld = withheldFrom(user(false), noClaim)
  const isWithheld = (scopes: Grant["scopes"]) => withheld(catalogue, scopes)

  it("is one of whom the platform says so, or where a claim says who may, all others", () => {
    const decides = (says: boolean | null | undefined, settings: Parameters<typeof withheldFrom>[1]) =>
      !withheldFrom(user(says), settings)(catalogue, ["ORG_MEMBERSHIP_WRITE"])
    assert.deepStrictEqual([undefined, null, true, false].map((says) => decides(says, noClaim)), [
      true,
      true,
      true,
      false
    ])
    assert.deepStrictEqual([undefined, null, true, false].map((says) => decides(says, claim)), [
      false,
      false,
      true,
      false
    ])
  })

  it("can't give what is of the highest risk and the organization's, and everything else", () => {
    const risky = catalogue.names.filter((scope) => catalogue.riskOf(scope) === 3 && scope.startsWith("ORG_"))
    assert.isAbove(risky.length, 5)
    assert.deepStrictEqual(catalogue.names.filter((scope) => isWithheld([scope])), risky)
    // Who belongs to a team is the team's business.
    assert.strictEqual(catalogue.riskOf("TEAM_MEMBERSHIP_WRITE"), 3)
    assert.isFalse(isWithheld(["TEAM_MEMBERSHIP_WRITE", "ORG_PROFILE_READ"]))
    assert.isTrue(isWithheld(["NO_SUCH_SCOPE"]))
    assert.isTrue(isWithheld(null))
  })

  it("can't give a scope that brings such a one with it, and may give everything where nothing reaches everyone", () => {
    const { file } = catalogue
    const scopes = file.scopes.map((scope) =>
      scope.name === "PROFILE_WRITE" ? { ...scope, implies: ["ORG_BOOKING_WRITE"] } : scope
    )
    assert.isTrue(withheld(make({ ...file, scopes }), ["PROFILE_WRITE"]))
    const levels = file.levels.map((level) => ({ ...level, everyone: false }))
    assert.isFalse(withheld(make({ ...file, levels }), null))
  })

  const risky = [...pool, "ORG_MEMBERSHIP_WRITE", "NO_SUCH_SCOPE"]
  const Many = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** risky.length - 1 }))
  const pick = (bits: number) => catalogue.inOrder(risky.filter((_, place) => (bits >> place) % 2 === 1))

  it.prop(
    "gives none of it, whatever a form says, but what the app has already",
    {
      asked: Schema.NullOr(Many),
      optional: Many,
      offered: Many,
      ticked: Many,
      had: Schema.Array(Schema.NullOr(Many)).check(Schema.isMaxLength(2)),
      decision: Schema.Literals(["allow", "see", "keep", "deny"])
    },
    ({ asked, decision, had, offered, optional, ticked }) => {
      const scopes = asked === null ? null : pick(asked)
      const grants = had.map((bits) => grantOf(bits === null ? null : pick(bits)))
      const judged = judge(
        catalogue,
        appWith(risky, pick(optional)),
        { scopes, offered: pick(offered), isWithheld },
        allow(pick(ticked), { decision }),
        grants,
        now
      )
      if (Result.isFailure(judged)) return
      const given = judged.success.scopes
      if (given === null) return assert.isTrue(decision === "keep" && grants.some(({ scopes }) => scopes === null))
      for (const name of [...catalogue.names, "NO_SUCH_SCOPE"]) {
        if (!catalogue.covers(given, name) || !isWithheld([name])) continue
        assert.strictEqual(decision, "keep")
        assert.isTrue(grants.some((grant) => catalogue.covers(grant.scopes, name)), name)
      }
    },
    { arbitrary: { runs: 1_000 } }
  )
})
