import { DateTime, Effect, Layer } from "effect"
import { KeyRotation } from "../src/core/keys/KeyRotation.ts"
import { KeyRotation as Kind } from "../src/foundation/jobs/kinds/KeyRotation.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Rotates the keys of access tokens, of their MACs and of refresh tokens; a repeated run finds nothing to do. */
export const layer = Layer.unwrap(Effect.map(KeyRotation, (rotation) =>
  Worker.layer({
    kind: Kind,
    handler: Effect.fn("KeyRotation")(function*() {
      for (const { activeFrom, id, purpose } of yield* rotation.rotateDue("worker")) {
        const details = { purpose, key: id, activeFrom: DateTime.formatIso(activeFrom) }
        yield* Effect.logInfo("Made the next key").pipe(Effect.annotateLogs(details))
      }
      const gone = yield* rotation.purge
      if (gone > 0) {
        yield* Effect.logInfo("Deleted keys whose last token has died").pipe(Effect.annotateLogs({ keys: gone }))
      }
    })
  })))
