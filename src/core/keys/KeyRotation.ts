import { Array, Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { KeyRing } from "./KeyRing.ts"
import { MasterKey, type MasterKeyError } from "./MasterKey.ts"
import { RefreshKeys } from "./RefreshKeys.ts"
import { type Purpose, ServerKeys } from "./ServerKeys.ts"
import { SigningKeys } from "./SigningKeys.ts"

/** A key that was made to follow another. */
export interface NextKey {
  readonly purpose: Purpose
  readonly id: string
  /** Until then the key before it signs. */
  readonly activeFrom: DateTime.Utc
}

/** Replaces the keys of the server, by command or when they are due. */
export class KeyRotation extends Context.Service<KeyRotation, {
  /** Makes the next key for each purpose; none where one waits to take over already. */
  rotate(actor: string): Effect.Effect<ReadonlyArray<NextKey>, MasterKeyError>
  /** The same for keys that have signed for as long as they should. */
  rotateDue(actor: string): Effect.Effect<ReadonlyArray<NextKey>, MasterKeyError>
  /** A key of access tokens has leaked: all of them are forgotten for a new one, and all access tokens with them. */
  replaceSigningKeys(actor: string): Effect.Effect<NextKey, MasterKeyError>
  /** Seals all keys under a new master key; answers how many. After an interruption it goes on where it was. */
  rotateMaster(actor: string): Effect.Effect<number, MasterKeyError>
  /** Deletes the keys whose last token has died; answers how many. */
  readonly purge: Effect.Effect<number>
}>()("slotkey/core/keys/KeyRotation") {
  static readonly layer: Layer.Layer<
    KeyRotation,
    never,
    AppConfig | AuditLog | MasterKey | RefreshKeys | ServerKeys | SigningKeys | SqlClient.SqlClient
  > = Layer.effect(
    KeyRotation,
    Effect.gen(function*() {
      const { keyLifetime } = yield* AppConfig
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const master = yield* MasterKey
      const refreshKeys = yield* RefreshKeys
      const signingKeys = yield* SigningKeys
      const store = yield* ServerKeys

      const follow = <K>(purpose: Purpose, ring: KeyRing<K>, age: Duration.Duration, actor: string) =>
        ring.rotateAfter(age).pipe(
          Effect.tap(Option.match({
            onNone: () => Effect.void,
            onSome: ({ id }) => audit.record({ actor, action: "key.rotated", details: { purpose, id } })
          })),
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die),
          // The ring has read the key already, which is now in no database.
          Effect.onError(() => ring.reload),
          Effect.map(Option.map((next) => ({ purpose, ...next })))
        )

      const rotateAfter = (age: Duration.Duration) =>
        Effect.fn("KeyRotation.rotate")((actor: string) =>
          Effect.map(
            Effect.all([
              follow("access-token", signingKeys, age, actor),
              follow("refresh-token", refreshKeys, age, actor)
            ]),
            Array.getSomes
          )
        )

      const replaceSigningKeys = Effect.fn("KeyRotation.replaceSigningKeys")(
        function*(actor: string) {
          const next = { purpose: "access-token" as const, ...(yield* signingKeys.replace) }
          yield* audit.record({ actor, action: "key.replaced", details: { purpose: next.purpose, id: next.id } })
          return next
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die),
        Effect.onError(() => signingKeys.reload)
      )

      const reseal = Effect.fnUntraced(function*(sealed: string) {
        if (yield* master.isCurrent(sealed)) return sealed
        return yield* master.seal(Redacted.value(yield* master.unseal(sealed)))
      })

      const rotateMaster = Effect.fn("KeyRotation.rotateMaster")(function*(actor: string) {
        yield* master.renew
        const count = yield* store.reseal(reseal)
        yield* audit.record({ actor, action: "master_key.rotated", details: { keys: count } })
        yield* master.forget
        return count
      })

      return KeyRotation.of({
        rotate: rotateAfter(Duration.zero),
        rotateDue: rotateAfter(keyLifetime),
        replaceSigningKeys,
        rotateMaster,
        purge: Effect.zipWith(signingKeys.purge, refreshKeys.purge, (one, other) => one + other)
      })
    })
  )
}
