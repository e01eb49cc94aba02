import { Context, Effect, Layer } from "effect"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import { PermanentFailure } from "../src/foundation/jobs/queue/PermanentFailure.ts"
import type { JobContext } from "../src/foundation/jobs/queue/Worker.ts"
import type { MailText } from "../src/foundation/mail/MailText.ts"
import { Mailer, type MailError } from "./Mailer.ts"

/**
 * Mails of jobs to people: each person gets the mail of a job once. Of a linked account no address may be known: its
 * user gets nothing, and the job goes on to the others.
 */
export class Post extends Context.Service<Post, {
  send(job: JobContext, to: Recipient, text: MailText): Effect.Effect<void, MailError | PermanentFailure>
}>()("slotkey/workers/Post") {
  static readonly layer: Layer.Layer<Post, never, Deliveries | Mailer> = Layer.effect(
    Post,
    Effect.gen(function*() {
      const deliveries = yield* Deliveries
      const mailer = yield* Mailer

      const send = Effect.fn("Post.send")(
        (job: JobContext, { email, id, name }: Recipient, { lines, subject }: MailText) =>
          email === "" ? Effect.logInfo("No address of the user is known, so no mail is sent") : deliveries.once(
            job,
            `user:${id}`,
            mailer.send({
              id: `${job.id} ${id}`,
              from: job.brand.mailFrom,
              to: { name, address: email },
              subject,
              text: [name === "" ? "Hello," : `Hello ${name},`, ...lines].join("\n\n") + "\n"
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
}
