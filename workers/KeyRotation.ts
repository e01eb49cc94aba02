import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { AppConfig } from "../src/AppConfig.ts"
import { KeyRotation } from "../src/jobs/KeyRotation.ts"
import * as Worker from "../src/jobs/Worker.ts"
import type { KeyRing } from "../src/tokens/KeyRing.ts"
import { RefreshKeys } from "../src/tokens/RefreshKeys.ts"
import { SigningKeys } from "../src/tokens/SigningKeys.ts"

/** Rotates the signing keys and the keys of refresh tokens; a run that repeats another finds nothing to do. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const { keyLifetime } = yield* AppConfig
  const rings = { "access-token": yield* SigningKeys, "refresh-token": yield* RefreshKeys }

  const rotate = Effect.fnUntraced(function*<K>(purpose: string, ring: KeyRing<K>) {
    const next = yield* ring.rotateAfter(keyLifetime)
    if (Option.isSome(next)) {
      const { activeFrom, id } = next.value
      yield* Effect.logInfo("Made the next key", { purpose, key: id, activeFrom: DateTime.formatIso(activeFrom) })
    }
    const gone = yield* ring.purge
    if (gone > 0) yield* Effect.logInfo("Deleted keys whose last token has died", { purpose, keys: gone })
  })

  return Worker.layer({
    kind: KeyRotation,
    schedule: { payload: {}, times: { every: Duration.hours(6) } },
    handler: Effect.fn("KeyRotation")(function*() {
      yield* rotate("access-token", rings["access-token"])
      yield* rotate("refresh-token", rings["refresh-token"])
    })
  })
}))
