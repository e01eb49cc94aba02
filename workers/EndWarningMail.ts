import { Effect, Layer, Option } from "effect"
import { IdentitySource } from "../src/core/accounts/IdentitySource.ts"
import { EndWarnings } from "../src/core/legacy/migration/EndWarnings.ts"
import { EndWarningMail } from "../src/foundation/jobs/kinds/EndWarningMail.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"

/** Mails an owner about imported grants that are about to end. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const identities = yield* IdentitySource
  const post = yield* Post
  const warnings = yield* EndWarnings

  return Worker.layer({
    kind: EndWarningMail,
    concurrency: 4,
    handler: Effect.fn("EndWarningMail")(function*({ ownerId, until }, job) {
      const owner = yield* identities.find(ownerId)
      if (Option.isNone(owner)) return yield* Effect.logInfo("The account is gone, so nobody is told")
      const text = yield* warnings.write(owner.value, until)
      if (Option.isNone(text)) return yield* Effect.logInfo("The grants were used meanwhile, or have ended")
      yield* post.send(job, owner.value, text.value)
    })
  })
}))
