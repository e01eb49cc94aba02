import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { ReviewDesk } from "../../../../src/core/clients/review/ReviewDesk.ts"
import { waitingApps } from "../../../../src/core/clients/review/WaitingApps.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

/** Hours for which reviewers have been waiting for the app. */
const hoursOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const [row] = yield* sql<
    { hours: number }
  >`SELECT extract(epoch FROM ${now}::timestamptz - since)::int / 3600 AS hours
    FROM ${waitingApps(sql)} waiting WHERE id = ${id}`
  return row?.hours
}, Effect.orDie)

layer(Clients.Services)("a claim", (it) => {
  it.effect("of two at once one wins, and the other is told", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const { admin, owner, second } = yield* people
      const { client: { id } } = yield* Clients.newClient(owner)
      const both = yield* Effect.all([admin, second].map((by) => Effect.result(desk.claim(by, id))), {
        concurrency: "unbounded"
      })
      const [won, ...otherWon] = both.flatMap((one) => one._tag === "Success" ? [one.success.reviewer] : [])
      assert.lengthOf(otherWon, 0)
      assert.deepStrictEqual(both.flatMap((one) => one._tag === "Failure" ? [one.failure.code] : []), ["claimed"])
      const claim = Option.getOrThrow(yield* desk.claimOf(id))
      assert.strictEqual(claim.reviewer, won)
    }))

  it.effect("is taken over from the reviewer who has it, and from no other", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const { admin, other, owner, second } = yield* people
      const { client: { id } } = yield* Clients.newClient(owner)
      yield* desk.claim(admin, id)
      assert.strictEqual((yield* desk.claim(second, id, admin)).reviewer, second)
      assert.strictEqual((yield* Effect.flip(desk.claim(other, id, admin))).code, "claimed")
      yield* desk.release(admin, id)
      assert.strictEqual(Option.getOrThrow(yield* desk.claimOf(id)).reviewer, second)
      yield* desk.release(second, id)
      assert.isTrue(Option.isNone(yield* desk.claimOf(id)))
    }))

  it.effect("ends after an hour, and with the decision, whoever makes it", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const review = yield* ClientReview
      const { admin, owner, second } = yield* people
      const { client: { id, version } } = yield* Clients.newClient(owner)
      yield* desk.claim(admin, id)
      yield* TestClock.adjust("59 minutes")
      yield* desk.claim(admin, id)
      yield* TestClock.adjust("59 minutes")
      assert.isTrue(Option.isSome(yield* desk.claimOf(id)))
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isNone(yield* desk.claimOf(id)))
      assert.strictEqual((yield* desk.claim(second, id)).reviewer, second)
      yield* review.reject(admin, id, "No.", version)
      assert.isTrue(Option.isNone(yield* desk.claimOf(id)))
    }))
})

