import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { TokenReuse } from "../../foundation/jobs/kinds/TokenReuse.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { Grants } from "./Grants.ts"

/** Ends grants because of what came to the token endpoint; who should know of it learns it. */
export class GrantRevocation extends Context.Service<GrantRevocation, {
  /** Ends a grant, once: with an entry in the trail, and a mail to the user if somebody else may have the token. */
  end(ending: Ending): Effect.Effect<void>
  /**
   * Grants from before the client's scopes were saved live until their user authorizes it again (specification §5.6):
   * until now, when the new code has been exchanged.
   */
  supersede(clientId: ClientId, userId: UserId, by: GrantId): Effect.Effect<void>
}>()("slotkey/core/grants/GrantRevocation") {
  static readonly layer: Layer.Layer<GrantRevocation, never, AuditLog | Grants | Outbox | SqlClient.SqlClient> = Layer
    .effect(
      GrantRevocation,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const audit = yield* AuditLog
        const grants = yield* Grants
        const outbox = yield* Outbox

        const end = Effect.fn("GrantRevocation.end")(
          function*({ action, clientId, grantId, userId }: Ending) {
            if (!(yield* grants.revoke(grantId, action))) return
            yield* audit.record({ actor: clientId, action, clientId, userId, grantId })
            if (action === "refresh_token.reused") yield* outbox.publish(TokenReuse.make({ grantId, userId, clientId }))
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        )

        const supersede = Effect.fn("GrantRevocation.supersede")(
          function*(clientId: ClientId, userId: UserId, grantId: GrantId) {
            const ended = yield* grants.supersede(userId, clientId, grantId)
            if (ended === 0) return
            const details = { grants: ended }
            yield* audit.record({ actor: clientId, action: "grant.superseded", clientId, userId, grantId, details })
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        )

        return GrantRevocation.of({ end, supersede })
      })
    )
}

/** Why a grant ends. */
export interface Ending {
  readonly grantId: GrantId
  readonly userId: UserId
  readonly clientId: ClientId
  readonly action: "code.replayed" | "refresh_token.reused" | "grant.revoked"
}
