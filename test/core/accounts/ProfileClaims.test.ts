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
        picture: "javascript:alert(1)",
        zoneinfo: "Mars/Olympus",
        locale: 7,
        preferred_username: "ann"
      })
      assert.deepStrictEqual(profile, { username: "ann" })
    }))

  it.effect("give no address that the provider has not verified, if it says so", () =>
    Effect.gen(function*() {
      const email = "ann@corp.test"
      assert.deepStrictEqual((yield* read({ email, email_verified: false })).profile, {})
      assert.deepStrictEqual((yield* read({ email, email_verified: true })).profile, { email })
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
