// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Claims, identityOf } from "../../../src/core/accounts/ProfileClaims.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"

const read = (claims: Claims, env: Readonly<Record<string, string>> = {}) =>
  identityOf({ issuer: "https://id.platform.test", subject: "1", claims }).pipe(
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
        name: "x".repeat(101),
        email: "nobody",
        email_verified: true,
        picture: "javascript:alert(1)",
        zoneinfo: "Mars/Olympus",
        locale: 7,
        preferred_username: "ann"
      })
      assert.deepStrictEqual(profile, { username: "ann" })
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
})
