import { assert, it, layer } from "@effect/vitest"
import { Cause, Effect, Fiber, Predicate } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { Worker } from "node:worker_threads"
import { vi } from "vitest"
import { start, TestServer, TestServerStopped } from "../../src/testing.ts"
import { Users } from "../app/examples/OwnUsers.ts"

/** Status of an API call. */
const call = Effect.fnUntraced(function*(accessToken: string) {
  const slotkey = yield* TestServer
  return (yield* slotkey.fetch("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })).status
})

layer(TestServer.layer())("the test kit", (it) => {
  it.effect("issues tokens to an app that a user allows, until they expire by the clock of the test", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const { accessToken, refreshToken, scopes, user } = yield* slotkey.tokens({ scopes: ["PROFILE_READ"] })
      assert.deepStrictEqual(scopes, ["PROFILE_READ"])
      assert.match(refreshToken, /^slk_refresh_/)
      const response = yield* slotkey.fetch("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })
      assert.include(yield* Effect.promise(() => response.text()), user.email)
      yield* TestClock.adjust("31 minutes")
      assert.strictEqual(yield* call(accessToken), 401)
    }))

  it.effect("registers an app for the scopes that a test asks for, and lets it ask for one that there is not", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const { app, scopes } = yield* slotkey.tokens({ scopes: ["ORG_WEBHOOK_READ"] })
      assert.deepStrictEqual(scopes, ["ORG_WEBHOOK_READ"])
      assert.sameMembers([...app.scopes], ["BOOKING_READ", "PROFILE_READ", "ORG_WEBHOOK_READ"])
      // @ts-expect-error No scope has this name.
      const { error } = yield* slotkey.authorize({ scopes: ["ORG_WEBHOOK_RAED"] })
      assert.strictEqual(error, "invalid_scope")
    }))

  it.effect("registers an app some of whose scopes users may decline", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const { clientId, owner } = yield* slotkey.app({ optionalScopes: ["PROFILE_READ"] })
      const { cookie } = yield* slotkey.session(owner)
      const response = yield* slotkey.fetch(`/v2/oauth-clients/${clientId}`, { headers: { cookie } })
      assert.include(yield* Effect.promise(() => response.text()), `"optionalScopes":["PROFILE_READ"]`)
    }))

  it.effect("has users of an organization, for which they decide or not", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const app = yield* slotkey.app({ scopes: ["ORG_MEMBERSHIP_WRITE"] })
      const page = Effect.fnUntraced(function*(decides: boolean) {
        const { cookie } = yield* slotkey.session(yield* slotkey.user({ organization: { name: "Acme", decides } }))
        const query = { client_id: app.clientId, redirect_uri: app.redirectUri, scope: "ORG_MEMBERSHIP_WRITE" }
        const response = yield* slotkey.fetch(`/auth/oauth2/authorize?${new URLSearchParams(query)}`, {
          headers: { cookie }
        })
        return yield* Effect.promise(() => response.text())
      })
      assert.include(yield* page(false), "Only an administrator of <bdi>Acme</bdi> can allow this.")
      assert.include(yield* page(true), "value=\"allow\"")
    }))

  it.effect("has the passwords of its users pass without a look into a dictionary", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      // Spied on and not mocked: the database is on such a thread, too.
      const posts = vi.spyOn(Worker.prototype, "postMessage")
      yield* slotkey.user()
      const asked = posts.mock.calls.filter(([order]) => Predicate.hasProperty(order, "beginning"))
      posts.mockRestore()
      assert.deepStrictEqual(asked, [])
    }))

  it.effect("has tokens that expired, were revoked or were stolen", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const expired = yield* slotkey.expiredTokens()
      assert.strictEqual(yield* call(expired.accessToken), 401)
      assert.strictEqual(yield* call((yield* slotkey.refresh(expired)).accessToken), 200)
      assert.strictEqual(yield* call((yield* slotkey.revokedTokens()).accessToken), 401)

      yield* slotkey.reset
      const { accessToken, app, user } = yield* slotkey.stolenTokens()
      assert.strictEqual(yield* call(accessToken), 401)
      const subjects = (yield* slotkey.mails).filter(({ to }) => to.address === user.email).map(({ subject }) =>
        subject
      )
      assert.deepStrictEqual(subjects, [`You connected “${app.name}”`, `We ended the access of “${app.name}”`])
    }))

  it.effect("has them at the beginning of the test's clock, too", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(0)
      const slotkey = yield* TestServer
      yield* slotkey.reset
      assert.strictEqual(yield* call((yield* slotkey.stolenTokens()).accessToken), 401)
      yield* slotkey.reset
      assert.strictEqual(yield* call((yield* slotkey.expiredTokens()).accessToken), 401)
    }))

  it.effect("tells a test in plain JavaScript which choice it misspells, and why there is no code", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const app = yield* slotkey.app()
      const user = yield* slotkey.user()
      const misspelt = (choice: string) => choice as never
      const reasonOf = (asked: Effect.Effect<unknown>) =>
        Effect.map(Effect.flip(Effect.sandbox(asked)), (cause) => String(Cause.squash(cause)))
      assert.strictEqual(
        yield* reasonOf(slotkey.decide(app, misspelt("suspended"))),
        "TypeError: decision must be \"approve\", \"reject\", \"suspend\" or \"resume\""
      )
      assert.strictEqual(
        yield* reasonOf(slotkey.app({ status: misspelt("open") })),
        "TypeError: status must be \"pending\", \"approved\", \"rejected\" or \"suspended\""
      )
      assert.strictEqual(
        yield* reasonOf(slotkey.user({ role: misspelt("boss") })),
        "TypeError: role must be \"user\", \"reviewer\" or \"admin\""
      )
      assert.strictEqual(
        yield* reasonOf(slotkey.authorize({ app, user, decision: misspelt("refuse") })),
        "TypeError: decision must be \"allow\" or \"deny\""
      )
      assert.strictEqual(
        yield* reasonOf(slotkey.tokens({ app, scopes: [misspelt("booking_read")] })),
        "Error: There is no code to exchange: invalid_scope, scope names what does not exist: booking_read"
      )
    }))

  it.effect("has apps in any state, which a reviewer decides about", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const pending = yield* slotkey.app({ status: "pending", kind: "public" })
      assert.isUndefined(pending.clientSecret)
      const refused = yield* Effect.exit(slotkey.tokens({ app: pending }))
      assert.strictEqual(refused._tag, "Failure")
      yield* slotkey.decide(pending, "approve")
      const { accessToken } = yield* slotkey.tokens({ app: pending })
      assert.strictEqual(yield* call(accessToken), 200)

      for (const status of ["rejected", "suspended"] as const) {
        const app = yield* slotkey.app({ status })
        assert.strictEqual((yield* Effect.exit(slotkey.tokens({ app })))._tag, "Failure")
      }
      const events = (yield* slotkey.webhooks).filter(({ data }) => data["clientId"] === pending.clientId)
      assert.deepStrictEqual(events.map(({ type }) => type), ["client.submitted", "client.approved"])
    }))

  it.effect("says what is wrong with what cannot be made", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const cause = yield* Effect.sandbox(slotkey.user({ email: "nobody" })).pipe(Effect.flip)
      assert.include(Cause.pretty(cause), "email must look like ann@example.com")
    }))

  it.effect("has legacy apps, whose tokens no scope restricts", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const app = yield* slotkey.app({ legacy: true })
      const { accessToken, scopes } = yield* slotkey.tokens({ app })
      assert.deepStrictEqual(scopes, [])
      assert.strictEqual(yield* call(accessToken), 200)
    }))

  it.effect("consents or refuses as the user, and tells the app", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const app = yield* slotkey.app({ redirectUri: "https://buddy.example/back" })
      const denied = yield* slotkey.authorize({ app, decision: "deny" })
      assert.strictEqual(denied.error, "access_denied")
      assert.strictEqual(denied.location.host, "buddy.example")
      const allowed = yield* slotkey.authorize({ app, user: denied.user, scopes: ["BOOKING_READ"] })
      assert.deepStrictEqual((yield* slotkey.exchange(allowed)).scopes, ["BOOKING_READ"])
    }))

  it.effect("signs browsers in, which send forms", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const { accessToken, app, user } = yield* slotkey.tokens()
      const session = yield* slotkey.session(user)
      const page = yield* slotkey.fetch("/connections", { headers: { cookie: session.cookie } })
      assert.include(yield* Effect.promise(() => page.text()), app.name)
      assert.strictEqual(
        (yield* slotkey.submit(session, "/connections/disconnect", { client_id: app.clientId })).status,
        303
      )
      assert.strictEqual(yield* call(accessToken), 401)
    }))

  it.effect("fails as a server does whose database is away, and is back afterwards", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const authorized = yield* slotkey.authorize()
      const { app } = authorized
      const refused = yield* slotkey.whileDatabaseIsAway(slotkey.fetch("/v2/auth/oauth2/token", {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          client_id: app.clientId,
          client_secret: app.clientSecret ?? "",
          code: authorized.code,
          redirect_uri: app.redirectUri,
          code_verifier: authorized.codeVerifier
        })
      }))
      assert.strictEqual(refused.status, 503)
      assert.isNotNull(refused.headers.get("retry-after"))
      assert.strictEqual(yield* call((yield* slotkey.exchange(authorized)).accessToken), 200)
    }))

  it.effect("issues tokens as late as a test wants them", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const authorized = yield* slotkey.authorize()
      const exchange = yield* Effect.forkChild(slotkey.whileTokensTake("5 seconds", slotkey.exchange(authorized)))
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(exchange.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* call((yield* Fiber.join(exchange)).accessToken), 200)
    }))

  it.effect("hands out mails and events as they are by then: later ones and a reset leave them alone", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      yield* slotkey.reset
      const [mails, events] = [yield* slotkey.mails, yield* slotkey.webhooks]
      yield* slotkey.tokens()
      const [later, laterEvents] = [yield* slotkey.mails, yield* slotkey.webhooks]
      assert.deepStrictEqual([mails, events], [[], []])
      yield* slotkey.reset
      assert.isNotEmpty(later)
      assert.isNotEmpty(laterEvents)
    }))

  it.effect("is empty for the next test", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const { accessToken, app } = yield* slotkey.tokens()
      assert.isNotEmpty(yield* slotkey.jobs)
      yield* slotkey.reset
      assert.strictEqual(yield* call(accessToken), 401)
      assert.deepStrictEqual(yield* slotkey.mails, [])
      assert.strictEqual((yield* Effect.exit(slotkey.tokens({ app })))._tag, "Failure")
      assert.strictEqual(yield* call((yield* slotkey.tokens()).accessToken), 200)
    }))
})

