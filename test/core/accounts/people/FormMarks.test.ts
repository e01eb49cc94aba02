import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { FormMarks } from "../../../../src/core/accounts/people/FormMarks.ts"
import { MasterKey } from "../../../../src/core/keys/MasterKey.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString("base64url")

const marksUnder = (env: Readonly<Record<string, string>>) =>
  Effect.map(
    Layer.build(
      Layer.fresh(Layer.provide(FormMarks.layer, MasterKey.layer)).pipe(Layer.provide(AppConfig.layerTest(env)))
    ),
    (services) => Context.get(services, FormMarks)
  )

layer(Layer.empty)("The mark in a form", (it) => {
  it.effect("names its user, whatever the platform calls them, and nobody else", () =>
    Effect.gen(function*() {
      const { make, read } = yield* marksUnder({})
      const userId = UserId.make("üser.7|x@idp")
      assert.deepStrictEqual(read(make(userId)), Option.some(userId))
      const [, mac = ""] = make(userId).split(".")
      const other = Buffer.from("admin").toString("base64url")
      for (const forged of [undefined, "", ".", `${other}.${mac}`, `${make(userId)}.`, mac]) {
        assert.isTrue(Option.isNone(read(forged)), forged)
      }
    }))

  it.effect("outlives a change of the master key, while the server has the previous one", () =>
    Effect.gen(function*() {
      const userId = UserId.make("one")
      const before = yield* marksUnder({ MASTER_KEY: keyOf(1) })
      const mark = before.make(userId)
      const during = yield* marksUnder({ MASTER_KEY: keyOf(2), MASTER_KEY_PREVIOUS: keyOf(1) })
      assert.deepStrictEqual(during.read(mark), Option.some(userId))
      assert.notStrictEqual(during.make(userId), mark)
      const after = yield* marksUnder({ MASTER_KEY: keyOf(2) })
      assert.isTrue(Option.isNone(after.read(mark)))
    }))
})
