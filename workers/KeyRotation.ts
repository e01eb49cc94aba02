import { DateTime, Effect } from "effect"
import { KeyRotation } from "../src/core/keys/KeyRotation.ts"
import { KeyRotation as Kind } from "../src/foundation/jobs/kinds/KeyRotation.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Rotates the keys of access tokens, of their MACs and of refresh tokens; a repeated run finds nothing to do. */
export const worker = Worker.make({
  kind: Kind,
  does: "makes the next keys of the server, and deletes those whose last token has expired",
  handler: Effect.fn("KeyRotation")(function*() {
    const rotation = yield* KeyRotation
    for (const { activeFrom, id, purpose } of yield* rotation.rotateDue("worker")) {
      yield* Effect.logInfo("Made the next key", { purpose, key: id, activeFrom: DateTime.formatIso(activeFrom) })
    }
    const keys = yield* rotation.purge
    if (keys > 0) yield* Effect.logInfo("Deleted keys whose last token has died", { keys })
  })
})
