import { DateTime, Duration, Effect, Option, Redacted, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { Conflict } from "../../../domain/ApiError.ts"
import * as Credential from "../../../domain/Credential.ts"
import { ClientId, SecretId, type UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { type CredentialEvent, CredentialNotice } from "../../../foundation/jobs/kinds/CredentialNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import type { Operator } from "../../audit/Operator.ts"
import { callerDevice } from "../../limits/CallerDevice.ts"
import { appAccess } from "../records/AppAccess.ts"
import type { Client } from "../records/Client.ts"
import { clientNotFound } from "../records/ClientProblems.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import { SecretInfo } from "./SecretInfo.ts"
import { secretWorks } from "./SecretWorks.ts"

/**
 * Steps of which the commands on secrets are made (`SecretVault`, `LeakedSecrets`, `SecretEnds`). All but `list` join
 * the caller's transaction, which begins with `lock`: so the commands on the secrets of one client run one after the
 * other, whichever node they reach.
 */
export const secretRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const clients = yield* ClientsRepo
  const audit = yield* AuditLog
  const outbox = yield* Outbox
  const { peopleWho } = yield* appAccess

  /** Secrets of a client that work, the oldest first. */
  const list = Effect.fnUntraced(function*(clientId: ClientId) {
    const now = yield* DatabaseClock.statementNow
    return yield* allRows(
      sql`SELECT ${columns}, (ends_at <= ${now}) IS TRUE AS is_overdue, sealed IS NOT NULL AS is_sealed
      FROM client_secrets s WHERE client_id = ${clientId} AND ${secretWorks(sql, now)} ORDER BY created_at, id`
    )
  })

  /** Deletes the secrets of a locked client that have ended, so that no other deletion makes one of them the last. */
  const removeEnded = Effect.fnUntraced(function*(client: Client) {
    const { id: clientId } = client
    const now = yield* DatabaseClock.statementNow
    const ended = yield* allEnded(sql`DELETE FROM client_secrets s
      WHERE client_id = ${clientId} AND NOT ${secretWorks(sql, now)} RETURNING id, last_four, ends_at`)
    if (ended.length === 0) return
    yield* audit.recordAll(
      ended.map((row) => ({ actor: server, action: "secret.ended", clientId, details: auditDetails(row) }))
    )
    const people = yield* peopleWho("secrets", client)
    yield* outbox.publishAll(
      people.flatMap((userId) =>
        ended.map(({ endsAt, lastFour }) =>
          CredentialNotice.make({
            userId,
            event: "secret.ended",
            clientId,
            lastFour: [lastFour],
            by: server,
            endsAt
          })
        )
      )
    )
  })

  /** Locks a client, whose secrets are then those that work. */
  const lock = Effect.fnUntraced(function*(clientId: ClientId) {
    const client = yield* clients.lock(clientId)
    if (Option.isNone(client)) return yield* clientNotFound
    yield* Effect.orDie(removeEnded(client.value))
    return client.value
  })

  const insert = Effect.fnUntraced(function*({ actor, client, endsAt, secret, sealed = null }: Insertion) {
    const row = {
      id: newId(),
      clientId: client.id,
      digest: Credential.digest(Redacted.value(secret)),
      lastFour: Credential.lastFour(Redacted.value(secret)),
      guessable: false,
      foreignDigest: null,
      createdAt: yield* DateTime.now,
      lastUsedAt: null,
      endsAt,
      sealed
    }
    yield* sql`INSERT INTO client_secrets ${sql.insert(encode(row))}`
    yield* remember(row)
    yield* audit.record({ actor, action: "secret.generated", clientId: client.id, details: auditDetails(row) })
    return new SecretInfo({ ...row, isOverdue: false, isSealed: sealed !== null })
  })

  /** Notes that the owner knows the end of a secret: no reminder tells of what was chosen a moment ago. */
  const remember = Effect.fnUntraced(function*({ endsAt, id }: Pick<SecretInfo, "endsAt" | "id">) {
    if (endsAt === null) return
    const now = yield* DatabaseClock.statementNow
    yield* sql`UPDATE client_secrets SET end_reminded_at = ${now} WHERE id = ${id}`
  })

  /** Gives a secret an end, or takes it away, with an entry in the trail. */
  const changeEnd = Effect.fnUntraced(function*(
    { client, secret, endsAt, actor }: {
      readonly client: Client
      readonly secret: SecretInfo
      readonly endsAt: DateTime.Utc | null
      readonly actor: UserId | Operator
    }
  ) {
    yield* sql`UPDATE client_secrets SET ends_at = ${encodeEnd(endsAt)} WHERE id = ${secret.id}`
    const changed = new SecretInfo({ ...secret, endsAt, isOverdue: false })
    yield* remember(changed)
    const details = { ...auditDetails(changed), endsAt: endsAt === null ? null : DateTime.formatIso(endsAt) }
    yield* audit.record({ actor, action: "secret.end_changed", clientId: client.id, details })
    return changed
  })

  /** Tells all who may have the secrets; the device goes to who did it, and to nobody else. */
  const tell = Effect.fnUntraced(function*(
    event: CredentialEvent,
    client: Client,
    secrets: ReadonlyArray<Pick<SecretInfo, "lastFour">>,
    by: string,
    more: { readonly foundAt?: string } = {}
  ) {
    const device = yield* callerDevice
    const people = yield* peopleWho("secrets", client)
    yield* outbox.publishAll(people.map((userId) =>
      CredentialNotice.make({
        userId,
        event,
        clientId: client.id,
        lastFour: secrets.map(({ lastFour }) => lastFour),
        by,
        ...more,
        ...(by === userId ? device : {})
      })
    ))
  })

  return { list, lock, insert, changeEnd, tell }
})

interface Insertion {
  readonly client: Client
  readonly actor: string
  readonly secret: Credential.Credential
  readonly endsAt: DateTime.Utc | null
  /** The secret under the master key, for one that nobody has seen yet. */
  readonly sealed?: string | null
}

/** Actor of what nobody does: a date has come. */
export const server = "slotkey"

/** Maximum number of secrets of a client (specification §8). */
export const secretLimit = 2

/** Time for which an overdue secret works on once there is another: the app has to be given that first. */
export const overdueGrace = Duration.days(7)

export const newId = () => SecretId.make(`sec_${randomBytes(12).toString("hex")}`)

/** Columns of a secret that are set when it is made. */
export const Stored = Schema.Struct({
  ...Struct.omit(SecretInfo.fields, ["isOverdue", "isSealed"]),
  clientId: ClientId,
  digest: Schema.Uint8Array,
  /** It may be short enough to guess; those generated here have 256 bits. */
  guessable: Schema.Boolean,
  foreignDigest: Schema.NullOr(Schema.String),
  sealed: Schema.NullOr(Schema.String)
})

const columns = Column.names(Struct.omit(SecretInfo.fields, ["isOverdue", "isSealed"]))
const allRows = Rows.all(SecretInfo)
const allEnded = Rows.all(
  Schema.Struct({ ...Struct.pick(SecretInfo.fields, ["id", "lastFour"]), endsAt: Schema.DateTimeUtcFromDate })
)
export const encode = Schema.encodeSync(Stored)
const encodeEnd = Schema.encodeSync(SecretInfo.fields.endsAt)

export const auditDetails = ({ id, lastFour }: Pick<SecretInfo, "id" | "lastFour">) => ({ secretId: id, lastFour })

export const publicClient = new Conflict({
  code: "public_client",
  message: "A public app has no secrets: it proves itself with PKCE."
})
