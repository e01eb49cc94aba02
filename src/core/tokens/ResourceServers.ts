import { Array, Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { randomBytes } from "node:crypto"
import * as Credential from "../../domain/Credential.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { operator } from "../audit/Operator.ts"

/** A server that accepts access tokens and asks about them (RFC 7662). */
export interface ResourceServer {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  /** Identifier of the resource about whose tokens alone it may ask; `null` for those of all. */
  readonly resource: string | null
  readonly createdAt: DateTime.Utc
}

/** Resource servers that may introspect the access tokens of all clients. The CLI manages them. */
export class ResourceServers extends Context.Service<ResourceServers, {
  /**
   * Registers a resource server, which may ask about the tokens of one resource or of all; its credential can be shown
   * only now. The caller has found the resource.
   */
  create(
    name: string,
    resource?: string | null
  ): Effect.Effect<{ server: ResourceServer; credential: Credential.Credential }>
  readonly list: Effect.Effect<ReadonlyArray<ResourceServer>>
  /** Revokes a credential with immediate effect; answers whether there was one. */
  revoke(id: string): Effect.Effect<boolean>
  /** Server with this credential. */
  authenticate(credential: Redacted.Redacted): Effect.Effect<Option.Option<ResourceServer>>
  /** Server with this id, if the digest is of its credential. */
  identify(id: string, digest: Uint8Array): Effect.Effect<Option.Option<ResourceServer>>
}>()("slotkey/core/tokens/ResourceServers") {
  static readonly layer: Layer.Layer<ResourceServers, never, SqlClient.SqlClient | AuditLog> = Layer.effect(
    ResourceServers,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog

      const create = Effect.fn("ResourceServers.create")(
        function*(name: string, resource: string | null = null) {
          const credential = yield* Credential.make("resourceServer")
          const text = Redacted.value(credential)
          const id = idPrefix + randomBytes(12).toString("hex")
          const server = { id, name, lastFour: Credential.lastFour(text), resource, createdAt: yield* DateTime.now }
          yield* sql`INSERT INTO resource_servers (id, name, digest, last_four, resource, created_at) VALUES (${id},
            ${name}, ${Credential.digest(text)}, ${server.lastFour}, ${resource},
            ${DateTime.toDateUtc(server.createdAt)})`
          const details = { id, name, ...(resource === null ? {} : { resource }) }
          yield* audit.record({ actor: operator, action: "resource_server.created", details })
          return { server, credential }
        },
        inTransaction(sql)
      )

      const revoke = Effect.fn("ResourceServers.revoke")(
        function*(id: string) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const rows = yield* sql`UPDATE resource_servers SET revoked_at = ${now}
            WHERE id = ${id} AND revoked_at IS NULL RETURNING id`
          if (rows.length === 0) return false
          yield* audit.record({ actor: operator, action: "resource_server.revoked", details: { id } })
          return true
        },
        inTransaction(sql)
      )

      const find = (where: Statement.Fragment) =>
        sql<
          Row
        >`SELECT id, name, last_four, resource, created_at FROM resource_servers WHERE ${where} AND revoked_at IS NULL
          ORDER BY created_at, id`.pipe(Effect.map((rows) => rows.map(fromRow)), Effect.orDie)

      const authenticate = Effect.fnUntraced(function*(credential: Redacted.Redacted) {
        const text = Redacted.value(credential)
        return Credential.parse("resourceServer", text) === undefined
          ? Option.none()
          : Array.head(yield* find(sql`digest = ${Credential.digest(text)}`))
      })

      // Clients ask here, too; their ids have another prefix, so they cost no database access.
      const identify = Effect.fnUntraced(function*(id: string, digest: Uint8Array) {
        return id.startsWith(idPrefix) ? Array.head(yield* find(sql`id = ${id} AND digest = ${digest}`)) : Option.none()
      })

      return ResourceServers.of({
        create,
        revoke,
        authenticate,
        identify,
        list: find(sql`TRUE`).pipe(Effect.withSpan("ResourceServers.list"))
      })
    })
  )
}

const idPrefix = "slk_resource_"

interface Row extends Omit<ResourceServer, "createdAt"> {
  readonly createdAt: Date
}

const fromRow = (row: Row): ResourceServer => ({ ...row, createdAt: DateTime.fromDateUnsafe(row.createdAt) })
