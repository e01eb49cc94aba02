import { Cache, Duration, Effect } from "effect"
import type { ClientId } from "../../domain/Ids.ts"
import { Grants } from "../grants/Grants.ts"

/** Counts the users of apps for the consent page. A node keeps a count for an hour, so it may be old. */
export const appUsers = Effect.gen(function*() {
  const grants = yield* Grants
  const counts = yield* Cache.make({
    lookup: (clientId: ClientId) => grants.usage(clientId),
    capacity: 1_000,
    timeToLive: Duration.hours(1)
  })
  return (clientId: ClientId) => Cache.get(counts, clientId)
})
