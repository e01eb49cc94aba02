import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import { type GrantedScopes, inOrder } from "../../domain/scopes/Scope.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { Client } from "../clients/Client.ts"
import { ClientRegistry } from "../clients/ClientRegistry.ts"
import type { Grant } from "../grants/Grant.ts"
import { Grants } from "../grants/Grants.ts"

/** An app that has access to an account, by one grant or by several. */
export interface Connection {
  readonly client: Client
  /** All that the grants allow together. */
  readonly scopes: GrantedScopes
  readonly since: DateTime.Utc
  /** When a grant was last opened or refreshed. */
  readonly lastUsedAt: DateTime.Utc
  readonly grants: number
}

/** The apps that users have given access to. */
export class Connections extends Context.Service<Connections, {
  /** The apps of a user, the one used last first. */
  list(userId: UserId): Effect.Effect<ReadonlyArray<Connection>>
  /** Ends consent and tokens of an app at once; answers whether it had any. */
  disconnect(userId: UserId, clientId: ClientId): Effect.Effect<boolean>
}>()("slotkey/core/consent/Connections") {
  static readonly layer: Layer.Layer<
    Connections,
    never,
    SqlClient.SqlClient | AuditLog | ClientRegistry | Grants
  > = Layer.effect(
    Connections,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const clients = yield* ClientRegistry
      const grants = yield* Grants

      const list = Effect.fn("Connections.list")(function*(userId: UserId) {
        const byClient = Map.groupBy(yield* grants.listForUser(userId), ({ clientId }) => clientId)
        const found = yield* Effect.forEach(byClient, ([clientId, grants]) =>
          Effect.map(
            clients.find(clientId),
            Option.map((client) => together(client, grants))
          ))
        return found.flatMap(Option.toArray).sort((a, b) => DateTime.Order(b.lastUsedAt, a.lastUsedAt))
      })

      const disconnect = Effect.fn("Connections.disconnect")(
        function*(userId: UserId, clientId: ClientId) {
          const count = yield* grants.disconnect(userId, clientId)
          if (count === 0) return false
          yield* audit.record({
            actor: userId,
            action: "consent.withdrawn",
            clientId,
            userId,
            details: { grants: count }
          })
          return true
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      return Connections.of({ list, disconnect })
    })
  )
}

const together = (client: Client, grants: ReadonlyArray<Grant>): Connection => ({
  client,
  scopes: grants.some(({ scopes }) => scopes === null) ? null : inOrder(grants.flatMap(({ scopes }) => scopes ?? [])),
  since: grants.map(({ createdAt }) => createdAt).reduce((a, b) => DateTime.min(a, b)),
  lastUsedAt: grants.map(({ rotatedAt }) => rotatedAt).reduce((a, b) => DateTime.max(a, b)),
  grants: grants.length
})
