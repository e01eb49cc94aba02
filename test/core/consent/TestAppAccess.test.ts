import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IdentitySource } from "../../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { TestApps } from "../../../src/core/clients/testapps/TestApps.ts"
import { mostGuests } from "../../../src/core/clients/testapps/TestGuest.ts"
import { TestGuests } from "../../../src/core/clients/testapps/TestGuests.ts"
import { TestInvitations } from "../../../src/core/clients/testapps/TestInvitations.ts"
import { readRequest } from "../../../src/core/consent/AuthorizationRequest.ts"
import { Consent } from "../../../src/core/consent/Consent.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { codesOf, grant, newAccount, newClient, Services } from "../../doors/consent/Scenario.ts"

const redirectUri = "http://127.0.0.1:49152/callback"
const choice = { decision: "allow", ticked: [], end: "server" } as const

/** A user, signed in. */
const person = Effect.fnUntraced(function*(name: string) {
  const id = yield* newAccount(name)
  const account = Option.getOrThrow(yield* (yield* IdentitySource).find(id))
  const sessions = yield* Sessions
  const session = Option.getOrThrow(yield* sessions.find(Redacted.value(yield* sessions.start(id))))
  return { id, account, session }
})
type Person = Effect.Success<ReturnType<typeof person>>

const scene = Effect.gen(function*() {
  const owner = yield* person("owner")
  const { client: app } = yield* newClient(owner.id)
  const { client: test } = yield* (yield* TestApps).make(owner.id, app.id)
  return { owner, app, test, guest: yield* person("guest") }
})

/** Asks as the test app, and allows; answers the scopes of the code, or why there is none. */
const allow = Effect.fnUntraced(
  function*({ account, session }: Person, testId: string, scope = "PROFILE_READ") {
    const consent = yield* Consent
    const registry = yield* ClientRegistry
    const query = new URLSearchParams({ client_id: testId, redirect_uri: redirectUri, scope, prompt: "consent" })
    const sent = yield* Effect.fromResult(readRequest(String(query)))
    const client = Option.getOrThrow(yield* registry.find(testId))
    const asked = yield* consent.authorize({ account, session }, client, sent)
    if (asked._tag === "Redirect") return asked.location
    return yield* consent.decide({ account, session }, asked.id, choice)
  },
  Effect.catchTags({
    NotGuest: () => Effect.succeed("not a guest"),
    Unredirectable: ({ reason }) => Effect.succeed(reason)
  })
)

const getsCode = (location: string) => URL.canParse(location) && new URL(location).searchParams.has("code")

const invite = Effect.fnUntraced(function*(by: UserId, appId: string, named: string) {
  const test = yield* (yield* TestApps).get(by, appId)
  yield* (yield* TestGuests).invite(by, test, named)
})

const dismissAll = Effect.fnUntraced(function*(by: UserId, appId: string) {
  const test = yield* (yield* TestApps).get(by, appId)
  const guests = yield* TestGuests
  for (const { id } of yield* guests.list(test.id)) yield* guests.dismiss(by, test, id)
})

