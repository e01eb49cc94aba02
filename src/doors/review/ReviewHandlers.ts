import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { searchOwners } from "../../core/accounts/people/OwnerSearch.ts"
import { differences } from "../../core/clients/life/ChangeDiff.ts"
import { ClientReview } from "../../core/clients/life/ClientReview.ts"
import { reviewChecks } from "../../core/clients/life/ReviewChecks.ts"
import { Migration } from "../../core/legacy/migration/Migration.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { orEmpty } from "../../foundation/http/PageNumber.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"

/** Review by API (`ReviewApi`). */
export const ReviewHandlers = HttpApiBuilder.group(
  Api,
  "review",
  Effect.fn(function*(handlers) {
    const review = yield* ClientReview
    const identities = yield* IdentitySource
    const migration = yield* Migration
    const checksOf = yield* reviewChecks

    const owners = (search: string) => Effect.provideService(searchOwners(search), IdentitySource, identities)
    const reviewer = Effect.map(CurrentUser, ({ account }) => account.id)

    return handlers.handleAll({
      queue: Effect.fn(function*({ query }) {
        const page = yield* review.queue({ ...query, owners: yield* owners(query.search ?? "") })
        return succeed(orEmpty(query.page, page, { clients: [] }))
      }),
      review: Effect.fn(function*({ params }) {
        const client = yield* review.get(params.id)
        const owner = Option.map(
          yield* identities.find(client.ownerId),
          ({ email, id, name, username }) => ({ id, name, username, email })
        )
        return succeed({
          ...client,
          migration: client.isLegacyClient ? yield* migration.stateOf(client) : null,
          owner: Option.getOrNull(owner),
          checks: yield* checksOf(client, yield* reviewer),
          differences: client.change === null ? [] : differences(client, client.change)
        })
      }),
      approve: Effect.fn(function*({ params, payload }) {
        return succeed(yield* review.approve(yield* reviewer, params.id, payload.version, payload))
      }),
      reject: Effect.fn(function*({ params, payload }) {
        return succeed(yield* review.reject(yield* reviewer, params.id, payload.reason, payload.version))
      }),
      undoRejection: Effect.fn(function*({ params, payload }) {
        return succeed(yield* review.undoRejection(yield* reviewer, params.id, payload.reason, payload.version))
      }),
      suspend: Effect.fn(function*({ params, payload }) {
        return succeed(yield* review.suspend(yield* reviewer, params.id, payload.reason, payload.version))
      }),
      resume: Effect.fn(function*({ params, payload }) {
        return succeed(yield* review.resume(yield* reviewer, params.id, payload.version, payload))
      })
    })
  })
)
