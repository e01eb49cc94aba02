import { Context, Effect, Layer, Result } from "effect"
import type { Account } from "../src/core/accounts/Account.ts"
import { Deliveries } from "../src/foundation/jobs/queue/Deliveries.ts"
import { PermanentFailure } from "../src/foundation/jobs/queue/PermanentFailure.ts"
import type { JobContext } from "../src/foundation/jobs/queue/Worker.ts"
import { Mailer, type MailError } from "./Mailer.ts"
import type { MailText } from "./ReviewNoticeTexts.ts"

/** Mails of jobs to people: each person gets the mail of a job once, and a failure for one does not stop the others. */
export class Post extends Context.Service<Post, {
  send(
    job: JobContext,
    people: ReadonlyArray<Account>,
    text: MailText
  ): Effect.Effect<void, MailError | PermanentFailure>
}>()("slotkey/workers/Post") {
  static readonly layer: Layer.Layer<Post, never, Deliveries | Mailer> = Layer.effect(
    Post,
    Effect.gen(function*() {
      const deliveries = yield* Deliveries
      const mailer = yield* Mailer

      const send = Effect.fn("Post.send")(function*(
        job: JobContext,
        people: ReadonlyArray<Account>,
        { lines, subject }: MailText
      ) {
        const results = yield* Effect.forEach(people, ({ email, id, name }) =>
          deliveries.once(
            job,
            `user:${id}`,
            mailer.send({
              id: `${job.id} ${id}`,
              to: { name, address: email },
              subject,
              text: [`Hello ${name},`, ...lines].join("\n\n") + "\n"
            })
          ).pipe(Effect.result))
        const errors = results.filter(Result.isFailure).map(({ failure }) => failure)
        // A mail that may still be accepted is worth another attempt; final errors are left to an operator.
        const temporary = errors.find(({ final }) => !final)
        if (temporary !== undefined) return yield* temporary
        const [final] = errors
        if (final !== undefined) return yield* new PermanentFailure({ message: final.message })
      })

      return Post.of({ send })
    })
  )
}
