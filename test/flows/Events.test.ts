import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Testing from "../../src/testing.ts"
import { verified } from "../core/clients/events/Scenario.ts"
import * as TestWebhook from "../support/TestWebhook.ts"

/** A developer with an app whose endpoint is a program of this machine, and a reviewer. */
const scene = Effect.gen(function*() {
  const kit = yield* Testing.TestServer
  yield* kit.reset
  const hook = yield* TestWebhook.make
  const owner = yield* kit.user({ name: "Olive" })
  const app = yield* kit.app({ owner, status: "pending" })
  const session = yield* kit.session(owner)
  const path = `/settings/apps/${app.clientId}/events`
  const read = Effect.fnUntraced(function*(address: string) {
    const response = yield* kit.fetch(address, { headers: { cookie: session.cookie } })
    return yield* Effect.promise(() => response.text())
  })
  const shown = yield* kit.submit(session, path, { url: hook.url })
  const [secret = ""] = /whsec_[\w+/=]+/.exec(yield* Effect.promise(() => shown.text())) ?? []
  /** What the endpoint got since the last look, after the jobs that wait were done. */
  const got = Effect.gen(function*() {
    yield* kit.runJobs
    return hook.events.splice(0).map(({ body, headers }) =>
      verified(secret, body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])))
    )
  })
  return { kit, hook, app, owner, session, path, read, secret, got }
})

// A server for its own machine takes endpoints there.
const settings = { REVIEW_UNDO_WINDOW: "10 minutes", BASE_URL: "http://localhost:3000" }

layer(Testing.TestServer.layer(settings), { timeout: "1 minute" })(
  "An app with an endpoint",
  (it) => {
    it.effect("hears of a decision when it can be undone no more, and never of one that was", () =>
      Effect.gen(function*() {
        const { app, got, kit, owner } = yield* scene
        const reviewer = yield* kit.session(yield* kit.user({ role: "reviewer" }))
        const send = (action: string, version: number) =>
          kit.submit(reviewer, `/review/${app.clientId}/${action}`, { version: String(version), reason: "No." })
        yield* send("approve", 1)
        yield* send("undo", 2)
        yield* kit.advance("1 hour")
        assert.isEmpty(yield* got)
        yield* send("reject", 3)
        assert.isEmpty(yield* got)
        yield* kit.advance("10 minutes")
        const told = yield* got
        assert.deepStrictEqual(told.map(({ data, type }) => ({ data, type })), [{
          type: "app.rejected",
          data: { client_id: app.clientId, status: "rejected", reason: "No." }
        }])
        assert.notInclude(JSON.stringify(told), owner.id)
      }))

    it.effect("hears of a user who leaves, by the name that its tokens have for them", () =>
      Effect.gen(function*() {
        const { app, got, kit } = yield* scene
        yield* kit.decide(app, "approve")
        yield* kit.advance("1 hour")
        yield* got
        const user = yield* kit.user({ name: "Uma" })
        yield* kit.tokens({ app, user })
        yield* kit.submit(yield* kit.session(user), "/connections/disconnect", { client_id: app.clientId })
        const [event] = yield* got
        assert.strictEqual(event.type, "grant.ended")
        const { grants: [grant], reason } = event.data
        assert.deepInclude({ reason, sub: grant.sub }, { reason: "user", sub: user.id })
        assert.notInclude(JSON.stringify(event), "Uma")
      }))

    it.effect("shows its owner what was sent, and sends it again, without a script and to nobody else", () =>
      Effect.gen(function*() {
        const { got, hook, kit, path, read, secret, session } = yield* scene
        hook.status = 503
        yield* kit.submit(session, `${path}/test`, {})
        yield* got
        assert.include(yield* read(path), "The endpoint answered 503.")
        for (let hours = 0; hours < 26; hours++) {
          yield* kit.advance("1 hour")
          yield* kit.runScheduledJobs("event-deliveries")
        }
        const failed = yield* read(`${path}?show=failed`)
        assert.include(failed, "Send all failed again")
        assert.notInclude(failed, secret)
        assert.include(JSON.stringify((yield* kit.mails).map(({ subject }) => subject)), "were not taken for a day")
        const [, id = ""] = /name="event" value="(msg_[^"]+)"/.exec(failed) ?? []
        hook.status = 200
        hook.events.length = 0
        yield* kit.submit(session, `${path}/again`, { event: id })
        assert.strictEqual((yield* got).length, 1)
        assert.include(yield* read(path), "Delivered (200)")
        const other = yield* kit.session(yield* kit.user())
        assert.strictEqual((yield* kit.submit(other, `${path}/test`, {})).status, 404)
        yield* kit.submit(session, `${path}/remove`, {})
        assert.include(yield* read(path), "Set the endpoint")
      }))

    it.effect("cannot be told at an address that is not taken", () =>
      Effect.gen(function*() {
        const { kit, path, session } = yield* scene
        for (const url of ["http://app.example/", "https://app.example:8443/", "https://a:b@app.example/", "x"]) {
          const response = yield* kit.submit(session, path, { url })
          assert.include(yield* Effect.promise(() => response.text()), "must be an https address", url)
        }
      }))
  }
)

class Platform
  extends Context.Service<Platform, TestWebhook.TestWebhook>()("slotkey/test/flows/Events.test/Platform")
{}

const platformSecret = "whsec_cGxhdGZvcm0tcGxhdGZvcm0tcGxhdGZvcm0="
const WithPlatform = Layer.unwrap(
  Effect.map(TestWebhook.make, (hook) =>
    Layer.merge(
      Testing.TestServer.layer({ PLATFORM_WEBHOOK_URL: hook.url, PLATFORM_WEBHOOK_SECRET: platformSecret }),
      Layer.succeed(Platform, hook)
    ))
)

layer(WithPlatform, { timeout: "1 minute" })("The platform", (it) => {
  it.effect("hears, signed, whose access has ended, as the gateway names them, and why", () =>
    Effect.gen(function*() {
      const kit = yield* Testing.TestServer
      const { events } = yield* Platform
      const app = yield* kit.app()
      const user = yield* kit.user()
      yield* kit.revoke(yield* kit.tokens({ app, user }))
      yield* kit.runJobs
      assert.lengthOf(events, 1)
      const [{ body, headers } = { body: "", headers: {} }] = events
      const names = Object.entries(headers).map(([name, value]) => [name, String(value)])
      const { data, type } = verified(platformSecret, body, Object.fromEntries(names))
      assert.deepInclude({ type, ...data, sub: data.grants[0].sub }, {
        type: "grant.ended",
        client_id: app.clientId,
        reason: "app",
        sub: user.id
      })
    }))
})
