// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { MasterKey } from "../../../src/core/keys/MasterKey.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

describe("The master key", () => {
  const sealAndUnseal = Effect.gen(function*() {
    const master = yield* MasterKey
    const sealed = yield* master.seal(Buffer.from("secret"))
    assert.notInclude(sealed, "secret")
    return { sealed, text: Buffer.from(Redacted.value(yield* master.unseal(sealed))).toString() }
  })
  const embedded = (folder: string) =>
    Layer.fresh(MasterKey.layer.pipe(
      Layer.provide(
        Layer.effect(AppConfig, Effect.map(AppConfig, (config) => ({ ...config, masterKey: Option.none() })))
      ),
      Layer.provide(AppConfig.layerTest({ DATA_DIR: folder }))
    ))

  it.effect("of embedded mode is created once, in a file that nobody else can read", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      yield* Effect.all([
        Effect.provide(sealAndUnseal, embedded(folder)),
        Effect.provide(sealAndUnseal, embedded(folder))
      ], { concurrency: 2 })
      const file = join(folder, "master.key")
      const key = readFileSync(file, "utf8")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      yield* Effect.provide(sealAndUnseal, embedded(folder))
      assert.strictEqual(readFileSync(file, "utf8"), key)
      chmodSync(file, 0o600)
      writeFileSync(file, "too short")
      const error = yield* Effect.flip(Effect.provide(sealAndUnseal, embedded(folder)))
      assert.include(error.message, "does not hold 32 bytes")
    }))

  it.effect("of embedded mode can be renewed while a server runs", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      yield* Effect.gen(function*() {
        const master = yield* MasterKey
        const { sealed } = yield* sealAndUnseal
        yield* Effect.provide(Effect.flatMap(MasterKey, (other) => other.renew), embedded(folder))
        assert.isFalse(yield* master.isCurrent(sealed))
        assert.strictEqual(Buffer.from(Redacted.value(yield* master.unseal(sealed))).toString(), "secret")
        const { sealed: anew } = yield* sealAndUnseal
        assert.isTrue(yield* master.isCurrent(anew))
        yield* master.forgetPrevious
        const lost = (yield* Effect.flip(master.unseal(sealed))).message
        assert.include(lost, `another master key: put that one back as ${join(folder, "master.key")}`)
      }).pipe(Effect.provide(embedded(folder)))
    }))

  it.effect("of the environment is replaced with the help of the previous one", () =>
    Effect.gen(function*() {
      const key = (byte: number) => Buffer.alloc(32, byte).toString("base64url")
      const from = (env: Record<string, string>) =>
        Layer.fresh(MasterKey.layer.pipe(Layer.provide(AppConfig.layerTest(env))))
      const { sealed } = yield* Effect.provide(sealAndUnseal, from({ MASTER_KEY: key(1) }))
      const unseal = Effect.flatMap(MasterKey, (master) => master.unseal(sealed))
      yield* Effect.provide(unseal, from({ MASTER_KEY: key(2), MASTER_KEY_PREVIOUS: key(1) }))
      const { message } = yield* Effect.flip(Effect.provide(unseal, from({ MASTER_KEY: key(2) })))
      assert.include(message, "another master key: set MASTER_KEY to that one, or MASTER_KEY_PREVIOUS")
      const renew = Effect.flatMap(MasterKey, (master) => master.renew)
      yield* Effect.provide(renew, from({ MASTER_KEY: key(2), MASTER_KEY_PREVIOUS: key(1) }))
      const error = yield* Effect.flip(Effect.provide(renew, from({ MASTER_KEY: key(1) })))
      assert.include(error.message, "MASTER_KEY_PREVIOUS")
    }))
})
