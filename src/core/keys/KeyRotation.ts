import { Array, Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type * as KeyRing from "./KeyRing.ts"
import { MacKeys } from "./MacKeys.ts"
import { MasterKey, type MasterKeyError } from "./MasterKey.ts"
import { RefreshKeys } from "./RefreshKeys.ts"
import { sealedColumns } from "./SealedColumns.ts"
import { type Purpose, ServerKeys } from "./ServerKeys.ts"
import { SigningKeys } from "./SigningKeys.ts"

/** A key that takes over, and its purpose. */
interface NextKey extends KeyRing.NextKey {
  readonly purpose: Purpose
}

/**
 * Replaces the keys of the server, with an entry in the trail: the command line calls it for an operator, a worker when
 * keys are due.
 */
export class KeyRotation extends Context.Service<KeyRotation, {
  /** Creates the next key for each purpose, unless one is already waiting to take over. */
  rotate(actor: string): Effect.Effect<ReadonlyArray<NextKey>, MasterKeyError>
  /** Same for keys that have signed for `KEY_LIFETIME`. */
  rotateDue(actor: string): Effect.Effect<ReadonlyArray<NextKey>, MasterKeyError>
  /**
   * Replaces all keys of access tokens at once, those of signatures and those of MACs, after one has leaked: older
   * access tokens become invalid. Answers the key that signs now.
   */
  replaceSigningKeys(actor: string): Effect.Effect<NextKey, MasterKeyError>
  /** Seals keys and secrets under a new master key and answers their number. Can be repeated after an interruption. */
  rotateMaster(actor: string): Effect.Effect<number, MasterKeyError>
  /** Deletes the keys whose last token has expired; answers their number. */
  readonly purge: Effect.Effect<number>
}>()("slotkey/core/keys/KeyRotation") {
  static readonly layer = Layer.effect(
    KeyRotation,
    Effect.gen(function*() {
      const { keyLifetime } = yield* AppConfig
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const macKeys = yield* MacKeys
      const master = yield* MasterKey
      const refreshKeys = yield* RefreshKeys
      const signingKeys = yield* SigningKeys
      const sealed = yield* sealedColumns
      const store = yield* ServerKeys

      const rotateRing = <K>(purpose: Purpose, ring: KeyRing.KeyRing<K>, age: Duration.Duration, actor: string) =>
        ring.rotateAfter(age).pipe(
          Effect.tap(Option.match({
            onNone: () => Effect.void,
            onSome: ({ id }) => audit.record({ actor, action: "key.rotated", details: { purpose, id } })
          })),
          inTransaction(sql),
          // The ring has loaded a key that was rolled back.
          Effect.onError(() => ring.reload),
          Effect.map(Option.map((next) => ({ purpose, ...next })))
        )

      const rotateAfter = (age: Duration.Duration) =>
        Effect.fn("KeyRotation.rotate")((actor: string) =>
          Effect.map(
            Effect.all([
              rotateRing("access-token", signingKeys, age, actor),
              rotateRing("access-token-mac", macKeys, age, actor),
              rotateRing("refresh-token", refreshKeys, age, actor)
            ]),
            Array.getSomes
          )
        )

      const replaceRing = Effect.fnUntraced(function*<K>(purpose: Purpose, ring: KeyRing.KeyRing<K>, actor: string) {
        const next = { purpose, ...(yield* ring.replace) }
        yield* audit.record({ actor, action: "key.replaced", details: { purpose, id: next.id } })
        return next
      })

      const replaceSigningKeys = Effect.fn("KeyRotation.replaceSigningKeys")(
        function*(actor: string) {
          yield* replaceRing("access-token-mac", macKeys, actor)
          return yield* replaceRing("access-token", signingKeys, actor)
        },
        inTransaction(sql),
        Effect.onError(() => Effect.andThen(macKeys.reload, signingKeys.reload))
      )

      const reseal = Effect.fnUntraced(function*(sealed: string) {
        if (yield* master.isCurrent(sealed)) return sealed
        return yield* master.seal(Redacted.value(yield* master.unseal(sealed)))
      })

      const rotateMaster = Effect.fn("KeyRotation.rotateMaster")(function*(actor: string) {
        yield* master.renew
        const count = (yield* store.reseal(reseal)) + (yield* sealed.reseal(reseal))
        yield* audit.record({ actor, action: "master_key.rotated", details: { keys: count } })
        yield* master.forgetPrevious
        return count
      })

      return KeyRotation.of({
        rotate: rotateAfter(Duration.zero),
        rotateDue: rotateAfter(keyLifetime),
        replaceSigningKeys,
        rotateMaster,
        purge: Effect.map(
          Effect.all([signingKeys.purge, macKeys.purge, refreshKeys.purge]),
          (counts) => counts.reduce((sum, count) => sum + count, 0)
        )
      })
    })
  )
}
