import { Array, Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type BadRequest, Conflict, NotFound } from "../../../domain/ApiError.ts"
import * as Credential from "../../../domain/Credential.ts"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { broken } from "../../../domain/Rule.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { type Operator, operator } from "../../audit/Operator.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { nobody } from "../records/Nobody.ts"
import type { SecretInfo } from "./SecretInfo.ts"
import { auditDetails, encode, newId, overdueGrace, publicClient, secretLimit, secretRows } from "./SecretRows.ts"

/**
 * Secrets of confidential clients: one or two at any time, kept as digests (specification §3). The developer's pages
 * and management API generate and revoke them, the legacy import adds those of other servers. Every command locks the
 * client's row first, so the limits hold under any interleaving. A secret may have an end, at which it stops working;
 * the last one does not, and is overdue then (`SecretWorks`). Callers have made sure that who does it may have the
 * secrets of the app (`AppAccess`); `by` is who that is, where it is not the first owner.
 */
export class SecretVault extends Context.Service<SecretVault, {
  /**
   * Generates a secret and returns its text, which cannot be read again. Costs an operator none of the owner's budget.
   * An overdue one goes on working for a week, so that the app can be given the new one.
   */
  generate(clientId: ClientId, options?: NewSecretOptions): Effect.Effect<NewSecret, BadRequest | Conflict | NotFound>
  /** Generates the first secret of a new app, about which its owner needs no mail. */
  generateFirst(clientId: ClientId): Effect.Effect<NewSecret, BadRequest | Conflict | NotFound>
  /** Revokes all secrets with immediate effect and generates another: what an operator does after a leak. */
  replaceAll(
    clientId: ClientId,
    options: NewSecretOptions & { readonly by: Operator }
  ): Effect.Effect<NewSecret, BadRequest | Conflict | NotFound>
  /** Adds secrets of new clients that another server generated; joins the caller's transaction. */
  addImported(secrets: Array.NonEmptyReadonlyArray<ImportedSecret>): Effect.Effect<void>
  /** Gives a secret another end, or none; one that has ended is gone. */
  changeEnd(
    clientId: ClientId,
    secretId: string,
    endsAt: DateTime.Utc | null,
    by?: UserId
  ): Effect.Effect<SecretInfo, BadRequest | NotFound>
  /** Revokes a secret with immediate effect; refused for the last one. */
  revoke(clientId: ClientId, secretId: string, by?: UserId): Effect.Effect<void, Conflict | NotFound>
  /** Secrets of a client that work, oldest first. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<SecretInfo>>
}>()("slotkey/core/clients/secrets/SecretVault") {
  static readonly layer = Layer.effect(
    SecretVault,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const clock = yield* DatabaseClock
      const { changeEnd, insert, list, lock, tell } = yield* secretRows

      const checkEnd = Effect.fnUntraced(function*(endsAt: DateTime.Utc | null) {
        const now = yield* clock.now
        if (endsAt !== null && !DateTime.isGreaterThan(endsAt, now)) return yield* endInPast
        return now
      })

      const add = Effect.fnUntraced(
        function*(clientId: ClientId, { by, endsAt = null }: NewSecretOptions, isFirst: boolean) {
          const now = yield* checkEnd(endsAt)
          const client = yield* lock(clientId)
          if (client.kind === "public") return yield* publicClient
          const present = yield* list(clientId)
          if (present.length >= secretLimit) return yield* limitReached
          const actor = by ?? client.ownerId
          if (actor !== operator && actor !== nobody) yield* budgets.spend("change", actor)
          // It is the last one no more, and would end at once (specification §5.5: old and new both work).
          const graceEnd = DateTime.addDuration(now, overdueGrace)
          const overdue = present.filter(({ isOverdue }) => isOverdue)
          yield* Effect.forEach(overdue, (secret) => changeEnd({ client, secret, endsAt: graceEnd, actor }))
          const secret = yield* Credential.make("clientSecret")
          const info = yield* insert({ client, actor, secret, endsAt })
          if (!isFirst) yield* tell("secret.generated", client, [info], actor)
          return { info, secret }
        },
        inTransaction(sql)
      )

      const replaceAll = Effect.fn("SecretVault.replaceAll")(
        function*(clientId: ClientId, { by, endsAt = null }: NewSecretOptions & { readonly by: Operator }) {
          yield* checkEnd(endsAt)
          const client = yield* lock(clientId)
          if (client.kind === "public") return yield* publicClient
          const revoked = yield* list(clientId)
          yield* sql`DELETE FROM client_secrets WHERE client_id = ${clientId}`
          yield* audit.recordAll(
            revoked.map((row) => ({ actor: by, action: "secret.revoked", clientId, details: auditDetails(row) }))
          )
          const secret = yield* Credential.make("clientSecret")
          const info = yield* insert({ client, actor: by, secret, endsAt })
          if (revoked.length > 0) yield* tell("secret.revoked", client, revoked, by)
          yield* tell("secret.generated", client, [info], by)
          return { info, secret }
        },
        inTransaction(sql)
      )

      const addImported = Effect.fn("SecretVault.addImported")(function*(
        secrets: Array.NonEmptyReadonlyArray<ImportedSecret>
      ) {
        const createdAt = yield* DateTime.now
        const unused = { lastUsedAt: null, endsAt: null, sealed: null }
        const rows = Array.map(secrets, (secret) => encode({ ...secret, ...unused, id: newId(), createdAt }))
        yield* sql`INSERT INTO client_secrets ${sql.insert(rows)}`
      }, Effect.orDie)

      /** A secret of a locked client, which may have ended a moment ago. */
      const find = Effect.fnUntraced(function*(clientId: ClientId, secretId: string) {
        const active = yield* list(clientId)
        const secret = active.find(({ id }) => id === secretId)
        return secret === undefined ? yield* secretNotFound : { secret, active }
      })

