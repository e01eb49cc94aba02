import { Array, Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema, type Statement } from "effect/sql"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { AuditLog } from "../audit/AuditLog.ts"
import type { ClientStanding } from "../clients/Client.ts"
import { ClientsRepo } from "../clients/ClientsRepo.ts"
import { Conflict, NotFound } from "../domain/ApiError.ts"
import * as Credential from "../domain/Credential.ts"
import { ClientId, SecretId } from "../domain/Ids.ts"

/** What is shown of a secret after the moment it was made. */
export class SecretInfo extends Schema.Class<SecretInfo>("SecretInfo")({
  id: SecretId,
  lastFour: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}) {}

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
  /** Whether it is one of the client's secrets; an unknown client takes as long. Notes the use, to the minute. */
  verify(clientId: ClientId, secret: Redacted.Redacted): Effect.Effect<boolean>
  /** The same for many in one statement, in their order, and what their requests are judged by. */
  examine(attempts: ReadonlyArray<Attempt>): Effect.Effect<ReadonlyArray<Examined>, SqlError.SqlError>
  /**
   * The query of what an approved client shows itself with (client_id, secret_digest, secret_id, last_used_at, migrated),
   * for statements that authenticate and act in one: a row for each secret, and for a public client one without.
   */
  readonly selectCredentials: Statement.Fragment
  /** Notes the use of secrets, to the minute. */
  noteUse(used: ReadonlyArray<Usable>, at: Date): Effect.Effect<void, SqlError.SqlError>
}>()("slotkey/secrets/SecretVault") {
  static readonly layer: Layer.Layer<SecretVault, never, SqlClient.SqlClient | AuditLog> = Layer.effect(
    SecretVault,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const plain = sql.withoutTransforms()
      const clients = yield* ClientsRepo
      const audit = yield* AuditLog

      const rows = SqlSchema.findAll({
        Request: ClientId,
        Result: Row,
        execute: (clientId) => sql`SELECT * FROM client_secrets WHERE client_id = ${clientId} ORDER BY created_at, id`
      })

      /** Commands on the secrets of one client run one after the other, whatever node they reach. */
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

      const examine = Effect.fnUntraced(function*(attempts: ReadonlyArray<Attempt>) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const found = yield* plain<ClientStanding & Stored>`
          SELECT c.*, s.id AS "secretId", s.digest, s.last_used_at AS "lastUsedAt"
          FROM (${clients.selectStandings(attempts.map(({ id }) => id))}) c
          LEFT JOIN client_secrets s ON s.client_id = c.id`
        const rows = Map.groupBy(found, ({ id }) => id as string)
        const examined = attempts.map(({ id, secret }) => ({
          client: rows.get(id)?.[0],
          used: matching(rows.get(id) ?? [], secret)
        }))
        yield* noteUse(examined.flatMap(({ used }) => used ?? []), now)
        return examined.map(({ client, used }) => ({ client, verified: used !== undefined }))
      })

      const selectCredentials = sql`
        SELECT c.id AS client_id, c.migrated, s.digest AS secret_digest, s.id AS secret_id, s.last_used_at
        FROM (${clients.selectApproved}) c LEFT JOIN client_secrets s ON s.client_id = c.id
        WHERE (c.kind = 'public') = (s.id IS NULL)`

      // At most once a minute, so that a secret in steady use does not cost a write a request.
      const noteUse = (used: ReadonlyArray<Usable>, now: Date) => {
        const due = new Set(used.flatMap((secret) => isDue(secret, now) ? secret.secretId ?? [] : []))
        // In key order, so that two nodes cannot wait for each other.
        return due.size === 0 ? Effect.void : sql`UPDATE client_secrets SET last_used_at = ${now}
          WHERE id IN (SELECT id FROM client_secrets WHERE id = ANY(${[...due]}) ORDER BY id FOR UPDATE)`
      }

      return SecretVault.of({
        generate,
        adopt,
        revoke,
        verify: (clientId, secret) =>
          Effect.orDie(Effect.map(examine([{ id: clientId, secret }]), ([examined]) => examined?.verified === true)),
        examine,
        selectCredentials,
        noteUse,
        list: Effect.fn("SecretVault.list")(
          (clientId) => Effect.map(rows(clientId), (all) => all.map((row) => new SecretInfo(row))),
          Effect.orDie
        )
      })
    })
  ).pipe(Layer.provide(ClientsRepo.layer))
}

const limit = 2

const newId = () => SecretId.make(`sec_${randomBytes(12).toString("hex")}`)

/** A client as a request presents it: what is no id may be among them, and public ones show no secret. */
export interface Attempt {
  readonly id: string
  readonly secret: Redacted.Redacted | undefined
}

export interface Examined {
  readonly client: ClientStanding | undefined
  /** Whether the secret is one of the client's. */
  readonly verified: boolean
}

/** What is known of a secret that was made elsewhere. */
export interface Adopted {
  readonly clientId: ClientId
  readonly digest: Uint8Array
  readonly lastFour: string
}

class Row extends SecretInfo.extend<Row>("SecretRow")({ clientId: ClientId, digest: Schema.Uint8Array }) {}

const encode = Schema.encodeSync(Row)

const named = ({ id, lastFour }: SecretInfo) => ({ secretId: id, lastFour })

/** A secret that was used, or that its client has none. */
export interface Usable {
  readonly secretId: SecretId | null
  readonly lastUsedAt: Date | null
}

interface Stored extends Usable {
  readonly digest: Uint8Array | null
}

const isDue = ({ lastUsedAt }: Usable, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= 60_000

/** Compares with as many digests as a client may have, each in constant time, whatever the client. */
const matching = (secrets: ReadonlyArray<Stored>, shown: Redacted.Redacted | undefined): Stored | undefined => {
  if (shown === undefined) return undefined
  const digest = Credential.digest(Redacted.value(shown))
  let found: Stored | undefined
  for (let i = 0; i < limit; i++) {
    const secret = secrets[i]
    if (timingSafeEqual(secret?.digest ?? absent, digest) && secret?.digest) found = secret
  }
  return found
}

const absent = new Uint8Array(32)

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
