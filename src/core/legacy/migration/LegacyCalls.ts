import { Context, DateTime, Duration, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"
import type { Scope } from "../../../domain/scopes/Scope.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import { addRefusals, type RefusalCause } from "./LegacyRefusals.ts"
import { callsFor } from "./LegacyTraffic.ts"

/**
 * Counts what the hot path sees of legacy clients (specification §5.6): the scopes that their API calls need, which tell
 * what the scopes to be saved must cover, and what is refused once they are saved. The check of API calls and the token
 * endpoint report. Reporting costs the request nothing but an addition: a fiber writes the sums, every few seconds while
 * there are any. So a node that stops may lose its last seconds. A program that checks calls against a remote server has
 * no counts, hence the default.
 */
export const LegacyCalls = Context.Reference<LegacyCalls>("slotkey/core/legacy/migration/LegacyCalls", {
  defaultValue: () => ({ note: () => {}, noteRefused: () => {} })
})

export interface LegacyCalls {
  /** Reports a call that needed this scope, made with a token that nothing restricts. */
  note(clientId: ClientId, scope: Scope): void
  /** Reports a refusal of any client's request; those of clients that were not migrated are not counted. */
  noteRefused(clientId: ClientId, cause: RefusalCause): void
}

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effect(
  LegacyCalls,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const calls = new Counts<Scope>()
    const refused = new Counts<RefusalCause>()
    const reported = yield* Latch.make()

    const writeCalls = Effect.fnUntraced(function*(taken: ReadonlyMap<ClientId, ReadonlyMap<Scope, number>>) {
      const rows = [...taken].flatMap(([id, counts]) =>
        [...counts].map(([scope, requests]) => ({ id, scope: callsFor(scope), requests }))
      )
      const now = yield* DateTime.now
      yield* sql`INSERT INTO legacy_authorizations AS a (client_id, day, scope, requests, last_at)
        SELECT c.id, ${DateTime.formatIsoDateUtc(now)}::text::date, n.scope, n.requests, ${DateTime.toDateUtc(now)}
        FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ scope }) => scope)}::text[],
          ${
        rows.map(({ requests }) => requests)
      }::int[]) AS n (id, scope, requests) JOIN clients c ON c.id = n.id AND c.legacy
        ORDER BY c.id, n.scope
        ON CONFLICT (client_id, day, scope) DO UPDATE
        SET requests = a.requests + excluded.requests, last_at = excluded.last_at`
    })

    const write = Effect.gen(function*() {
      yield* reported.await
      yield* Effect.sleep(pause)
      yield* reported.close
      const [ofCalls, ofRefusals] = [calls.take(), refused.take()]
      yield* Effect.all([
        Effect.when(writeCalls(ofCalls), Effect.sync(() => ofCalls.size > 0)),
        Effect.when(addRefusals(ofRefusals), Effect.sync(() => ofRefusals.size > 0))
      ]).pipe(Outages.bestEffort("Calls of legacy apps were not counted"))
    })
    yield* Effect.forkScoped(Effect.forever(write))

    return LegacyCalls.of({
      note: (clientId, scope) => {
        calls.add(clientId, scope)
        reported.openUnsafe()
      },
      noteRefused: (clientId, cause) => {
        refused.add(clientId, cause)
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

  /** The sums since the last time. */
  take(): ReadonlyMap<ClientId, ReadonlyMap<K, number>> {
    const taken = this.counts
    this.counts = new Map()
    return taken
  }
}

const pause = Duration.seconds(2)
