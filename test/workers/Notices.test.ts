// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { GrantId } from "../../src/domain/Ids.ts"
import { NewConnection } from "../../src/jobs/NewConnection.ts"
import { Outbox } from "../../src/jobs/Outbox.ts"
import { OutboxRepo } from "../../src/jobs/OutboxRepo.ts"
import { type ReviewEvent, ReviewNotice } from "../../src/jobs/ReviewNotice.ts"
import { TokenReuse } from "../../src/jobs/TokenReuse.ts"
import { Services } from "../../src/Services.ts"
import { Workers } from "../../workers/layer.ts"
import { remind } from "../../workers/ReviewReminders.ts"
import { addPeople, app, user } from "../support/People.ts"
import { environment, eventually, layer } from "../support/TestJobs.ts"
import * as TestSmtp from "../support/TestSmtp.ts"

/** A process with workers and these settings, with people in its database. */
const withWorkers = <A, E, R>(env: Record<string, string>, test: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { env: settings } = yield* environment("postgres", env)
    return yield* Effect.gen(function*() {
      yield* addPeople
      yield* Layer.build(Workers)
      return yield* test
    }).pipe(Effect.scoped, Effect.provide(Services.pipe(Layer.provideMerge(layer(settings)))))
  })

const publish = (event: ReviewEvent, reason: string | null = null) =>
  Effect.flatMap(Outbox, (outbox) => outbox.publish(ReviewNotice.make({ clientId: app, event, reason })))

const count = (condition: "done_at IS NOT NULL" | "dead_at IS NOT NULL") =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM outbox WHERE ${sql.literal(condition)}`
    return row?.n ?? 0
  })
const done = (n: number) => Effect.map(count("done_at IS NOT NULL"), (found) => found === n)

// A long header goes on in lines that begin with a space (RFC 5322 §2.2.3).
const header = (message: string, name: string) =>
  new RegExp(`^${name}:((?:.|\r\n[ \t])*)\r$`, "im").exec(message)?.[1]?.trim()

interface Hook {
  readonly url: string
  status: number
  readonly events: Array<{ readonly headers: Record<string, string>; readonly body: string }>
}

const webhook: Effect.Effect<Hook, never, Scope.Scope> = Effect.gen(function*() {
  const hook = { url: "", status: 204, events: [] as Hook["events"] }
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    hook.events.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(hook.status).end()
  }).listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const address = server.address()
  if (address !== null && typeof address !== "string") hook.url = `http://127.0.0.1:${address.port}/hook`
  return hook
})

