import { Effect, Layer } from "effect"
import { ReviewDigests } from "../src/foundation/jobs/kinds/ReviewDigests.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { ReviewNews } from "./ReviewNews.ts"

/** Publishes the digests that are due: the first news after a quiet time wait a minute at most. */
export const layer = Layer.unwrap(Effect.map(ReviewNews, ({ publishDue }) =>
  Worker.layer({
    kind: ReviewDigests,
    handler: () => Effect.asVoid(publishDue)
  })))
