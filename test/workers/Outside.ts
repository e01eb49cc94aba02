import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { LocalServices } from "../../src/app/Services.ts"
import { ReviewNews } from "../../workers/ReviewNews.ts"
import { Workers } from "../../workers/Workers.ts"
import { eventually } from "../support/Eventually.ts"
import { environment, layer as process } from "../support/TestJobs.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import * as TestWebhook from "../support/TestWebhook.ts"
import { addPeople } from "./Scenario.ts"

/** Servers outside. */
class Outside extends Context.Service<Outside, {
  readonly smtp: TestSmtp.TestSmtp
  readonly hook: TestWebhook.TestWebhook
}>()("slotkey/test/workers/Outside") {}

/** A process with workers, a mail server, a webhook, and accounts in its database. */
export const processWith = (settings: Readonly<Record<string, string>>) =>
  Layer.unwrap(Effect.gen(function*() {
    const smtp = yield* TestSmtp.make
    const hook = yield* TestWebhook.make
    const { env } = yield* environment("postgres", {
      SMTP_URL: smtp.url,
      REVIEW_WEBHOOK_URL: hook.url,
      REVIEW_WEBHOOK_SECRET: "a secret of the webhook",
      REVIEW_REMINDER_AFTER: "1 day",
      // These workers have the clock of the machine.
      REVIEW_UNDO_WINDOW: "0 seconds",
      JOB_ATTEMPTS: "100",
      ...settings
    })
    return Layer.mergeAll(Workers, ReviewNews.layer, Layer.succeed(Outside, { smtp, hook })).pipe(
      Layer.provideMerge(Layer.effectDiscard(addPeople)),
      Layer.provideMerge(LocalServices),
      Layer.provideMerge(process(env))
    )
  }))

/**
 * With a limit that no mail meets: its server may take it when nobody waits any more, and then it is sent once more.
 */
export const Process = processWith({ MAIL_TIMEOUT: "5 minutes" })

/**
 * Resets the mail server and the webhook: they accept everything and have received nothing. No digest is due before
 * `digests`, so that the look of each minute changes nothing.
 */
export const outside = Effect.gen(function*() {
  const { hook, smtp } = yield* Outside
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM outbox`
  yield* sql`DELETE FROM review_news`
  yield* sql`DELETE FROM review_digests`
  yield* sql`INSERT INTO review_digests (user_id, outbox_id, sent_at) VALUES ('ada', 0, now()), ('bob', 0, now())`
  smtp.mood = "accepts"
  smtp.unknown.clear()
  smtp.received.length = 0
  smtp.attempts = 0
  hook.status = 204
  hook.events.length = 0
  return { hook, smtp }
})

export const rows = (where: "done_at IS NOT NULL" | "dead_at IS NOT NULL", n: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return (yield* sql`SELECT 1 FROM outbox WHERE ${sql.literal(where)}`).length === n
  })
/** Lets the interval of digests pass, and publishes those that are due. */
export const digests = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { publishDue } = yield* ReviewNews
  yield* sql`UPDATE review_digests SET sent_at = sent_at - interval '15 minutes'`
  // Workers look at the same time.
  yield* Effect.all([publishDue, publishDue, publishDue], { concurrency: 3 })
})

/** Waits until this number of jobs is done. */
export const done = (n: number) => eventually(rows("done_at IS NOT NULL", n))

/** Recipients of the mails, in the order of the alphabet. */
export const to = ({ received }: TestSmtp.TestSmtp) => received.map(({ to }) => to.split("@")[0]).toSorted()

// A long header continues in lines that begin with a space (RFC 5322 §2.2.3).
export const header = (message: string, name: string) =>
  new RegExp(`^${name}:((?:.|\r\n[ \t])*)\r$`, "im").exec(message)?.[1]?.trim()
