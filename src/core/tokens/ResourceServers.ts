import { Array, Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { randomBytes } from "node:crypto"
import type { BadRequest, NotFound } from "../../domain/ApiError.ts"
import * as Credential from "../../domain/Credential.ts"
import { decode } from "../../domain/Input.ts"
import { Line } from "../../domain/Text.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { operator } from "../audit/Operator.ts"
import type { Resource } from "../resources/Resource.ts"
import { resourceNotFound } from "../resources/ResourceProblems.ts"

/** A server that accepts access tokens and asks about them (RFC 7662). */
export interface ResourceServer {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  /** Identifier of the resource about whose tokens alone it may ask; `null` for those of all. */
  readonly resource: string | null
  readonly createdAt: DateTime.Utc
}

/**
 * Resource servers that may introspect the access tokens of all clients, for one resource or for all. The CLI manages
 * them, and administrators those of one resource.
 */
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
  /** Same for one that is still registered, by an administrator. */
  createFor(
    resource: Pick<Resource, "identifier">,
    name: string,
    by: string
  ): Effect.Effect<{ server: ResourceServer; credential: Credential.Credential }, BadRequest | NotFound>
  /** Those that may ask about the tokens of this resource alone. */
  listOf(resource: Pick<Resource, "identifier">): Effect.Effect<ReadonlyArray<ResourceServer>>
  /** Revokes a credential with immediate effect, if it is one of the resource; answers whether there was one. */
  revoke(id: string, by?: string, resource?: Pick<Resource, "identifier">): Effect.Effect<boolean>
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
        function*(name: string, resource: string | null = null, by: string = operator) {
          const credential = yield* Credential.make("resourceServer")
          const text = Redacted.value(credential)
          const id = idPrefix + randomBytes(12).toString("hex")
          const server = { id, name, lastFour: Credential.lastFour(text), resource, createdAt: yield* DateTime.now }
          yield* sql`INSERT INTO resource_servers (id, name, digest, last_four, resource, created_at) VALUES (${id},
            ${name}, ${Credential.digest(text)}, ${server.lastFour}, ${resource},
            ${DateTime.toDateUtc(server.createdAt)})`
          const details = { id, name, ...(resource === null ? {} : { resource }) }
          yield* audit.record({ actor: by, action: "resource_server.created", details })
          return { server, credential }
        },
        inTransaction(sql)
      )

      const createFor = Effect.fn("ResourceServers.createFor")(
        function*({ identifier }: Pick<Resource, "identifier">, input: string, by: string) {
          const { name } = yield* decodeName({ name: input })
          // Its removal revokes the credentials that it has: one that is made meanwhile waits, and finds it gone.
          const rows = yield* sql`SELECT id FROM resources WHERE identifier = ${identifier} FOR SHARE`
          return yield* rows.length === 0 ? resourceNotFound : create(name, identifier, by)
        },
        inTransaction(sql)
      )

      const revoke = Effect.fn("ResourceServers.revoke")(
        function*(id: string, by: string = operator, resource?: Pick<Resource, "identifier">) {
          if (!id.startsWith(idPrefix) || id.includes("\0")) return false
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const rows = yield* sql<{ readonly name: string }>`UPDATE resource_servers SET revoked_at = ${now}
            WHERE id = ${id} AND revoked_at IS NULL
              AND ${resource === undefined ? sql`TRUE` : sql`resource = ${resource.identifier}`} RETURNING name`
          const [revoked] = rows
          if (revoked === undefined) return false
          yield* audit.record({ actor: by, action: "resource_server.revoked", details: { id, name: revoked.name } })
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
        createFor,
        listOf: Effect.fn("ResourceServers.listOf")(({ identifier }) => find(sql`resource = ${identifier}`)),
        revoke,
        authenticate,
        identify,
        list: find(sql`TRUE`).pipe(Effect.withSpan("ResourceServers.list"))
      })
    })
  )
}

const decodeName = decode(Schema.Struct({ name: Line(1, 100) }))

const idPrefix = "slk_resource_"

interface Row extends Omit<ResourceServer, "createdAt"> {
  readonly createdAt: Date
}

const fromRow = (row: Row): ResourceServer => ({ ...row, createdAt: DateTime.fromDateUnsafe(row.createdAt) })
