import { Array, Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { Conflict, NotFound } from "../../../domain/ApiError.ts"
import * as Credential from "../../../domain/Credential.ts"
import { ClientId, SecretId, type UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { CredentialNotice } from "../../../foundation/jobs/kinds/CredentialNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import type { Operator } from "../../audit/Operator.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { callerDevice } from "../../limits/CallerDevice.ts"
import type { Client } from "../records/Client.ts"
import { clientNotFound } from "../records/ClientProblems.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import { SecretInfo } from "./SecretInfo.ts"

/**
 * Secrets of confidential clients: one or two at any time, kept as digests (specification §3). The developer's pages
 * and management API generate and revoke them, the legacy import adds those of other servers. Every command locks the
 * client's row first, so the limits hold under any interleaving.
 */
export class SecretVault extends Context.Service<SecretVault, {
  /**
   * Generates a secret and returns its text, which cannot be read again. Costs an operator none of the owner's budget.
   */
  generate(clientId: ClientId, by?: Operator): Effect.Effect<NewSecret, Conflict | NotFound>
  /** Same for the first secret of a new app, about which its owner needs no mail. */
  generateFirst(clientId: ClientId): Effect.Effect<NewSecret, Conflict | NotFound>
  /** Revokes all secrets with immediate effect and generates another: what an operator does after a leak. */
  replaceAll(clientId: ClientId, by: Operator): Effect.Effect<NewSecret, Conflict | NotFound>
  /** Adds secrets of new clients that another server generated; joins the caller's transaction. */
  addImported(secrets: Array.NonEmptyReadonlyArray<ImportedSecret>): Effect.Effect<void>
  /** Revokes a secret with immediate effect; refused for the last one. */
  revoke(clientId: ClientId, secretId: string): Effect.Effect<void, Conflict | NotFound>
  /** Secrets of a client, oldest first. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<SecretInfo>>
}>()("slotkey/core/clients/secrets/SecretVault") {
  static readonly layer = Layer.effect(
    SecretVault,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const clients = yield* ClientsRepo
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const outbox = yield* Outbox

      const rows = (clientId: ClientId) =>
        allRows(sql`SELECT ${columns} FROM client_secrets WHERE client_id = ${clientId} ORDER BY created_at, id`)

      /** Makes the commands on the secrets of one client run one after the other, whichever node they reach. */
      const lockClient = Effect.fnUntraced(function*(clientId: ClientId) {
        const client = yield* clients.lock(clientId)
        return Option.isNone(client) ? yield* clientNotFound : client.value
      })

      const insert = Effect.fnUntraced(function*(client: Client, actor: UserId | Operator) {
        const secret = yield* Credential.make("clientSecret")
        const row = new Row({
          id: newId(),
          clientId: client.id,
          digest: Credential.digest(Redacted.value(secret)),
          lastFour: Credential.lastFour(Redacted.value(secret)),
          guessable: false,
          foreignDigest: null,
          createdAt: yield* DateTime.now,
          lastUsedAt: null
        })
        yield* sql`INSERT INTO client_secrets ${sql.insert(encode(row))}`
        yield* audit.record({
          actor,
          action: "secret.generated",
          clientId: client.id,
          details: auditDetails(row)
        })
        return { info: new SecretInfo(row), secret }
      })

      const tell = (
        event: "secret.generated" | "secret.revoked",
        { id, ownerId }: Client,
        secrets: ReadonlyArray<SecretInfo>,
        by: UserId | Operator
      ) =>
        Effect.flatMap(
          by === ownerId ? callerDevice : Effect.succeed({}),
          (device) =>
            outbox.publish(CredentialNotice.make({
              userId: ownerId,
              event,
              clientId: id,
              lastFour: secrets.map(({ lastFour }) => lastFour),
              by,
              ...device
            }))
        )

      const add = Effect.fnUntraced(
        function*(clientId: ClientId, by: Operator | undefined, isFirst: boolean) {
          const client = yield* lockClient(clientId)
          if (client.kind === "public") return yield* publicClient
          if ((yield* rows(clientId)).length >= secretLimit) return yield* limitReached
          if (by === undefined) yield* budgets.spend("change", client.ownerId)
          const actor = by ?? client.ownerId
          const made = yield* insert(client, actor)
          if (!isFirst) yield* tell("secret.generated", client, [made.info], actor)
          return made
        },
        inTransaction(sql)
      )

      const replaceAll = Effect.fn("SecretVault.replaceAll")(
        function*(clientId: ClientId, by: Operator) {
          const client = yield* lockClient(clientId)
          if (client.kind === "public") return yield* publicClient
          const revoked = yield* rows(clientId)
          yield* sql`DELETE FROM client_secrets WHERE client_id = ${clientId}`
          yield* audit.recordAll(
            revoked.map((row) => ({ actor: by, action: "secret.revoked", clientId, details: auditDetails(row) }))
          )
          const made = yield* insert(client, by)
          if (revoked.length > 0) yield* tell("secret.revoked", client, revoked, by)
          yield* tell("secret.generated", client, [made.info], by)
          return made
        },
        inTransaction(sql)
      )

      const addImported = Effect.fn("SecretVault.addImported")(function*(
        secrets: Array.NonEmptyReadonlyArray<ImportedSecret>
      ) {
        const createdAt = yield* DateTime.now
        const rows = Array.map(
          secrets,
          (secret) => encode(new Row({ ...secret, id: newId(), createdAt, lastUsedAt: null }))
        )
        yield* sql`INSERT INTO client_secrets ${sql.insert(rows)}`
      }, Effect.orDie)

      const revoke = Effect.fn("SecretVault.revoke")(
        function*(clientId: ClientId, secretId: string) {
          const client = yield* lockClient(clientId)
          const active = yield* rows(clientId)
          const row = active.find(({ id }) => id === secretId)
          if (row === undefined) return yield* secretNotFound
          if (active.length === 1) return yield* lastSecret
          yield* sql`DELETE FROM client_secrets WHERE id = ${row.id}`
          yield* audit.record({
            actor: client.ownerId,
            action: "secret.revoked",
            clientId,
            details: auditDetails(row)
          })
          yield* tell("secret.revoked", client, [row], client.ownerId)
        },
        inTransaction(sql)
      )

      return SecretVault.of({
        generate: Effect.fn("SecretVault.generate")((clientId, by) => add(clientId, by, false)),
        generateFirst: Effect.fn("SecretVault.generateFirst")((clientId) => add(clientId, undefined, true)),
        replaceAll,
        addImported,
        revoke,
        list: Effect.fn("SecretVault.list")(
          (clientId) => Effect.map(rows(clientId), (all) => all.map((row) => new SecretInfo(row))),
          Effect.orDie
        )
      })
    })
  )
}

