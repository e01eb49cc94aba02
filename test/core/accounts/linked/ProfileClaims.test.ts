// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Claims, identityOf } from "../../../../src/core/accounts/linked/ProfileClaims.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"

const read = (claims: Claims, env: Readonly<Record<string, string>> = {}) =>
  identityOf({ issuer: "https://id.platform.test", subject: "1", claims }).pipe(
    Effect.map(({ profile: { decidesForOrganization, ...profile }, roles }) => ({
      profile,
      roles,
      decidesForOrganization
    })),
    Effect.provide(AppConfig.layerTest(env))
  )

describe("The claims of an identity provider", () => {
  it.effect("become a profile by the names of OpenID Connect", () =>
    Effect.gen(function*() {
      const { profile, roles } = yield* read({
        name: "Ann B",
        preferred_username: "ann.b@corp.test",
        email: "ann@corp.test",
        email_verified: true,
        picture: "https://cdn.corp.test/ann.png",
        zoneinfo: "Europe/Rome",
        locale: "it_IT",
        groups: ["staff"]
      })
      assert.deepStrictEqual(profile, {
        name: "Ann B",
        username: "ann.b",
        email: "ann@corp.test",
        avatarUrl: "https://cdn.corp.test/ann.png",
        timeZone: "Europe/Rome",
        locale: "it-IT"
      })
      assert.deepStrictEqual(roles, {})
    }))

  it.effect("become a profile by other names where the settings have them", () =>
    Effect.gen(function*() {
      const { profile } = yield* read(
        { nick: "annie", org: { id: "7" }, clock: "24", zoneinfo: "Europe/Rome", week: "Monday" },
        {
          PROFILE_CLAIMS: "username=nick,organizationId=org.id,timeFormat=clock,timeZone=,weekStart=week"
        }
      )
      assert.deepStrictEqual(profile, { username: "annie", organizationId: 7, timeFormat: 24, weekStart: "Monday" })
    }))

  it.effect("are left out where they do not fit, one by one", () =>
    Effect.gen(function*() {
      const { profile } = yield* read({
        name: "\u200e \u2060",
        email: "nobody",
        email_verified: true,
        picture: "javascript:alert(1)",
        zoneinfo: "Mars/Olympus",
        locale: 7,
        preferred_username: "ann"
      })
      assert.deepStrictEqual(profile, { username: "ann" })
    }))

  it.effect.each([
    { what: "a mark of direction", name: "Ann B\u200e", kept: "Ann B" },
    { what: "a tab and a line break", name: "Ann\tB\r\n", kept: "Ann B" },
    { what: "control characters and half a character", name: "\u0000An\u0007n B\ud83d", kept: "Ann B" },
    { what: "an override of direction", name: "Ann \u202eB\u202c", kept: "Ann B" },
    { what: "what is drawn as nothing", name: "\ufeffA\u00adnn\u200b B\u2800", kept: "Ann B" },
    { what: "a joiner that joins nothing", name: "Ann\u200d B", kept: "Ann B" },
    {
      what: "the spelling of its script",
      name: "\u200e\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
      kept: "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    },
    { what: "an emoji", name: "Ann 👩‍💻\u200e", kept: "Ann 👩‍💻" },
    { what: "too many characters", name: `${"x".repeat(99)} y`, kept: "x".repeat(99) },
    { what: "too many, of which the last is of several parts", name: `${"x".repeat(98)}👩‍💻`, kept: "x".repeat(98) }
  ])("become a name without what no form takes: $what", ({ kept, name }) =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read({ name })).profile, { name: kept })
    }))

  it.effect("become a text of several lines, as long as it may be", () =>
    Effect.gen(function*() {
      const env = { PROFILE_CLAIMS: "bio=about" }
      const bio = (about: string) => Effect.map(read({ about }, env), ({ profile }) => profile.bio)
      assert.strictEqual(yield* bio("Likes\u0000 tea.\n\tAnd\u202e cake."), "Likes tea.\n\tAnd cake.")
      assert.strictEqual(yield* bio("x".repeat(2_000)), "x".repeat(1_000))
    }))

  it.effect("give no address for which the provider does not vouch, and forget one for which it did", () =>
    Effect.gen(function*() {
      const email = "ann@corp.test"
      for (const email_verified of [true, "true"]) {
        assert.deepStrictEqual((yield* read({ email, email_verified })).profile, { email })
      }
      for (const email_verified of [false, "false", 0, 1, "1", "yes", "TRUE", "", {}, [true], null, undefined]) {
        assert.deepStrictEqual(
          (yield* read({ email, email_verified })).profile,
          { email: null },
          String(email_verified)
        )
      }
      assert.deepStrictEqual((yield* read({ email: "", email_verified: true })).profile, { email: null })
      assert.deepStrictEqual((yield* read({ name: "Ann" })).profile, { name: "Ann" })
    }))

  it.effect("vouch for an address by saying nothing where the operator says so", () =>
    Effect.gen(function*() {
      const email = "ann@corp.test"
      const assumed = { EMAIL_VERIFICATION: "assumed" }
      assert.deepStrictEqual((yield* read({ email }, assumed)).profile, { email })
      assert.deepStrictEqual((yield* read({ email, email_verified: null }, assumed)).profile, { email })
      for (const email_verified of [false, "false", 0]) {
        assert.deepStrictEqual((yield* read({ email, email_verified }, assumed)).profile, { email: null })
      }
    }))

  it.effect("vouch for the claim of the address alone, whatever it is called", () =>
    Effect.gen(function*() {
      const profileOf = (claims: Claims, claim: string) =>
        Effect.map(
          read(claims, { PROFILE_CLAIMS: `email=${encodeURIComponent(claim)}` }),
          ({ profile }) => profile.email
        )
      const email = "ann@corp.test"
      assert.isNull(yield* profileOf({ upn: email, email: "other@corp.test", email_verified: true }, "upn"))
      assert.strictEqual(yield* profileOf({ upn: email, upn_verified: true }, "upn"), email)
      const nested = { user: { email, email_verified: true } }
      assert.strictEqual(yield* profileOf(nested, "user.email"), email)
      assert.isNull(yield* profileOf({ ...nested, user: { email } }, "user.email"))
      assert.strictEqual(
        yield* profileOf({ "https://x.test/m": email, "https://x.test/m_verified": true }, "https://x.test/m"),
        email
      )
    }))

  it.effect("say who is an administrator by a value, a list, a name with dots or a claim within another", () =>
    Effect.gen(function*() {
      const administrator = (claims: Claims, claim: string) =>
        Effect.map(read(claims, { ADMINISTRATOR_CLAIM: claim }), ({ roles }) => roles.administrator)
      assert.isTrue(yield* administrator({ role: "boss" }, "role=boss"))
      assert.isTrue(yield* administrator({ groups: ["a", "cn=boss,dc=x"] }, "groups=cn=boss,dc=x"))
      assert.isTrue(yield* administrator({ "https://x.test/role": "boss" }, "https://x.test/role=boss"))
      assert.isTrue(yield* administrator({ realm_access: { roles: ["boss"] } }, "realm_access.roles=boss"))
      assert.isFalse(yield* administrator({ role: "bosses" }, "role=boss"))
      assert.isFalse(yield* administrator({ role: ["not boss"] }, "role=boss"))
      assert.isFalse(yield* administrator({}, "constructor.name=Object"))
      const reviewer = yield* read({ groups: ["reviewers"] }, { REVIEWER_CLAIM: "groups=reviewers" })
      assert.deepStrictEqual(reviewer.roles, { reviewer: true })
    }))

  it.effect("name the organization, or say that the user is in none, where the settings name a claim for it", () =>
    Effect.gen(function*() {
      const nameOf = (claims: Claims) =>
        Effect.map(
          read(claims, { PROFILE_CLAIMS: "organizationName=org.name" }),
          ({ profile }) => profile.organizationName
        )
      const named = (name: unknown) => nameOf({ org: { name } })
      assert.strictEqual(yield* named("Acme"), "Acme")
      assert.strictEqual(yield* named("\u0000Ac\tme \u202e\n"), "Ac me")
      assert.strictEqual(yield* named("x".repeat(300)), "x".repeat(100))
      for (const nothing of [7, {}, ["Acme"], "", "\u202e", null]) assert.isNull(yield* named(nothing))
      assert.isNull(yield* nameOf({}))
      assert.notProperty((yield* read({ org: { name: "Acme" } })).profile, "organizationName")
    }))

  it.effect("say who may decide for the organization, and nobody else may where the settings name a claim for it", () =>
    Effect.gen(function*() {
      const decides = (
        claims: Claims,
        env: Record<string, string> = { ORGANIZATION_DECIDER_CLAIM: "org.roles=owner" }
      ) => Effect.map(read(claims, env), ({ decidesForOrganization }) => decidesForOrganization)
      assert.isTrue(yield* decides({ org: { roles: ["member", "owner"] } }))
      assert.isTrue(yield* decides({ org: { roles: "owner" } }))
      for (const roles of [undefined, null, "owners", [], ["member"], { owner: true }, true]) {
        assert.isFalse(yield* decides({ org: { roles } }))
      }
      assert.isFalse(yield* decides({}))
      assert.isNull(yield* decides({ org: { roles: "owner" } }, {}))
    }))
})
