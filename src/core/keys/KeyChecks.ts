import { Effect, Layer } from "effect"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { type Finding, Readiness } from "../../foundation/operator/Readiness.ts"
import { RefreshKeys } from "./RefreshKeys.ts"
import { SigningKeys } from "./SigningKeys.ts"

/** The check of the keys of the server, by what this node last read of them. */
export const KeyChecks: Layer.Layer<never, never, DatabaseClock | Readiness | RefreshKeys | SigningKeys> = Layer
  .effectDiscard(Effect.gen(function*() {
    const clock = yield* DatabaseClock
    const readiness = yield* Readiness
    const rings = [yield* SigningKeys, yield* RefreshKeys]

    const probe = Effect.map(clock.now, (now): Finding => {
      const sealed = rings.reduce((sum, ring) => sum + ring.sealedCount(), 0)
      if (sealed > 0) return { status: "failed", detail: `${sealed} ${sealedText}` }
      return rings.some((ring) => ring.live(now).length === 0) ? missing : unsealed
    })
    yield* readiness.add({ name: "keys", probe, otherwise: "failed" })
  }))

// Another node signs with such a key, and this one would refuse its tokens.
const sealedText = "of the server's keys cannot be unsealed. Check MASTER_KEY and MASTER_KEY_PREVIOUS: all processes " +
  "need the same (docs/keys.md)."

const missing: Finding = {
  status: "failed",
  detail: "The database has no keys of the server. Check that DATABASE_URL names the right database."
}
const unsealed: Finding = { status: "ok", detail: "All keys of the server are unsealed." }
