import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { ClientReview } from "../../core/clients/review/ClientReview.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"

/** Refused requests by API (`RefusedRequestsApi`). */
export const RefusedRequestsHandlers = HttpApiBuilder.group(
  Api,
  "refusedRequests",
  Effect.fn(function*(handlers) {
    const review = yield* ClientReview
    const refusedRequests = yield* RefusedRequests

    return handlers.handleAll({
      find: Effect.fn(function*({ query }) {
        return succeed(yield* refusedRequests.find(query.reference))
      }),
      ofClient: Effect.fn(function*({ params }) {
        const { id } = yield* review.get(params.id)
        return succeed(yield* refusedRequests.latest(id, mostListed))
      })
    })
  })
)

const mostListed = 100
