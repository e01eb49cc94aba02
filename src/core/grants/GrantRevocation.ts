import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { TokenReuse } from "../../foundation/jobs/kinds/TokenReuse.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { Grants } from "./Grants.ts"

/**
 * Ends grants because of a request to the token or revocation endpoint, or a leak, and leaves an entry in the trail.
 * `TokenIssuer` calls it when a code or a refresh token is used twice, `Revocation` when a client asks for it, and
 * `LeakedCredentials` when a refresh token was found in public.
 */
export class GrantRevocation extends Context.Service<GrantRevocation, {
  /**
   * Ends a grant, once. Mails the user if a refresh token was reused, for somebody else may hold it. Without another
   * actor it was the client.
   */
  revoke(grant: RevokedGrant, cause: RevocationCause, by?: string): Effect.Effect<void>
  /**
   * Ends the legacy grants of a client whose scopes have been saved. They live until the user authorizes the client
   * again (specification §5.6), which is now, when the new code has been exchanged for the grant `by`.
   */
  supersede(clientId: ClientId, userId: UserId, by: GrantId): Effect.Effect<void>
}>()("slotkey/core/grants/GrantRevocation") {
  static readonly layer = Layer.effect(
    GrantRevocation,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const grants = yield* Grants
      const outbox = yield* Outbox

      const revoke = Effect.fn("GrantRevocation.revoke")(
        function*({ clientId, grantId, userId }: RevokedGrant, cause: RevocationCause, by: string = clientId) {
          if (!(yield* grants.revoke(grantId, cause))) return
          yield* audit.record({ actor: by, action: cause, clientId, userId, grantId })
          if (cause === "refresh_token.reused") yield* outbox.publish(TokenReuse.make({ grantId, userId, clientId }))
        },
        inTransaction(sql)
      )

      const supersede = Effect.fn("GrantRevocation.supersede")(
        function*(clientId: ClientId, userId: UserId, grantId: GrantId) {
          const ended = yield* grants.supersede(userId, clientId, grantId)
          if (ended === 0) return
          const details = { grants: ended }
          yield* audit.record({ actor: clientId, action: "grant.superseded", clientId, userId, grantId, details })
        },
        inTransaction(sql)
      )

      return GrantRevocation.of({ revoke, supersede })
    })
  )
}

interface RevokedGrant {
  readonly grantId: GrantId
  readonly userId: UserId
  readonly clientId: ClientId
}

/** Why a grant ends, as the trail names it. */
type RevocationCause = "code.replayed" | "refresh_token.reused" | "refresh_token.leaked" | "grant.revoked"