/** A secret that was just generated, with its text. */
interface NewSecret {
  readonly info: SecretInfo
  readonly secret: Credential.Credential
}

/** Maximum number of secrets of a client (specification §8). */
export const secretLimit = 2

const newId = () => SecretId.make(`sec_${randomBytes(12).toString("hex")}`)

/** A secret that another server generated. */
export interface ImportedSecret {
  readonly clientId: ClientId
  /** Random bytes for a secret under a foreign digest. */
  readonly digest: Uint8Array
  /** A slow digest of the other server, until the first use; else `null`. */
  readonly foreignDigest: string | null
  /** Empty where only the digest is known. */
  readonly lastFour: string
  /** It is short, or its length is unknown because only its digest was imported. */
  readonly guessable: boolean
}

class Row extends SecretInfo.extend<Row>("SecretRow")({
  clientId: ClientId,
  digest: Schema.Uint8Array,
  /** It may be short enough to guess; those generated here have 256 bits. */
  guessable: Schema.Boolean,
  foreignDigest: Schema.NullOr(Schema.String)
}) {}

const allRows = Rows.all(Row)
const columns = Column.names(Row.fields)
const encode = Schema.encodeSync(Row)

const auditDetails = ({ id, lastFour }: SecretInfo) => ({ secretId: id, lastFour })

const secretNotFound = new NotFound({ code: "secret_not_found", message: "This app has no such secret." })
const publicClient = new Conflict({
  code: "public_client",
  message: "A public app has no secrets: it proves itself with PKCE."
})
const limitReached = new Conflict({
  code: "secret_limit",
  message: "An app has at most two secrets; revoke one before you make another."
})
const lastSecret = new Conflict({
  code: "last_secret",
  message: "The last secret cannot be revoked; make another first."
})