layer(Services)("A test app", (it) => {
  it.effect("is for its owner and for a guest who has accepted, at any port of their machine", () =>
    Effect.gen(function*() {
      const { app, guest, owner, test } = yield* scene
      const invitations = yield* TestInvitations
      assert.isTrue(getsCode(yield* allow(owner, test.id)))
      assert.strictEqual(yield* allow(guest, test.id), "not a guest")
      yield* invite(owner.id, app.id, guest.account.email.toUpperCase())
      assert.strictEqual(yield* allow(guest, test.id), "not a guest")
      assert.deepStrictEqual(
        (yield* invitations.list(guest.account)).map(({ acceptedAt, clientId }) => [clientId, acceptedAt]),
        [[test.id, null]]
      )
      assert.strictEqual(yield* invitations.accept(guest.account, test.id), test.name)
      assert.isTrue(getsCode(yield* allow(guest, test.id)))
      assert.strictEqual(yield* allow(yield* person("stranger"), test.id), "not a guest")
    }))

  it.effect("tells its owner the same of a name that nobody has, of one that is invited and of one that declined", () =>
    Effect.gen(function*() {
      const { app, guest, owner, test } = yield* scene
      const invitations = yield* TestInvitations
      const guests = yield* TestGuests
      yield* invite(owner.id, app.id, "nobody@example.com")
      yield* invite(owner.id, app.id, guest.account.username)
      yield* invitations.decline(guest.account, test.id)
      const told = (yield* guests.list(test.id)).map(({ acceptedAt, named }) => [named, acceptedAt])
      assert.deepStrictEqual(
        told.toSorted(),
        [
          [guest.account.username.toLowerCase(), null],
          ["nobody@example.com", null]
        ].toSorted()
      )
      assert.deepStrictEqual(yield* invitations.list(guest.account), [])
      assert.isUndefined(yield* invitations.accept(guest.account, test.id))
    }))

  it.effect("takes five guests, and no name that is none", () =>
    Effect.gen(function*() {
      const { app, owner } = yield* scene
      for (let at = 0; at < mostGuests; at++) yield* invite(owner.id, app.id, `guest${at}@example.com`)
      // The same once more is none.
      yield* invite(owner.id, app.id, "guest0@example.com")
      assert.propertyVal(yield* Effect.flip(invite(owner.id, app.id, "one-more")), "code", "too_many_guests")
      assert.propertyVal(yield* Effect.flip(invite(owner.id, app.id, "no name")), "code", "invalid_input")
    }))

  it.effect("is not found by an address for which nobody vouches, nor by a user name that looks like one", () =>
    Effect.gen(function*() {
      const { app, guest: { account }, owner } = yield* scene
      const invitations = yield* TestInvitations
      yield* invite(owner.id, app.id, account.email)
      const seenBy = (more: object) => invitations.list(Object.assign(Object.create(account), more))
      assert.lengthOf(yield* seenBy({}), 1)
      assert.lengthOf(yield* seenBy({ emailVerified: false }), 0)
      assert.lengthOf(yield* seenBy({ email: "other@example.com", username: account.email }), 0)
    }))

  it.effect("loses what a guest gave when they are removed, or leave, and keeps others'", () =>
    Effect.gen(function*() {
      const { app, guest, owner, test } = yield* scene
      const grants = yield* Grants
      const invitations = yield* TestInvitations
      const live = (user: Person) => Effect.map(grants.listLive(user.id, test.id), ({ length }) => length)
      for (const end of ["removed", "leaves"] as const) {
        yield* invite(owner.id, app.id, guest.account.email)
        yield* invitations.accept(guest.account, test.id)
        assert.isTrue(getsCode(yield* allow(guest, test.id)))
        yield* grant(guest.id, test.id, ["PROFILE_READ"])
        yield* grant(owner.id, test.id, ["PROFILE_READ"])
        assert.strictEqual(yield* live(guest), 1)
        if (end === "removed") yield* dismissAll(owner.id, app.id)
        else yield* invitations.leave(guest.account, test.id)
        assert.strictEqual(yield* live(guest), 0)
        assert.strictEqual(yield* live(owner), 1 + (end === "removed" ? 0 : 1))
        const { length } = (yield* codesOf(test.id)).filter((code) => "userId" in code && code.userId === guest.id)
        assert.strictEqual(length, 0)
        assert.strictEqual(yield* allow(guest, test.id), "not a guest")
      }
    }))

  it.effect("gets no answer of a guest who was removed while they were asked", () =>
    Effect.gen(function*() {
      const { app, guest: { account, session }, owner, test } = yield* scene
      const consent = yield* Consent
      yield* invite(owner.id, app.id, account.email)
      yield* (yield* TestInvitations).accept(account, test.id)
      const query = new URLSearchParams({ client_id: test.id, redirect_uri: redirectUri, scope: "PROFILE_READ" })
      const client = Option.getOrThrow(yield* (yield* ClientRegistry).find(test.id))
      const sent = yield* Effect.fromResult(readRequest(String(query)))
      const asked = yield* consent.authorize({ account, session }, client, sent)
      yield* dismissAll(owner.id, app.id)
      const question = asked._tag === "Question" ? asked.id : ""
      const refused = yield* Effect.flip(consent.decide({ account, session }, question, choice))
      assert.strictEqual(refused._tag, "NotGuest")
    }))

  it.effect("keeps what it is given for seven days at most, and gets no scope of the highest risk", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { owner, test } = yield* scene
      assert.isTrue(getsCode(yield* allow(owner, test.id)))
      const [code] = yield* sql<{ grantExpiresAt: Date }>`SELECT grant_expires_at FROM codes
        WHERE client_id = ${test.id}`
      const latest = DateTime.toEpochMillis(DateTime.add(yield* DateTime.now, { days: 7 }))
      assert.isAtMost(Math.abs((code?.grantExpiresAt.getTime() ?? 0) - latest), 60_000)
      // As if the catalogue had become stricter since it was made.
      yield* sql`UPDATE clients SET scopes = ARRAY['ORG_MEMBERSHIP_WRITE'] WHERE id = ${test.id}`
      const refused = new URL(yield* allow(owner, test.id, "ORG_MEMBERSHIP_WRITE")).searchParams
      assert.strictEqual(refused.get("error"), "invalid_scope")
    }))

  const Step = Schema.Struct({
    who: Schema.Literals([0, 1, 2]),
    does: Schema.Literals(["invite", "accept", "decline", "leave", "dismiss all", "suspend", "resume", "ask", "ask"])
  })

  it.effect.prop(
    "never gives a code to anybody but its owner and the guests who have accepted",
    [Schema.Array(Step).check(Schema.isMaxLength(25))],
    ([steps]) =>
      Effect.gen(function*() {
        const { app, owner, test } = yield* scene
        const admin = yield* newAccount("admin", "admin")
        const review = yield* ClientReview
        const invitations = yield* TestInvitations
        yield* review.approve(admin, app.id, app.version)
        const people = yield* Effect.all([person("a"), person("b"), person("c")])
        const standing = people.map((): "none" | "invited" | "declined" | "guest" => "none")
        let isSuspended = false
        for (const { does, who } of steps) {
          const { account } = people[who]
          if (does === "invite" && standing[who] === "none") {
            yield* invite(owner.id, app.id, who === 0 ? account.email : account.username)
            standing[who] = "invited"
          } else if (does === "accept" || does === "decline") {
            const answered = yield* invitations[does](account, test.id)
            assert.strictEqual(answered !== undefined, standing[who] === "invited")
            if (answered !== undefined) standing[who] = does === "accept" ? "guest" : "declined"
          } else if (does === "leave") {
            const left = yield* invitations.leave(account, test.id)
            assert.strictEqual(left !== undefined, standing[who] === "guest")
            if (left !== undefined) standing[who] = "none"
          } else if (does === "dismiss all") {
            yield* dismissAll(owner.id, app.id)
            standing.fill("none")
          } else if (does === "suspend" && !isSuspended) {
            yield* review.suspend(admin, app.id, "Abuse.")
            isSuspended = true
          } else if (does === "resume" && isSuspended) {
            yield* review.resume(admin, app.id)
            isSuspended = false
          } else if (does === "ask") {
            const got = getsCode(yield* allow(people[who], test.id))
            assert.strictEqual(got, standing[who] === "guest" && !isSuspended)
          }
        }
        assert.strictEqual(getsCode(yield* allow(owner, test.id)), !isSuspended)
      }),
    { arbitrary: { runs: 25 } }
  )
})