layer(TestServer.layer())("the clock of the test kit", (it) => {
  it.effect("goes back with a reset, whatever was done by the time that it showed", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const issuedAt = Effect.map(slotkey.tokens(), ({ accessToken }) => decodeJwt(accessToken).iat ?? 0)
      yield* issuedAt
      yield* slotkey.advance("31 minutes")
      yield* slotkey.reset
      assert.isBelow(yield* issuedAt, 60)
      // Keys that were replaced meanwhile, and a budget that was used up.
      for (let month = 0; month < 5; month++) {
        yield* slotkey.advance("30 days")
        yield* slotkey.runScheduledJobs("key-rotation")
        yield* slotkey.runScheduledJobs("expiry")
        yield* slotkey.tokens()
      }
      const user = yield* slotkey.user()
      for (let guess = 0; guess < 40; guess++) {
        yield* slotkey.fetch("/sign-in", {
          method: "POST",
          headers: { "sec-fetch-site": "same-origin" },
          body: new URLSearchParams({ email: user.email, password: "wrong" })
        })
      }
      yield* slotkey.reset
      const { accessToken } = yield* slotkey.tokens()
      assert.isBelow(decodeJwt(accessToken).iat ?? 0, 60)
      assert.strictEqual(yield* call(accessToken), 200)
      const again = yield* slotkey.user({ email: user.email })
      const signIn = yield* slotkey.fetch("/sign-in", {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ email: again.email, password: again.password })
      })
      assert.strictEqual(signIn.status, 303)
    }))
})

