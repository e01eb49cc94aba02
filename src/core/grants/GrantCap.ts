import { DateTime, Order } from "effect"
import type { Grant } from "./Grant.ts"

/** Number of live grants that one user may have given to one client. */
export const mostGrants = 100

/**
 * Grants of one user and client that end when another is about to be opened: at the cap those that were refreshed the
 * longest time ago. Two at most, so that a number that exceeds the cap, as after an import, falls slowly: nobody loses
 * hundreds of installations at once.
 */
export const displacedBy = (live: ReadonlyArray<Grant>): ReadonlyArray<Grant> =>
  live.length < mostGrants
    ? []
    : live.toSorted(leastRecentFirst).slice(0, Math.min(live.length - mostGrants + 1, 2)).toSorted(byId)

const leastRecentFirst = Order.mapInput(DateTime.Order, ({ rotatedAt }: Grant) => rotatedAt)

// Order in which all statements lock rows, so that they cannot deadlock.
const byId = Order.mapInput(Order.String, ({ id }: Grant) => id)
