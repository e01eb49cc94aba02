import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { nobody } from "../../src/core/clients/records/Nobody.ts"
import { unwritten } from "../../src/core/clients/records/UnwrittenPurpose.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { ReviewWishes } from "../../src/core/clients/review/ReviewWishes.ts"
import { ClientId, UserId } from "../../src/domain/Ids.ts"
import { ReviewNotice, type WaitingEvent } from "../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { OutboxRepo } from "../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { ReviewNews } from "../../workers/ReviewNews.ts"
import { eventually } from "../support/Eventually.ts"
import { digests, done, header, outside, Process, rows, to } from "./Outside.ts"
import { app } from "./Scenario.ts"

const olive = UserId.make("olive")
const ada = UserId.make("ada")

const register = Effect.fnUntraced(function*(name: string, owner = olive) {
  const { client } = yield* Effect.orDie(
    (yield* ClientRegistry).register(owner, {
      kind: "public",
      name,
      purpose: `Plans the shifts of ${name}.`,
      website: "https://planner.test",
      redirectUris: ["https://planner.test/cb"],
      scopes: ["PROFILE_READ", "BOOKING_READ"]
    })
  )
  return client
})

const tell = (event: WaitingEvent, clientId = app) =>
  Effect.flatMap(Outbox, (outbox) => outbox.publish(ReviewNotice.make({ clientId, event })))

/** Publishes the digests that are due, as each worker does every minute. */
const publishDue = Effect.flatMap(ReviewNews, (news) => news.publishDue)

const start = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { smtp } = yield* outside
  yield* sql`DELETE FROM clients WHERE id <> ${app}`
  yield* sql`UPDATE clients SET status = 'pending'`
  return { smtp, sql, subjects: () => smtp.received.map(({ message }) => header(message, "subject") ?? "") }
})

