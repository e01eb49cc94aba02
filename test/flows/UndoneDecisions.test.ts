import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Testing from "../../src/testing.ts"

layer(Testing.TestServer.layer({ REVIEW_UNDO_WINDOW: "10 minutes" }), { timeout: "1 minute" })(
  "A decision of a reviewer",
  (it) => {
    it.effect("is told once, when it can be undone no more, and never when it was undone", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        yield* kit.reset
        const { cookie, csrf } = yield* kit.session(yield* kit.user({ role: "reviewer" }))
        const app = yield* kit.app({ status: "pending" })
        const send = Effect.fnUntraced(function*(action: string, version: number) {
          const { status } = yield* kit.fetch(`/review/${app.clientId}/${action}`, {
            method: "POST",
            headers: { cookie, "sec-fetch-site": "same-origin" },
            body: new URLSearchParams({ csrf, version: String(version), reason: "No." })
          })
          assert.strictEqual(status, 303, action)
        })
        const told = Effect.gen(function*() {
          const mails = (yield* kit.mails).map(({ subject }) => subject).filter((subject) =>
            !subject.includes("waiting")
          )
          const events = (yield* kit.webhooks).map(({ type }) => type)
          return { mails, events: events.filter((type) => type !== "client.submitted") }
        })
        const nothing = { mails: [], events: [] }

        yield* send("approve", 1)
        assert.deepStrictEqual(yield* told, nothing)
        yield* send("undo", 2)
        yield* kit.advance("1 hour")
        assert.deepStrictEqual(yield* told, nothing)

        yield* send("reject", 3)
        yield* kit.advance("9 minutes")
        assert.deepStrictEqual(yield* told, nothing)
        yield* kit.advance("1 minute")
        const once = { mails: [`“${app.name}” was rejected`], events: ["client.rejected"] }
        assert.deepStrictEqual(yield* told, once)
        yield* kit.advance("1 hour")
        assert.deepStrictEqual(yield* told, once)
      }))

    it.effect("that is undone leaves the app among the news for other reviewers", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        yield* kit.reset
        const { cookie, csrf } = yield* kit.session(yield* kit.user({ role: "reviewer" }))
        const app = yield* kit.app({ status: "pending" })
        yield* kit.runJobs
        const send = (action: string, version: number) =>
          kit.fetch(`/review/${app.clientId}/${action}`, {
            method: "POST",
            headers: { cookie, "sec-fetch-site": "same-origin" },
            body: new URLSearchParams({ csrf, version: String(version), reason: "No." })
          })
        const digests = Effect.gen(function*() {
          yield* kit.runScheduledJobs("review-digests")
          return (yield* kit.mails).filter(({ text }) => text.includes(app.name)).length
        })
        yield* send("reject", 1)
        assert.strictEqual(yield* digests, 0)
        yield* send("undo", 2)
        assert.isAbove(yield* digests, 0)
      }))
  }
)
