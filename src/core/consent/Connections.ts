import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { ClientRegistry } from "../clients/life/ClientRegistry.ts"
import type { Client } from "../clients/records/Client.ts"
import { givenAt, type Grant, lastTokensAt } from "../grants/Grant.ts"
import { Grants } from "../grants/Grants.ts"

/** An app with access to a user's account, by one or more grants. */
export interface Connection {
  readonly client: Client
  /** Union of the scopes of its grants. */
  readonly scopes: GrantedScopes
  /** Time of its first grant; `null` for one from before this server of which nobody knows. */
  readonly since: DateTime.Utc | null
  /** Latest exchange or refresh here, whose tokens may be used for half an hour; `null` if there was none. */
  readonly lastUsedAt: DateTime.Utc | null
  readonly grantCount: number
  /** True if one of its grants was given to it on the server before this one. */
  readonly isImported: boolean
}

/** Connected apps, fifty at most. */
export interface ConnectionPage {
  readonly connections: ReadonlyArray<Connection>
  readonly page: number
  readonly pages: number
}

/** Connected apps of users: their page and the platform disconnect apps here. */
export class Connections extends Context.Service<Connections, {
  /** A page of the connected apps of a user, the last used first; the last page for a number beyond it. */
  list(userId: UserId, page: number): Effect.Effect<ConnectionPage>
  find(userId: UserId, clientId: string): Effect.Effect<Option.Option<Connection>>
  /** Ends the grants and tokens of an app at once. Tells whether it had any. */
  disconnect(userId: UserId, clientId: ClientId): Effect.Effect<boolean>
}>()("slotkey/core/consent/Connections") {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalogue = yield* Catalogue
      const audit = yield* AuditLog
      const clients = yield* ClientRegistry
      const grants = yield* Grants

      const list = Effect.fn("Connections.list")(function*(userId: UserId, wanted: number) {
        const byClient = Map.groupBy(yield* grants.listLive(userId), ({ clientId }) => clientId)
        const accesses = Array.from(byClient, ([clientId, grants]) => ({ clientId, ...accessOf(catalogue, grants) }))
          .sort((a, b) => millis(b.lastUsedAt) - millis(a.lastUsedAt))
        const pages = Math.max(1, Math.ceil(accesses.length / pageSize))
        const page = Math.min(Math.max(1, wanted), pages)
        const shown = accesses.slice((page - 1) * pageSize, page * pageSize)
        const found = yield* clients.findAll(shown.map(({ clientId }) => clientId))
        const connections = shown.flatMap(({ clientId, ...access }) => {
          const client = found.get(clientId)
          return client === undefined ? [] : [{ client, ...access }]
        })
        return { connections, page, pages }
      })

      const find = Effect.fn("Connections.find")(function*(userId: UserId, clientId: string) {
        const client = yield* clients.find(clientId)
        if (Option.isNone(client)) return Option.none()
        const live = yield* grants.listLive(userId, client.value.id)
        return live.length === 0 ? Option.none() : Option.some({ client: client.value, ...accessOf(catalogue, live) })
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
        inTransaction(sql)
      )

      return Connections.of({ list, find, disconnect })
    })
  )
}

const pageSize = 50

/** Sum of the grants of one app; there is one at least. */
const accessOf = ({ inOrder }: Catalogue, grants: ReadonlyArray<Grant>): Omit<Connection, "client"> => ({
  scopes: grants.some(({ scopes }) => scopes === null) ? null : inOrder(grants.flatMap(({ scopes }) => scopes ?? [])),
  // A time that nobody knows is before this server, and so before all that are known.
  since: grants.map(givenAt).reduce((a, b) => a && b && DateTime.min(a, b)),
  lastUsedAt: grants.map(lastTokensAt).reduce((a, b) => a && b ? DateTime.max(a, b) : a ?? b),
  grantCount: grants.length,
  isImported: grants.some(({ imported }) => imported !== null)
})

const millis = (at: DateTime.Utc | null): number => at === null ? 0 : DateTime.toEpochMillis(at)
