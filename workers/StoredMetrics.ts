import { Duration, Effect, Metric } from "effect"
import type { SqlClient } from "effect/sql"
import * as ClientCounts from "../src/core/clients/records/ClientCounts.ts"
import * as LiveGrants from "../src/core/grants/LiveGrants.ts"
import { usageState } from "../src/core/usage/UsageState.ts"
import { cachedFor } from "../src/domain/CachedFor.ts"
import type { AppConfig } from "../src/foundation/config/AppConfig.ts"
import * as Outages from "../src/foundation/database/Outages.ts"
import * as ServerFigures from "../src/foundation/database/ServerFigures.ts"
import { StatementTimeout } from "../src/foundation/database/StatementTimeout.ts"

/**
 * Makes the collector of the gauges of what the database holds. Every worker reads the same; those of a database that
 * does not answer keep their values, and `slotkey_database_up` is 0.
 */
export const collector: Effect.Effect<Effect.Effect<void>, never, AppConfig | SqlClient.SqlClient> = Effect.gen(
  function*() {
    const context = yield* Effect.context<AppConfig | SqlClient.SqlClient>()
    const grants = Effect.flatMap(LiveGrants.estimate, (live) => Metric.update(liveGrants, live))
    const clients = Effect.gen(function*() {
      const { byStatus, oldestReview, ownerless } = yield* ClientCounts.count
      for (const [status, count] of byStatus) {
        yield* Metric.update(Metric.withAttributes(clientCount, { status }), count)
      }
      yield* Metric.update(oldestReviewAge, oldestReview)
      yield* Metric.update(ownerlessApps, ownerless)
    })
    const database = Effect.gen(function*() {
      const { most, open } = yield* ServerFigures.sessions
      yield* Metric.update(openSessions, open)
      yield* Metric.update(mostSessions, most)
      // Some services that are like PostgreSQL do not tell.
      const lag = yield* Effect.orElseSucceed(ServerFigures.replicationLag, () => 0)
      yield* Metric.update(replicationLag, lag)
    })
    const usage = Effect.gen(function*() {
      const { missedDays, oldestWaiting } = yield* usageState
      yield* Metric.update(oldestCount, oldestWaiting)
      yield* Metric.update(missedUsageDays, missedDays)
    })
    const estimated = yield* cachedFor(limited(grants), "1 minute")
    return Effect.provideContext(
      Effect.all([estimated, limited(clients), limited(usage), limited(database)], { discard: true }),
      context
    )
  }
)

const limited = <E, R>(collect: Effect.Effect<void, E, R>) =>
  collect.pipe(
    Effect.provideService(StatementTimeout, limit),
    Effect.timeout(limit),
    Outages.bestEffort("Figures of the database could not be read")
  )

/** A scraper waits for 10 s. */
const limit = Duration.seconds(5)

const liveGrants = Metric.gauge("slotkey_grants_live", {
  description: "Connections of users to apps that are live, estimated from a sample"
})
const clientCount = Metric.gauge("slotkey_clients", { description: "Apps by status" })
const ownerlessApps = Metric.gauge("slotkey_clients_ownerless", {
  description: "Apps whose owner was shut out or has left, with no co-owner in their place"
})
const oldestReviewAge = Metric.gauge("slotkey_review_oldest_seconds", {
  description: "Time for which the oldest app or change waits for its review, 0 while none does"
})
const oldestCount = Metric.gauge("slotkey_usage_oldest_waiting_seconds", {
  description: "Time for which the oldest counts of calls have waited to be added up, 0 while none wait"
})
const missedUsageDays = Metric.gauge("slotkey_usage_gaps", {
  description: "Days within USAGE_LIFETIME on which calls were not counted, so that nothing is called unused for them"
})
const openSessions = Metric.gauge("slotkey_database_sessions", {
  description: "Sessions of the database server, those of other programs included"
})
const mostSessions = Metric.gauge("slotkey_database_sessions_limit", {
  description: "Sessions that the database server has for programs (max_connections without the reserved ones)"
})
const replicationLag = Metric.gauge("slotkey_database_replication_lag_bytes", {
  description: "What the standby that is furthest behind lacks of the write-ahead log"
})