      const setEnd = Effect.fn("SecretVault.changeEnd")(
        function*(clientId: ClientId, secretId: string, endsAt: DateTime.Utc | null, by?: UserId) {
          const client = yield* lock(clientId)
          const actor = by ?? client.ownerId
          const { secret } = yield* find(clientId, secretId)
          yield* checkEnd(endsAt)
          yield* budgets.spend("change", actor)
          return yield* changeEnd({ client, secret, endsAt, actor })
        },
        inTransaction(sql)
      )

      const revoke = Effect.fn("SecretVault.revoke")(
        function*(clientId: ClientId, secretId: string, by?: UserId) {
          const client = yield* lock(clientId)
          const actor = by ?? client.ownerId
          const { active, secret } = yield* find(clientId, secretId)
          if (active.length === 1) return yield* lastSecret
          yield* sql`DELETE FROM client_secrets WHERE id = ${secret.id}`
          yield* audit.record({
            actor,
            action: "secret.revoked",
            clientId,
            details: auditDetails(secret)
          })
          yield* tell("secret.revoked", client, [secret], actor)
        },
        inTransaction(sql)
      )

      return SecretVault.of({
        generate: Effect.fn("SecretVault.generate")((clientId, options = {}) => add(clientId, options, false)),
        generateFirst: Effect.fn("SecretVault.generateFirst")((clientId) => add(clientId, {}, true)),
        replaceAll,
        addImported,
        changeEnd: setEnd,
        revoke,
        list: Effect.fn("SecretVault.list")(list, Effect.orDie)
      })
    })
  )
}

/** A secret that was just generated, with its text. */
interface NewSecret {
  readonly info: SecretInfo
  readonly secret: Credential.Credential
}

interface NewSecretOptions {
  /** Co-owner who generates it, or an operator in their place; without it, the first owner. */
  readonly by?: UserId | Operator
  readonly endsAt?: DateTime.Utc | null
}

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

const secretNotFound = new NotFound({ code: "secret_not_found", message: "This app has no such secret." })
const limitReached = new Conflict({
  code: "secret_limit",
  message: "An app has at most two secrets; revoke one before you make another."
})
const lastSecret = new Conflict({
  code: "last_secret",
  message: "The last secret cannot be revoked; make another first."
})
const endInPast = Effect.fail(Input.invalid([{ path: "endsAt", ...broken("endPassed") }]))
