import { Effect, Layer, Option } from "effect"
import { MigrationMails } from "../src/core/legacy/migration/MigrationMails.ts"
import { MigrationMail } from "../src/foundation/jobs/kinds/MigrationMail.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"

/** Mails an owner about the legacy apps that are still to be moved to scopes. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const mails = yield* MigrationMails
  const post = yield* Post

  return Worker.layer({
    kind: MigrationMail,
    concurrency: 4,
    handler: Effect.fn("MigrationMail")(({ ownerId }, job) =>
      post.sendTo(job, ownerId, () =>
        Effect.gen(function*() {
          const text = yield* mails.write(ownerId)
          if (Option.isNone(text)) return yield* Effect.logInfo("The apps were moved meanwhile")
          return text.value
        }))
    )
  })
}))
