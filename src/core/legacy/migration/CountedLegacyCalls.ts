import { DateTime, Duration, Effect, identity, Latch, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import { LegacyCalls } from "./LegacyCalls.ts"
import { addRefusals, type RefusalCause } from "./LegacyRefusals.ts"
import { callsFor } from "./LegacyTraffic.ts"
import { refusedKey } from "./RefusedCall.ts"

/** Counts of a server, in its database. */
export const CountedLegacyCalls: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effect(
  LegacyCalls,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const calls = new Counts<string>()
    const refusedCalls = new Counts<string>()
    const refused = new Counts<RefusalCause>()
    const reported = yield* Latch.make()

    const writeCalls = Effect.fnUntraced(function*<K extends string>(
      taken: ReadonlyMap<ClientId, ReadonlyMap<K, number>>,
      keyOf: (counted: K) => string,
      whose: Statement.Fragment
    ) {
      const rows = [...taken].flatMap(([id, counts]) =>
        [...counts].map(([counted, requests]) => ({ id, scope: keyOf(counted), requests }))
      )
      const column = <C extends keyof typeof rows[number]>(name: C) => rows.map((row) => row[name])
      const now = yield* DateTime.now
      yield* sql`INSERT INTO legacy_authorizations AS a (client_id, day, scope, requests, last_at)
        SELECT c.id, ${DateTime.formatIsoDateUtc(now)}::text::date, n.scope, n.requests, ${DateTime.toDateUtc(now)}
        FROM unnest(${column("id")}::text[], ${column("scope")}::text[], ${column("requests")}::int[])
          AS n (id, scope, requests) JOIN clients c ON c.id = n.id AND (${whose})
        ORDER BY c.id, n.scope
        ON CONFLICT (client_id, day, scope) DO UPDATE
        SET requests = a.requests + excluded.requests, last_at = excluded.last_at`
    })

    const write = Effect.gen(function*() {
      yield* reported.await
      yield* Effect.sleep(pause)
      yield* reported.close
      const [ofCalls, ofRefusedCalls, ofRefusals] = [calls.take(), refusedCalls.take(), refused.take()]
      yield* Effect.all([
        Effect.when(writeCalls(ofCalls, callsFor, sql`c.legacy`), Effect.sync(() => ofCalls.size > 0)),
        Effect.when(
          writeCalls(ofRefusedCalls, identity, sql`c.legacy OR c.migrated_at IS NOT NULL`),
          Effect.sync(() => ofRefusedCalls.size > 0)
        ),
        Effect.when(addRefusals(ofRefusals), Effect.sync(() => ofRefusals.size > 0))
      ]).pipe(Outages.bestEffort("Calls of legacy apps were not counted"))
    })
    yield* Effect.forkScoped(Effect.forever(write))

    return LegacyCalls.of({
      isCounting: true,
      note: (clientId, { and, or, scope }) => {
        calls.add(clientId, or === undefined ? scope : [scope, ...or].join(" "))
        if (and !== undefined) { for (const other of and) calls.add(clientId, other) }
        reported.openUnsafe()
      },
      noteRefused: (clientId, cause) => {
        refused.add(clientId, cause)
        reported.openUnsafe()
      },
      noteRefusedCall: (clientId, cause, operation) => {
        refusedCalls.add(clientId, refusedKey(cause, operation))
        reported.openUnsafe()
      }
    })
  })
)

/** Sums by client and key. */
class Counts<K extends string> {
  private counts = new Map<ClientId, Map<K, number>>()

  add(clientId: ClientId, key: K): void {
    let counts = this.counts.get(clientId)
    if (counts === undefined) this.counts.set(clientId, counts = new Map())
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  /** Sums since the last time. */
  take(): ReadonlyMap<ClientId, ReadonlyMap<K, number>> {
    const taken = this.counts
    this.counts = new Map()
    return taken
  }
}

const pause = Duration.seconds(2)
