import { Effect } from "effect"
import { ReviewDigests } from "../src/foundation/jobs/kinds/ReviewDigests.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { ReviewNews } from "./ReviewNews.ts"

/** Publishes the digests that are due: the first news after a quiet time wait a minute at most. */
export const worker = Worker.make({
  kind: ReviewDigests,
  does: "publishes the digests of reviewers that are due by `REVIEW_DIGEST_INTERVAL`",
  handler: () => Effect.flatMap(ReviewNews, ({ publishDue }) => Effect.asVoid(publishDue))
})
