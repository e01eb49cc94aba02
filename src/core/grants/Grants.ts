import { Context, Effect, Layer, type Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import * as Mailbox from "../../foundation/database/Mailbox.ts"
import { askAgain } from "../../foundation/database/RetryRolledBack.ts"
import type { Redemption, RedemptionOutcome } from "./CodeRedemption.ts"
import { CodeStore } from "./CodeStore.ts"
import type { Grant } from "./Grant.ts"
import type { RevocationReason } from "./GrantEnds.ts"
import { type GrantStatus, GrantStore } from "./GrantStore.ts"
import type { Rotation, RotationOutcome } from "./RefreshRotation.ts"
import type { Usage } from "./Usage.ts"

/**
 * Grants: the unit of consent, whose fate all its tokens share. The token endpoint redeems and rotates here, the check
 * of API calls asks whether a grant may still be used, and the pages list grants and end them.
 *
 * The messages that come with every request (`redeem`, `rotate`, `findLive`, `statusOf`) go through mailboxes, which
 * hand concurrent ones to `CodeStore` and `GrantStore` as one batch.
 */
export class Grants extends Context.Service<Grants, {
  /** Spends a code and opens its grant, or explains why not. */
  redeem(redemption: Redemption): Effect.Effect<RedemptionOutcome, TemporarilyUnavailable>
  /** Replaces a refresh token by the next generation, or explains why not. */
  rotate(rotation: Rotation): Effect.Effect<RotationOutcome, TemporarilyUnavailable>
  /** Finds a grant that is live: not revoked, not expired, not idle for too long. */
  findLive(grantId: GrantId): Effect.Effect<Option.Option<Grant>, TemporarilyUnavailable>
  statusOf(grantId: GrantId): Effect.Effect<GrantStatus, TemporarilyUnavailable>
  /** Lists the live grants of a user, newest first: those of one client or all. */
  listLive(userId: UserId, clientId?: ClientId): Effect.Effect<ReadonlyArray<Grant>>
  usage(clientId: ClientId): Effect.Effect<Usage>
  /** Ends one grant; answers whether it had not ended before. Joins the caller's transaction, as the next two do. */
  revoke(grantId: GrantId, reason: RevocationReason): Effect.Effect<boolean>
  /**
   * Ends the grants of a user and withdraws unspent codes, for one client or all; answers the number of grants. The
   * reason is that the user disconnected, unless another is named.
   */
  disconnect(userId: UserId, clientId?: ClientId, reason?: RevocationReason): Effect.Effect<number>
  /** Ends the legacy grants of a user and client except the one that takes their place; answers their number. */
  supersede(userId: UserId, clientId: ClientId, by: GrantId): Effect.Effect<number>
}>()("slotkey/core/grants/Grants") {
  static readonly layer = Layer.effect(
    Grants,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const codes = yield* CodeStore
      const store = yield* GrantStore

      return Grants.of({
        // A code is spent once, for the grant that the message names: so a repeat finds that grant, or opens it.
        redeem: yield* Mailbox.make({
          name: "Grants.redeem",
          handle: (batch: Mailbox.Batch<Redemption>) => askAgain(codes.redeem(batch))
        }),
        rotate: yield* Mailbox.make({ name: "Grants.rotate", handle: store.rotate }),
        findLive: yield* Mailbox.make({ name: "Grants.findLive", handle: store.findLive }),
        statusOf: yield* Mailbox.make({ name: "Grants.statusOf", handle: store.statusOf }),
        listLive: store.listLive,
        usage: store.usage,
        revoke: store.revoke,
        // Codes first: one that is being spent meanwhile has become a grant when the grants are ended.
        disconnect: Effect.fn("Grants.disconnect")(
          (userId: UserId, clientId?: ClientId, reason: RevocationReason = "disconnected") =>
            codes.withdraw(userId, clientId).pipe(
              Effect.andThen(store.revokeAll(userId, clientId, reason)),
              inTransaction(sql)
            )
        ),
        supersede: store.supersede
      })
    })
  )
}