it("the test kit takes no setting that looks misspelled", async () => {
  const told = await start({ CODE_LIFETME: "1 minute" }).then(() => "nothing", String)
  assert.include(told, "CODE_LIFETME is no setting and has no effect. Call it CODE_LIFETIME if that is meant.")
})

it("a call of the test kit that comes after the end, or was under way then, rejects with an error of its own", async () => {
  const slotkey = await start()
  const underWay = slotkey.tokens()
  const [reason] = await Promise.all([underWay.then(() => "done", (error: unknown) => error), slotkey.stop()])
  assert.instanceOf(reason, TestServerStopped)
  const late = await slotkey.fetch("/v2/me").then(() => "answered", (error: unknown) => error)
  assert.instanceOf(late, TestServerStopped)
  assert.include(String(late), "The test server was stopped")
  await slotkey.stop()
})

layer(TestServer.layer({ users: Users, CODE_LIFETIME: "2 minutes" }))("the test kit for users of your own", (it) => {
  it.effect("has their apps, consents and tokens", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const paul = yield* slotkey.user({ id: "paul" })
      assert.strictEqual(paul.email, "paul@platform.example")
      const { accessToken, app, user } = yield* slotkey.tokens({ user: paul })
      const me = yield* slotkey.fetch("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })
      assert.include(yield* Effect.promise(() => me.text()), "Paul Platform")
      assert.strictEqual(user.id, paul.id)
      // The first of its reviewers stands in for the one who is not named.
      assert.strictEqual(app.owner.id, "petra")
      yield* slotkey.decide(app, "suspend")
      assert.strictEqual(yield* call(accessToken), 401)
      const { cookie } = yield* slotkey.session(yield* slotkey.user({ role: "reviewer" }))
      const review = yield* slotkey.fetch(`/review/${app.clientId}`, { headers: { cookie } })
      assert.strictEqual(review.status, 200)
      assert.isNotEmpty(yield* slotkey.mails)
      yield* slotkey.reset
      assert.strictEqual(yield* call((yield* slotkey.tokens({ user: paul })).accessToken), 200)
    }))

  it.effect("says what it cannot make", () =>
    Effect.gen(function*() {
      const slotkey = yield* TestServer
      const reasonOf = (asked: Effect.Effect<unknown>) =>
        Effect.map(Effect.flip(Effect.sandbox(asked)), (cause) => String(Cause.squash(cause)))
      assert.include(yield* reasonOf(slotkey.user({ id: "nobody" })), "The identity source finds no user nobody")
      assert.include(
        yield* reasonOf(slotkey.user({ id: "paul", role: "admin" })),
        "The user paul of the identity source is user"
      )
      assert.include(
        yield* reasonOf(slotkey.app({ legacy: true })),
        "Legacy apps are imported for local accounts alone"
      )
    }))
})

it("the test kit without Effect takes users of your own, too", async () => {
  const slotkey = await start({ users: Users })
  const { accessToken } = await slotkey.tokens({ user: await slotkey.user({ id: "paul" }) })
  const { status } = await slotkey.fetch("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })
  assert.strictEqual(status, 200)
  await slotkey.stop()
})
