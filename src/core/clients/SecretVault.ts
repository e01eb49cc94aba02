import { Array, Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { randomBytes } from "node:crypto"
import { Conflict, NotFound } from "../../domain/ApiError.ts"
import * as Credential from "../../domain/Credential.ts"
import { ClientId, SecretId } from "../../domain/Ids.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import { SecretInfo } from "./SecretInfo.ts"

/** The secrets of confidential clients: one or two at any time, kept as digests (specification §3). */
export class SecretVault extends Context.Service<SecretVault, {
  /** Makes a secret; its text is never shown again. */
  generate(clientId: ClientId): Effect.Effect<{ info: SecretInfo; secret: Credential.Credential }, Conflict | NotFound>
  /** Secrets of new clients that were made elsewhere; joins the caller's transaction. */
  adopt(secrets: Array.NonEmptyReadonlyArray<Adopted>): Effect.Effect<void>
  /** Ends a secret at once; the last one stays. */
  revoke(clientId: ClientId, secretId: string): Effect.Effect<void, Conflict | NotFound>
  /** The oldest first. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<SecretInfo>>
}>()("slotkey/core/clients/SecretVault") {
  static readonly layer: Layer.Layer<SecretVault, never, SqlClient.SqlClient | AuditLog> = Layer.effect(
    SecretVault,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const clients = yield* ClientsRepo
      const audit = yield* AuditLog

      const rows = SqlSchema.findAll({
        Request: ClientId,
        Result: Row,
        execute: (clientId) => sql`SELECT * FROM client_secrets WHERE client_id = ${clientId} ORDER BY created_at, id`
      })

      /** ClientCommands on the secrets of one client run one after the other, whatever node they reach. */
      const exclusively = Effect.fnUntraced(function*(clientId: ClientId) {
        const client = yield* clients.lock(clientId)
        return Option.isNone(client) ? yield* noClient : client.value
      })

      const generate = Effect.fn("SecretVault.generate")(
        function*(clientId: ClientId) {
          const client = yield* exclusively(clientId)
          if (client.kind === "public") return yield* noSecrets
          if ((yield* rows(clientId)).length >= limit) return yield* full
          const secret = yield* Credential.make("clientSecret")
          const row = new Row({
            id: newId(),
            clientId,
            digest: Credential.digest(Redacted.value(secret)),
            lastFour: Credential.lastFour(Redacted.value(secret)),
            guessable: false,
            createdAt: yield* DateTime.now,
            lastUsedAt: null
          })
          yield* sql`INSERT INTO client_secrets ${sql.insert(encode(row))}`
          yield* audit.record({ actor: client.ownerId, action: "secret.generated", clientId, details: named(row) })
          return { info: new SecretInfo(row), secret }
        },
        sql.withTransaction,
        Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
      )

      const adopt = Effect.fn("SecretVault.adopt")(function*(secrets: Array.NonEmptyReadonlyArray<Adopted>) {
        const createdAt = yield* DateTime.now
        const rows = Array.map(
          secrets,
          (secret) => encode(new Row({ ...secret, id: newId(), createdAt, lastUsedAt: null }))
        )
        yield* sql`INSERT INTO client_secrets ${sql.insert(rows)}`
      }, Effect.orDie)

      const revoke = Effect.fn("SecretVault.revoke")(
        function*(clientId: ClientId, secretId: string) {
          const client = yield* exclusively(clientId)
          const active = yield* rows(clientId)
          const row = active.find(({ id }) => id === secretId)
          if (row === undefined) return yield* noSecret
          if (active.length === 1) return yield* last
          yield* sql`DELETE FROM client_secrets WHERE id = ${row.id}`
          yield* audit.record({ actor: client.ownerId, action: "secret.revoked", clientId, details: named(row) })
        },
        sql.withTransaction,
        Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
      )

      return SecretVault.of({
        generate,
        adopt,
        revoke,
        list: Effect.fn("SecretVault.list")(
          (clientId) => Effect.map(rows(clientId), (all) => all.map((row) => new SecretInfo(row))),
          Effect.orDie
        )
      })
    })
  ).pipe(Layer.provide(ClientsRepo.layer))
}

/** How many secrets a client has at most. */
export const limit = 2

const newId = () => SecretId.make(`sec_${randomBytes(12).toString("hex")}`)

/** What is known of a secret that was made elsewhere. */
export interface Adopted {
  readonly clientId: ClientId
  readonly digest: Uint8Array
  /** Empty where only the digest is known. */
  readonly lastFour: string
  /** Whether it is short, or may be, because only its digest is known. */
  readonly guessable: boolean
}

class Row extends SecretInfo.extend<Row>("SecretRow")({
  clientId: ClientId,
  digest: Schema.Uint8Array,
  /** Whether it may be short: ours have 256 bits. */
  guessable: Schema.Boolean
}) {}

const encode = Schema.encodeSync(Row)

const named = ({ id, lastFour }: SecretInfo) => ({ secretId: id, lastFour })

const noClient = new NotFound({ code: "client_not_found", message: "There is no such app." })
const noSecret = new NotFound({ code: "secret_not_found", message: "This app has no such secret." })
const noSecrets = new Conflict({
  code: "public_client",
  message: "A public app has no secrets: it proves itself with PKCE."
})
const full = new Conflict({
  code: "secret_limit",
  message: "An app has at most two secrets; revoke one before you make another."
})
const last = new Conflict({
  code: "last_secret",
  message: "The last secret cannot be revoked; make another first."
})
