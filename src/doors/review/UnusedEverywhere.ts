import { Effect } from "effect"
import { ClientReview } from "../../core/clients/review/ClientReview.ts"
import { UsageReports } from "../../core/usage/UsageReports.ts"

/** Pages of the apps that reach everyone and do not use that (`UsageReports`), with the apps themselves. */
export const unusedEverywhere = Effect.gen(function*() {
  const review = yield* ClientReview
  const reports = yield* UsageReports

  return Effect.fn("UnusedEverywhere.page")(function*(page: number) {
    const found = yield* reports.appsWithUnused(page)
    if (found === null) return null
    const clients = yield* review.find(found.apps.map(({ clientId }) => clientId))
    return {
      ...found,
      apps: found.apps.flatMap(({ clientId, since, unused }) =>
        clients.filter(({ id }) => id === clientId).map(({ id, name, ownerId }) => ({
          id,
          name,
          ownerId,
          since,
          unused
        }))
      )
    }
  })
})
