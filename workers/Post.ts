import { Context, Effect, Layer, Result } from "effect"
import type { Account } from "../src/accounts/Account.ts"
import { Deliveries } from "../src/jobs/Deliveries.ts"
import { Hopeless } from "../src/jobs/Hopeless.ts"
import type { JobInHand } from "../src/jobs/Worker.ts"
import { Mailer, type MailError } from "./Mailer.ts"
import type { Text } from "./ReviewNoticeTexts.ts"

/** Mails of jobs to people: each gets a mail of one job once, and trouble with one does not keep it from the others. */
export class Post extends Context.Service<Post, {
  send(job: JobInHand, people: ReadonlyArray<Account>, text: Text): Effect.Effect<void, MailError | Hopeless>
}>()("slotkey/workers/Post") {
  static readonly layer: Layer.Layer<Post, never, Deliveries | Mailer> = Layer.effect(
    Post,
    Effect.gen(function*() {
      const deliveries = yield* Deliveries
      const mailer = yield* Mailer

      const send = Effect.fn("Post.send")(function*(
        job: JobInHand,
        people: ReadonlyArray<Account>,
        { lines, subject }: Text
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
        // One that may still be taken is worth another attempt; the rest is for an operator.
        const temporary = errors.find(({ final }) => !final)
        if (temporary !== undefined) return yield* temporary
        const [final] = errors
        if (final !== undefined) return yield* new Hopeless({ message: final.message })
      })

      return Post.of({ send })
    })
  )
}
