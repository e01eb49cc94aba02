import { Context, Effect, Layer, Option } from "effect"
import type { Account } from "../src/core/accounts/people/Account.ts"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import type { UserId } from "../src/domain/Ids.ts"
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
  /** Mails a user what `write` has for them, which may be nothing. */
  sendTo(
    job: JobContext,
    userId: UserId,
    write: (user: Account) => Effect.Effect<MailText | void>
  ): Effect.Effect<void, MailError | PermanentFailure>
}>()("slotkey/workers/Post") {
  static readonly layer: Layer.Layer<Post, never, Deliveries | IdentitySource | Mailer> = Layer.effect(
    Post,
    Effect.gen(function*() {
      const deliveries = yield* Deliveries
      const identities = yield* IdentitySource
      const mailer = yield* Mailer

      const send = Effect.fn("Post.send")(
        (job: JobContext, { email, id, name }: Recipient, { lines, subject }: MailText) =>
          email === "" ? Effect.logInfo("No address of the user is known, so no mail is sent") : deliveries.once(
            job,
            `user:${id}`,
            mailer.send({
              id: `${job.id} ${id}`,
              to: { name, address: email },
              subject,
              text: [name === "" ? "Hello," : `Hello ${name},`, ...lines].join("\n\n") + "\n"
            })
          ),
        // A mail that may still be accepted is worth another attempt; a final error is left to an operator.
        Effect.catchIf(({ final }) => final, ({ message }) => new PermanentFailure({ message }))
      )

      const sendTo = Effect.fn("Post.sendTo")(function*(
        job: JobContext,
        userId: UserId,
        write: (user: Account) => Effect.Effect<MailText | void>
      ) {
        const user = yield* identities.find(userId)
        if (Option.isNone(user)) return yield* Effect.logInfo("The account is gone, so nobody is told")
        const text = yield* write(user.value)
        if (text !== undefined) yield* send(job, user.value, text)
      })

      return Post.of({ send, sendTo })
    })
  )
}

/** A person to tell: an account, or somebody who has none yet and so no name. */
interface Recipient {
  readonly id: string
  readonly email: string
  readonly name: string
}
