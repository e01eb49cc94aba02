import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import { type GrantedScopes, inOrder } from "../../domain/scopes/Scope.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { Client } from "../clients/Client.ts"
import { ClientRegistry } from "../clients/ClientRegistry.ts"
import type { Grant } from "../grants/Grant.ts"
import { Grants } from "../grants/Grants.ts"

/** An app with access to a user's account, by one or more grants. */
export interface Connection {
  readonly client: Client
  /** The union of the scopes of its grants. */
  readonly scopes: GrantedScopes
  readonly since: DateTime.Utc
  /** The latest exchange or refresh. */
  readonly lastUsedAt: DateTime.Utc
  readonly grantCount: number
}

/** The connected apps of users: their page and the platform disconnect apps here. */
export class Connections extends Context.Service<Connections, {
  /** The connected apps of a user, the last used first. */
  list(userId: UserId): Effect.Effect<ReadonlyArray<Connection>>
  /** Ends the grants and tokens of an app at once. Tells whether it had any. */
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
            Option.map((client) => toConnection(client, grants))
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

const toConnection = (client: Client, grants: ReadonlyArray<Grant>): Connection => ({
  client,
  scopes: grants.some(({ scopes }) => scopes === null) ? null : inOrder(grants.flatMap(({ scopes }) => scopes ?? [])),
  since: grants.map(({ createdAt }) => createdAt).reduce((a, b) => DateTime.min(a, b)),
  lastUsedAt: grants.map(({ rotatedAt }) => rotatedAt).reduce((a, b) => DateTime.max(a, b)),
  grantCount: grants.length
})
