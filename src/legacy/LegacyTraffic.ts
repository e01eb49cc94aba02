import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../domain/Ids.ts"
import type { GrantedScopes } from "../scopes/Scope.ts"

/** How legacy clients ask, counted by day: what their owners need to know before they save scopes (specification §5.6). */
export class LegacyTraffic extends Context.Service<LegacyTraffic, {
  /** Counts one authorization request with these scopes; `null` if it named none. */
  count(clientId: ClientId, scopes: GrantedScopes): Effect.Effect<void>
}>()("slotkey/legacy/LegacyTraffic") {
  static readonly layer: Layer.Layer<LegacyTraffic, never, SqlClient.SqlClient> = Layer.effect(
    LegacyTraffic,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const count = Effect.fn("LegacyTraffic.count")(function*(clientId: ClientId, scopes: GrantedScopes) {
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(now)
        const day = DateTime.formatIsoDateUtc(now)
        // In one order, so that two requests of one client can't deadlock.
        const keys = scopes === null ? [unscoped] : [scoped, ...scopes]
        yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
          SELECT ${clientId}, ${day}::text::date, k.scope, 1, ${at}
          FROM unnest(${keys}::text[]) WITH ORDINALITY AS k (scope, at) ORDER BY k.at
          ON CONFLICT (client_id, day, scope) DO UPDATE
          SET requests = legacy_authorizations.requests + 1, last_at = excluded.last_at`
      }, Effect.orDie)

      return LegacyTraffic.of({ count })
    })
  )
}

/** The keys of the table under which whole requests count, without and with a scope. */
export const unscoped = ""
export const scoped = "*"