describe("Review notices", () => {
  it.live("tell administrators of an app that waits and the owner of the decision, with its reason", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      yield* withWorkers(
        { SMTP_URL: smtp.url },
        Effect.gen(function*() {
          yield* publish("submitted")
          yield* publish("rejected", "The website does not answer.")
          yield* eventually(done(2))
          assert.deepStrictEqual(smtp.received.map(({ to }) => to).toSorted(), [
            "ada@example.test",
            "bob@example.test",
            "olive@example.test"
          ])
          const ofOwner = smtp.received.find(({ to }) => to.startsWith("olive"))?.message ?? ""
          assert.include(ofOwner, "The website does not answer.")
          assert.include(ofOwner, "https://slotkey.test/settings/apps/client_tidy")
          assert.include(smtp.received[0]?.message, "https://slotkey.test/review/client_tidy")
          assert.isDefined(header(ofOwner, "message-id"))
        })
      )
    }))

  it.live("lose nothing while the mail server refuses or stalls, and tell nobody twice", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      yield* withWorkers(
        { SMTP_URL: smtp.url, MAIL_TIMEOUT: "1 second", JOB_ATTEMPTS: "100" },
        Effect.gen(function*() {
          smtp.mood = "refuses"
          yield* publish("submitted")
          yield* eventually(Effect.sync(() => smtp.attempts >= 2))
          smtp.mood = "stalls"
          const before = smtp.attempts
          yield* eventually(Effect.sync(() => smtp.attempts >= before + 2))
          smtp.mood = "accepts"
          yield* eventually(done(1))
          assert.deepStrictEqual(smtp.received.map(({ to }) => to).toSorted(), ["ada@example.test", "bob@example.test"])
        })
      )
    }))

  it.live("tell the others when one address does not exist, and leave the trouble to an operator", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      yield* withWorkers(
        { SMTP_URL: smtp.url },
        Effect.gen(function*() {
          const repo = yield* OutboxRepo
          smtp.unknown.add("ada@example.test")
          yield* publish("submitted")
          yield* eventually(Effect.map(count("dead_at IS NOT NULL"), (n) => n === 1))
          assert.deepStrictEqual(smtp.received.map(({ to }) => to), ["bob@example.test"])

          const [job] = yield* repo.dead(1)
          assert.include(job?.cause ?? "", "550")
          smtp.unknown.clear()
          yield* repo.replay(job?.id ?? 0n)
          yield* eventually(done(1))
          assert.deepStrictEqual(smtp.received.map(({ to }) => to), ["bob@example.test", "ada@example.test"])
        })
      )
    }))

  it.live("reach a webhook, signed, which is not told again of what it took", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      const hook = yield* webhook
      yield* withWorkers(
        { SMTP_URL: smtp.url, REVIEW_WEBHOOK_URL: hook.url, REVIEW_WEBHOOK_SECRET: "a secret of the webhook" },
        Effect.gen(function*() {
          smtp.mood = "refuses"
          hook.status = 500
          yield* publish("suspended", "Sends spam.")
          yield* eventually(Effect.sync(() => hook.events.length >= 2))
          hook.status = 204
          yield* eventually(Effect.map(
            Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 FROM deliveries WHERE recipient = 'webhook'`),
            (rows) => rows.length === 1
          ))
          const told = hook.events.length
          smtp.mood = "accepts"
          yield* eventually(done(1))
          assert.strictEqual(hook.events.length, told)

          const { body, headers } = hook.events.at(-1) ?? { body: "", headers: {} }
          const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
          const signature = createHmac("sha256", "a secret of the webhook").update(signed).digest("base64")
          assert.strictEqual(headers["webhook-signature"], `v1,${signature}`)
          assert.strictEqual(new Set(hook.events.map(({ headers }) => headers["webhook-id"])).size, 1)
          assert.deepInclude(JSON.parse(body), { type: "client.suspended" })
          assert.deepInclude(JSON.parse(body).data, { clientId: app, reason: "Sends spam." })
        })
      )
    }))

  it.live("do not let a hostile name forge headers or lines of our own", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      yield* withWorkers(
        { SMTP_URL: smtp.url },
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE clients SET name = ${"x\r\nBcc: victim@example.test\r\n\r\nPay here"}`
          yield* publish("submitted")
          yield* eventually(done(1))
          assert.lengthOf(smtp.received, 2)
          for (const { message } of smtp.received) assert.isUndefined(header(message.split("\r\n\r\n")[0] ?? "", "bcc"))
        })
      )
    }))

  it.live("are files in embedded mode, one for each mail however often it is sent", () =>
    Effect.gen(function*() {
      const { env } = yield* environment("postgres")
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* addPeople
        yield* Layer.build(Workers)
        yield* publish("approved")
        yield* eventually(done(1))
        yield* sql`DELETE FROM deliveries`
        yield* sql`UPDATE outbox SET done_at = NULL, enqueued_at = NULL, replayed_at = created_at`
        yield* eventually(done(1))
        const folder = join(env["DATA_DIR"] ?? "", "mail")
        const files = readdirSync(folder)
        assert.lengthOf(files, 1)
        assert.include(readFileSync(join(folder, files[0] ?? ""), "utf8"), "To: olive <olive@example.test>")
      }).pipe(Effect.scoped, Effect.provide(Services.pipe(Layer.provideMerge(layer(env)))))
    }))

  it.live("remind administrators of an app that waits, once in each period", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      yield* withWorkers(
        { SMTP_URL: smtp.url, REVIEW_REMINDER_AFTER: "1 day" },
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          assert.strictEqual(yield* remind, 0)
          yield* sql`UPDATE clients SET submitted_at = submitted_at - interval '25 hours'`
          const reminded = yield* Effect.all([remind, remind, remind], { concurrency: 3 })
          assert.deepStrictEqual(reminded.toSorted(), [0, 0, 1])
          yield* eventually(done(1))
          assert.include(smtp.received[0]?.message, "Nobody has decided")
          yield* sql`UPDATE review_reminders SET reminded_at = reminded_at - interval '25 hours'`
          assert.strictEqual(yield* remind, 1)
          yield* sql`UPDATE clients SET status = 'approved'`
          yield* sql`UPDATE review_reminders SET reminded_at = reminded_at - interval '25 hours'`
          assert.strictEqual(yield* remind, 0)
        })
      )
    }))
})

describe("User notices", () => {
  it.live("tell of a new connection and of one that ended because a token was used twice", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      yield* withWorkers(
        { SMTP_URL: smtp.url },
        Effect.gen(function*() {
          const outbox = yield* Outbox
          yield* outbox.publish(NewConnection.make({ userId: user, clientId: app }))
          yield* outbox.publish(TokenReuse.make({ userId: user, clientId: app, grantId: GrantId.make("g1") }))
          yield* eventually(done(2))
          const subjects = smtp.received.map(({ message, to }) => {
            assert.strictEqual(to, "uma@example.test")
            assert.include(message, "https://slotkey.test/connections")
            return /connected|disconnected/.exec(header(message, "subject") ?? "")?.[0]
          })
          assert.deepStrictEqual(subjects.toSorted(), ["connected", "disconnected"])
        })
      )
    }))
})