layer(Clients.Services)("a question to the owner", (it) => {
  it.effect("stops the clock until it is answered, and the answer puts the app at the top of the queue", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const first = (yield* Clients.newClient(owner)).client
      yield* TestClock.adjust("1 hour")
      const asked = (yield* Clients.newClient(owner)).client
      const ids = (state: "waiting" | "asked") =>
        Effect.map(
          review.queue({ state, owners: [owner], search: owner }),
          ({ clients }) => clients.map(({ id }) => id)
        )
      yield* TestClock.adjust("2 hours")
      yield* desk.ask(admin, asked.id, "What is it for?")
      assert.deepStrictEqual([yield* ids("waiting"), yield* ids("asked")], [[first.id], [asked.id]])
      assert.isTrue(Option.isNone(yield* review.nextInQueue(admin, first)))
      yield* TestClock.adjust("5 hours")
      yield* desk.ask(admin, asked.id, "And who uses it?")
      yield* TestClock.adjust("5 hours")
      yield* desk.answer(owner, asked.id, "Doors. Anybody with one.")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([yield* ids("waiting"), yield* ids("asked")], [[asked.id, first.id], []])
      assert.deepStrictEqual([yield* hoursOf(first.id), yield* hoursOf(asked.id)], [14, 3])
      const audit = yield* AuditLog
      const entries = yield* audit.list({ clientId: asked.id, actions: ["client.asked", "client.answered"] })
      assert.deepStrictEqual(entries.map(({ action, actor }) => [action, actor]), [
        ["client.answered", owner],
        ["client.asked", admin],
        ["client.asked", admin]
      ])
    }))

  it.effect("ends with an edit of the owner, with a withdrawal, and with the decision", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const { client: { id } } = yield* Clients.newClient(owner)
      yield* desk.ask(admin, id, "Is that your website?")
      const { version } = yield* registry.edit(owner, id, { website: "https://mine.example" })
      const edited = yield* desk.thread(id)
      assert.deepStrictEqual([edited.isAsked, edited.takesAnswers], [false, true])
      yield* desk.answer(owner, id, "No, but this one is.")
      yield* desk.ask(admin, id, "Are you sure?")
      yield* review.approve(admin, id, version)
      const decided = yield* desk.threadOf(owner, id)
      assert.deepStrictEqual([decided.isAsked, decided.takesAnswers, decided.messages.length], [false, false, 3])
      assert.strictEqual((yield* Effect.flip(desk.answer(owner, id, "Yes."))).code, "not_asked")
      assert.strictEqual((yield* Effect.flip(desk.ask(admin, id, "Hello?"))).code, "not_in_review")

      yield* registry.edit(owner, id, { name: "Another name" })
      assert.isFalse((yield* desk.thread(id)).takesAnswers)
      yield* desk.ask(admin, id, "Why?")
      yield* registry.withdrawChange(owner, id)
      yield* registry.edit(owner, id, { name: "A third name" })
      const again = yield* desk.thread(id)
      assert.deepStrictEqual([again.isAsked, again.takesAnswers], [false, false])
    }))

  it.effect("is bounded in length and number", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const { admin, owner } = yield* people
      const { client: { id } } = yield* Clients.newClient(owner)
      for (const text of ["", " ", "x".repeat(2001), "a\u202eb"]) {
        assert.strictEqual((yield* Effect.flip(desk.ask(admin, id, text)))._tag, "BadRequest")
      }
      assert.strictEqual((yield* Effect.flip(desk.answer(owner, id, "Unasked.")))._tag, "Conflict")
      for (let i = 0; i < 5; i++) yield* desk.ask(admin, id, "Well?")
      yield* desk.note(admin, id, "Silent.")
      assert.strictEqual((yield* Effect.flip(desk.ask(admin, id, "Well?"))).code, "unanswered")
      for (let i = 0; i < 5; i++) yield* desk.answer(owner, id, "Well.")
      assert.strictEqual((yield* Effect.flip(desk.answer(owner, id, "Well."))).code, "unanswered")
      yield* desk.ask(admin, id, "Well?")
      const { messages: { length } } = yield* desk.thread(id)
      for (let i = length; i < 200; i++) yield* desk.note(admin, id, "Noted.")
      assert.strictEqual((yield* Effect.flip(desk.note(admin, id, "Noted."))).code, "thread_full")
    }))
})

layer(Clients.servicesWith({ ACCOUNT_BUDGET: "100" }))("a message about an app", (it) => {
  it.effect("costs its author of their budget", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const { admin, owner } = yield* people
      const { client: { id } } = yield* Clients.newClient(owner)
      for (let i = 1; i < 100; i++) yield* desk.note(admin, id, "Noted.")
      yield* desk.ask(admin, id, "Well?")
      assert.include(String(yield* Effect.exit(desk.note(admin, id, "Noted."))), "TooManyAttempts")
      yield* desk.answer(owner, id, "Well.")
    }))
})

layer(Clients.Services)("the thread of an app", (it) => {
  it.effect("has notes for reviewers alone, and for the owner no name of a reviewer", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const { admin, other, owner, second } = yield* people
      const { client: { id } } = yield* Clients.newClient(owner)
      yield* desk.note(admin, id, "Looks like spam.")
      yield* desk.ask(second, id, "What for?")
      yield* desk.answer(owner, id, "For doors.")
      const { messages } = yield* desk.thread(id)
      assert.deepStrictEqual(messages.map(({ author, kind, text }) => [author, kind, text]), [
        [admin, "note", "Looks like spam."],
        [second, "question", "What for?"],
        [owner, "answer", "For doors."]
      ])
      const seen = JSON.stringify(yield* desk.threadOf(owner, id))
      assert.include(seen, "For doors.")
      for (const hidden of ["spam", "note", admin, second]) assert.notInclude(seen, hidden)
      assert.strictEqual((yield* Effect.flip(desk.threadOf(other, id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(desk.answer(other, id, "Mine.")))._tag, "NotFound")
    }))
})