layer(Process, { excludeTestServices: true })("Digests for administrators", (it) => {
  it.effect("are one mail to each about all that came up, however many apps were registered", () =>
    Effect.gen(function*() {
      const { smtp, subjects } = yield* start
      for (let n = 1; n <= 21; n++) yield* register(`Planner ${n}`)
      yield* done(21)
      assert.deepStrictEqual(to(smtp), [], "each of the 21 was a mail to each administrator")
      yield* digests
      yield* done(23)
      assert.deepStrictEqual(to(smtp), ["ada", "bob"])
      assert.deepStrictEqual(subjects(), ["21 apps are waiting for review", "21 apps are waiting for review"])
      const { message } = smtp.received[0] ?? { message: "" }
      assert.include(message, "And 1 more.")
      assert.include(message, "https://slotkey.test/review\r\n")
      assert.match(header(message, "date") ?? "", /^\w{3}, \d\d? \w{3} \d{4} /)
      assert.strictEqual(header(message, "auto-submitted"), "auto-generated")
    }))

  it.effect("say who asks for what, and what a change changes", () =>
    Effect.gen(function*() {
      const { smtp } = yield* start
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { id } = yield* register("Team Planner")
      const changing = yield* register("Round Robin")
      const { version } = yield* Effect.orDie(review.approve(ada, changing.id, changing.version))
      yield* done(3)
      yield* Effect.orDie(registry.edit(olive, changing.id, {
        name: "Round Robin Pro",
        redirectUris: ["https://planner.test/cb", "https://pro.planner.test/cb"],
        scopes: ["PROFILE_READ", "BOOKING_READ", "BOOKING_WRITE"],
        version
      }))
      yield* done(4)
      yield* digests
      yield* done(6)
      const { message } = smtp.received.find(({ message }) => message.includes("Team Planner")) ?? { message: "" }
      assert.match(
        message,
        /new app \u201cTeam Planner\u201d [^]*\r\nOwner: .*\r\nWaiting since: \d+ \w+ \d{4}, .* UTC\r\n/
      )
      assert.include(message, "Owner: olive (olive@example.test)")
      assert.include(
        message,
        "Scopes: BOOKING_READ and PROFILE_READ\r\n\r\nRedirect addresses (redirect URIs):\r\n- https://planner.test/cb\r\n"
      )
      assert.include(message, "> Plans the shifts of Team Planner.")
      assert.include(message, `Decide here:\r\nhttps://slotkey.test/review/${id}\r\n`)
      assert.include(message, "Name: \u201cRound Robin\u201d \u2192 \u201cRound Robin Pro\u201d")
      assert.include(message, "This email comes at most once in 15 minutes")
      assert.include(message, "Redirect addresses (redirect URIs) added: https://pro.planner.test/cb")
      assert.include(message, "Scopes added: BOOKING_WRITE")
    }))

  it.effect("say of an app that nobody registered where it describes itself, and why people want it", () =>
    Effect.gen(function*() {
      const { smtp, sql } = yield* start
      const id = ClientId.make("https://agent.example/app")
      yield* sql`INSERT INTO clients (id, owner_id, origin, kind, status, name, purpose, website, redirect_uris, scopes,
          submitted_at, created_at, updated_at)
        SELECT ${id}, ${nobody}, 'document', kind, status, 'Agent', ${unwritten.document}, website, redirect_uris,
          scopes, submitted_at, created_at, updated_at FROM clients WHERE id = ${app}`
      const wishes = yield* ReviewWishes
      yield* Effect.orDie(wishes.ask(UserId.make("uma"), id, ["PROFILE_READ"], "For the rota of my team."))
      yield* done(1)
      yield* digests
      yield* done(3)
      const { message } = smtp.received[0] ?? { message: "" }
      assert.include(message, "Owner: nobody: it describes itself at agent.example")
      assert.include(message, "Why somebody wants to use it:\r\n> For the rota of my team.")
      assert.notInclude(message, "Purpose:")
    }))

  it.effect("are not sent again before the interval is over, and then tell only what is new", () =>
    Effect.gen(function*() {
      const { smtp } = yield* start
      yield* tell("submitted")
      yield* done(1)
      yield* digests
      yield* done(3)
      yield* register("Second")
      yield* done(4)
      assert.strictEqual(yield* publishDue, 0)
      yield* digests
      yield* done(6)
      assert.strictEqual(yield* publishDue, 0)
      yield* digests
      assert.deepStrictEqual(to(smtp), ["ada", "ada", "bob", "bob"])
      assert.include(smtp.received[3]?.message, "\u201cSecond\u201d")
      assert.notInclude(smtp.received[3]?.message, "Tidy Calendar")
    }))

  it.effect("leave out what was decided meanwhile, and are not sent about nothing", () =>
    Effect.gen(function*() {
      const { smtp, sql } = yield* start
      const registry = yield* ClientRegistry
      const first = yield* register("First")
      const second = yield* register("Second")
      const gone = yield* register("Gone")
      yield* done(3)
      yield* Effect.orDie(registry.remove(olive, gone.id))
      yield* sql`UPDATE clients SET status = 'approved' WHERE id = ${first.id}`
      yield* digests
      yield* done(5)
      assert.deepStrictEqual(to(smtp), ["ada", "bob"])
      assert.include(smtp.received[0]?.message, "\u201cSecond\u201d")
      assert.notMatch(smtp.received[0]?.message ?? "", /First|Gone/)
      yield* tell("waiting", second.id)
      yield* done(6)
      yield* sql`UPDATE clients SET status = 'rejected' WHERE id = ${second.id}`
      yield* digests
      yield* done(8)
      assert.lengthOf(smtp.received, 2)
      assert.lengthOf(yield* sql`SELECT 1 FROM review_news`, 0)
    }))

  it.effect("lose nothing while the mail server is away, and are the same mail at every attempt", () =>
    Effect.gen(function*() {
      const { smtp } = yield* start
      smtp.mood = "refuses"
      yield* tell("submitted")
      yield* done(1)
      yield* digests
      yield* eventually(Effect.sync(() => smtp.attempts >= 4))
      yield* register("Second")
      yield* done(2)
      assert.strictEqual(yield* publishDue, 0, "no other digest stands behind one that is not sent")
      smtp.mood = "accepts"
      yield* done(4)
      assert.deepStrictEqual(to(smtp), ["ada", "bob"])
      for (const { message } of smtp.received) assert.notInclude(message, "Second")
      assert.strictEqual(yield* publishDue, 0)
      yield* digests
      yield* done(6)
      assert.include(smtp.received[3]?.message, "\u201cSecond\u201d")
    }))

  it.effect("are sent once when a worker was killed after it had sent one", () =>
    Effect.gen(function*() {
      const { smtp, sql } = yield* start
      yield* tell("submitted")
      yield* done(1)
      yield* digests
      yield* done(3)
      // Of what follows a mail nothing came to pass: neither was the news forgotten nor the job done.
      yield* sql`INSERT INTO review_news (client_id, user_id, event, at, outbox_id)
        SELECT ${app}, 'ada', 'submitted', created_at, id FROM outbox WHERE subject = 'user:ada'`
      yield* sql`UPDATE review_digests SET sent_at = NULL WHERE user_id = 'ada'`
      yield* sql`UPDATE outbox SET done_at = NULL, enqueued_at = NULL WHERE subject = 'user:ada'`
      assert.strictEqual(yield* publishDue, 0)
      yield* done(3)
      assert.deepStrictEqual(to(smtp), ["ada", "bob"])
      assert.lengthOf(yield* sql`SELECT 1 FROM review_news`, 0)
      assert.lengthOf(yield* sql`SELECT 1 FROM review_digests WHERE user_id = 'ada' AND sent_at IS NOT NULL`, 1)
    }))

  it.effect("that were put aside go on in the next, and are not sent when an operator has them tried again", () =>
    Effect.gen(function*() {
      const repo = yield* OutboxRepo
      const { smtp } = yield* start
      smtp.unknown.add("ada@example.test")
      yield* tell("submitted")
      yield* done(1)
      yield* digests
      yield* eventually(rows("dead_at IS NOT NULL", 1))
      yield* done(2)
      assert.deepStrictEqual(to(smtp), ["bob"])
      smtp.unknown.clear()
      yield* register("Second")
      yield* done(3)
      yield* publishDue
      yield* done(4)
      assert.deepStrictEqual(to(smtp), ["ada", "bob"])
      assert.include(smtp.received[1]?.message, "\u201cTidy Calendar\u201d")
      assert.include(smtp.received[1]?.message, "\u201cSecond\u201d")
      const [dead] = yield* repo.dead(1)
      yield* repo.replay({ ids: [dead?.id ?? 0n] })
      yield* done(5)
      assert.lengthOf(smtp.received, 2)
    }))

  it.effect("go to nobody who is no reviewer any more", () =>
    Effect.gen(function*() {
      const { smtp, sql } = yield* start
      yield* tell("submitted")
      yield* done(1)
      yield* sql`UPDATE accounts SET role = 'user' WHERE id = 'bob'`
      yield* digests
      yield* done(3)
      yield* sql`UPDATE accounts SET role = 'reviewer' WHERE id = 'bob'`
      assert.deepStrictEqual(to(smtp), ["ada"])
      assert.lengthOf(yield* sql`SELECT 1 FROM review_news`, 0)
    }))
})
