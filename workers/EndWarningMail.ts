import { Effect, Layer, Option } from "effect"
import { EndWarnings } from "../src/core/legacy/migration/EndWarnings.ts"
import { EndWarningMail } from "../src/foundation/jobs/kinds/EndWarningMail.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"

/** Mails an owner about imported grants that are about to end. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const post = yield* Post
  const warnings = yield* EndWarnings

  return Worker.layer({
    kind: EndWarningMail,
    concurrency: 4,
    handler: Effect.fn("EndWarningMail")(({ ownerId, until }, job) =>
      post.sendTo(job, ownerId, (owner) =>
        Effect.gen(function*() {
          const text = yield* warnings.write(owner, until)
          if (Option.isNone(text)) return yield* Effect.logInfo("The grants were used meanwhile, or have ended")
          return text.value
        }))
    )
  })
}))
