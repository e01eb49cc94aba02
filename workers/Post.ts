import { Context, Effect, Layer } from "effect"
import type { Mail } from "../src/doors/mails/Mail.ts"
import { writtenMail } from "../src/doors/mails/WrittenMail.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import { PermanentFailure } from "../src/foundation/jobs/queue/PermanentFailure.ts"
import type { JobContext } from "../src/foundation/jobs/queue/Worker.ts"
import { Languages, preferred } from "../src/foundation/messages/Languages.ts"
import { Mailer, type MailError } from "./Mailer.ts"

/**
 * Mails of jobs to people, written for their recipient: each person gets the mail of a job once. Of a linked account no
 * address may be known: its user gets nothing, and the job goes on to the others.
 */
export class Post extends Context.Service<Post, {
  send(job: JobContext, to: Recipient, mail: Mail): Effect.Effect<void, MailError | PermanentFailure>
}>()("slotkey/workers/Post") {
  static readonly layer: Layer.Layer<Post, never, AppConfig | Deliveries | Mailer> = Layer.effect(
    Post,
    Effect.gen(function*() {
      const { authUrl } = yield* AppConfig
      const deliveries = yield* Deliveries
      const languages = yield* Languages
      const mailer = yield* Mailer

      const send = Effect.fn("Post.send")(
        (job: JobContext, { email, id, locale, name }: Recipient, mail: Mail) =>
          email === "" ? Effect.logInfo("No address of the user is known, so no mail is sent") : deliveries.once(
            job,
            `user:${id}`,
            Effect.suspend(() => {
              const reader = { language: preferred(languages, [locale]), brand: job.brand }
              return mailer.send({
                id: `${job.id} ${id}`,
                from: job.brand.mailFrom,
                to: { name, address: email },
                ...writtenMail(mail, name, authUrl, reader)
              })
            })
          ),
        // A mail that may still be accepted is worth another attempt; a final error is left to an operator.
        Effect.catchIf(({ final }) => final, ({ message }) => new PermanentFailure({ message }))
      )

      return Post.of({ send })
    })
  )
}

/** A person to tell: an account, or somebody who has none yet and so no name. */
interface Recipient {
  readonly id: string
  readonly email: string
  readonly name: string
  /** Language tag; empty where none is known. */
  readonly locale: string
}
