import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict, type NotFound } from "../../../domain/ApiError.ts"
import * as Credential from "../../../domain/Credential.ts"
import type { ClientId, SecretId, UserId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { MasterKey } from "../../keys/MasterKey.ts"
import type { SecretInfo } from "./SecretInfo.ts"
import { auditDetails, secretRows } from "./SecretRows.ts"

/**
 * Secrets that leaked, and those that replace the last one of an app: they are made without their owner, so they are
 * kept encrypted under the master key until the owner has seen them, once. The report of a leak calls it, and the page
 * of the app.
 */
export class SealedSecrets extends Context.Service<SealedSecrets, {
  /**
   * Ends a secret that was found in public, at once, and tells the owner; if it was the last one of its app, another
   * takes its place, sealed. Answers false for one that has ended already.
   */
  endLeaked(leak: LeakedSecret): Effect.Effect<boolean>
  /** Text of a sealed secret, which nobody can read again; its first owner reads it unless `by` says who does. */
  reveal(
    clientId: ClientId,
    secretId: string,
    by?: UserId
  ): Effect.Effect<{ readonly info: SecretInfo; readonly secret: Credential.Credential }, Conflict | NotFound>
}>()("slotkey/core/clients/secrets/SealedSecrets") {
  static readonly layer = Layer.effect(
    SealedSecrets,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const master = yield* MasterKey
      const { insert, list, lock, tell } = yield* secretRows

      const endLeaked = Effect.fn("SealedSecrets.endLeaked")(
        function*({ by, clientId, foundAt, secretId, source }: LeakedSecret) {
          const client = yield* lock(clientId)
          const present = yield* list(clientId)
          const leaked = present.find(({ id }) => id === secretId)
          if (leaked === undefined) return false
          yield* sql`DELETE FROM client_secrets WHERE id = ${leaked.id}`
          yield* audit.record({
            actor: by,
            action: "secret.leaked",
            clientId,
            details: { ...auditDetails(leaked), foundAt, source }
          })
          const isLast = present.length === 1
          if (isLast) {
            const secret = yield* Credential.make("clientSecret")
            const sealed = yield* Effect.orDie(master.seal(Buffer.from(Redacted.value(secret))))
            yield* insert({ client, actor: by, secret, endsAt: null, sealed })
          }
          yield* tell(isLast ? "secret.replaced" : "secret.leaked", client, [leaked], by, { foundAt })
          return true
        },
        inTransaction(sql),
        // The app was deleted meanwhile, and its secrets with it.
        Effect.catchTag("NotFound", () => Effect.succeed(false))
      )

      const reveal = Effect.fn("SealedSecrets.reveal")(
        function*(clientId: ClientId, secretId: string, as?: UserId) {
          const client = yield* lock(clientId)
          const by = as ?? client.ownerId
          const [row] = yield* sql<{ readonly sealed: string }>`UPDATE client_secrets s SET sealed = NULL
            FROM client_secrets old WHERE s.id = ${secretId} AND s.client_id = ${clientId} AND s.sealed IS NOT NULL
              AND old.id = s.id RETURNING old.sealed`
          const info = (yield* list(clientId)).find(({ id }) => id === secretId)
          if (row === undefined || info === undefined) return yield* notSealed
          const secret = yield* Effect.mapError(master.unsealText(row.sealed), () => unreadable)
          yield* audit.record({
            actor: by,
            action: "secret.revealed",
            clientId,
            details: auditDetails(info)
          })
          yield* tell("secret.revealed", client, [info], by)
          return { info, secret }
        },
        inTransaction(sql)
      )

      return SealedSecrets.of({ endLeaked, reveal })
    })
  )
}

interface LeakedSecret {
  readonly clientId: ClientId
  readonly secretId: SecretId
  /** Name of who reports it, for the trail. */
  readonly by: string
  /** Address and kind of the place where it was found, as its finder wrote them. */
  readonly foundAt: string
  readonly source: string
}

const notSealed = new Conflict({
  code: "secret_not_sealed",
  message: "There is no secret to reveal: it was shown before, or revoked."
})
const unreadable = new Conflict({
  code: "secret_unreadable",
  message: "This secret cannot be read any more; generate another, then revoke it."
})
