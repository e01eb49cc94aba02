import { Context, Effect, Layer, Result } from "effect"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { type Check, failed, type Finding, ok, Readiness } from "../../foundation/operator/Readiness.ts"
import { MacKeys } from "./MacKeys.ts"
import { MasterKey } from "./MasterKey.ts"
import { RefreshKeys } from "./RefreshKeys.ts"
import { Purpose, ServerKeys } from "./ServerKeys.ts"
import { SigningKeys } from "./SigningKeys.ts"

/** Check of the keys of the server, by what this node last read of them. */
export const KeyChecks = Layer.effectDiscard(Effect.gen(function*() {
  const readiness = yield* Readiness
  const rings = [yield* SigningKeys, yield* MacKeys, yield* RefreshKeys]

  const probe = Effect.sync((): Finding => {
    const sealed = rings.reduce((sum, ring) => sum + ring.sealedCount(), 0)
    return findingOf(sealed, rings.every((ring) => ring.live().length > 0))
  })
  yield* readiness.add({ name: "keys", probe, otherwise: "failed" })
}))

/**
 * Check for who makes it once, by what the database holds. It makes no key, as a server does that finds none: neither a
 * master key nor those that it seals.
 */
export const storedKeysCheck: Effect.Effect<Check<"keys">, never, AppConfig | ServerKeys> = Effect.gen(function*() {
  const store = yield* ServerKeys
  const master = Layer.provide(MasterKey.layerExisting, Layer.succeed(AppConfig, yield* AppConfig))

  const probe = Effect.gen(function*() {
    const keys = Object.groupBy((yield* Effect.forEach(Purpose.literals, store.list)).flat(), ({ purpose }) => purpose)
    // Those of MACs are made by the first server of this release.
    if (keys["access-token"] === undefined || keys["refresh-token"] === undefined) return missing
    const { unseal } = Context.get(yield* Layer.build(master), MasterKey)
    const unsealed = yield* Effect.forEach(
      Object.values(keys).flat(),
      ({ encryptedKey }) => Effect.result(unseal(encryptedKey))
    )
    return findingOf(unsealed.filter(Result.isFailure).length, true)
  }).pipe(
    Effect.catchTag("MasterKeyError", ({ message }) => Effect.succeed(failed(message))),
    Effect.scoped
  )
  return { name: "keys", probe, otherwise: "failed" }
})

const findingOf = (sealed: number, hasKeys: boolean): Finding => {
  if (sealed > 0) return failed(`${sealed} ${sealedText}`)
  return hasKeys ? unsealed : missing
}

// Another node signs with such a key, and this one would refuse its tokens.
const sealedText = "of the server's keys cannot be unsealed. Check MASTER_KEY and MASTER_KEY_PREVIOUS: all processes " +
  "need the same (docs/keys.md)."

const missing = failed("The database has no keys of the server. Check that DATABASE_URL names the right database.")
const unsealed = ok("All keys of the server are unsealed.")
