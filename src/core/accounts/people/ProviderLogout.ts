import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { Limiter } from "../../limits/Limiter.ts"
import { ClaimedRoles } from "./ClaimedRoles.ts"
import type { EndedOrigin } from "./SessionEnds.ts"
import { Sessions } from "./Sessions.ts"

/** A provider's message that a sign-in has ended there, whose signature, age, issuer and audience were verified. */
export interface Logout extends EndedOrigin {
  /** Its name among the messages of the issuer. */
  readonly id: string
}

/**
 * Ends the sessions that come from a sign-in elsewhere when it ends there, and what claims have lent the user. The
 * grants of the user stay.
 */
export class ProviderLogout extends Context.Service<ProviderLogout, {
  /** False if a message with this id came before, to any node: it ends nothing that has begun since. */
  end(logout: Logout): Effect.Effect<boolean>
}>()("slotkey/core/accounts/people/ProviderLogout") {
  static readonly layer = Layer.effect(
    ProviderLogout,
    Effect.gen(function*() {
      const limiter = yield* Limiter
      const roles = yield* ClaimedRoles
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient

      const end = Effect.fn("ProviderLogout.end")(
        function*({ id, ...origin }: Logout) {
          yield* limiter.count([{ subject: limiter.subjectOf("logout", origin.issuer, id), limit: 1 }], remembered)
          yield* roles.endFrom(origin)
          yield* sessions.endFrom(origin)
          return true
        },
        inTransaction(sql),
        Effect.catchTag("TooManyAttempts", () => Effect.succeed(false))
      )

      return ProviderLogout.of({ end })
    })
  )
}

// Longer than such a message is accepted after it was made.
const remembered = Duration.minutes(10)
