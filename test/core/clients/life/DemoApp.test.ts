import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { demoApp } from "../../../../src/core/clients/life/DemoApp.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { callOf } from "../../../../src/doors/playground/Step.ts"
import * as Testing from "../../../../src/testing.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { newAccount, newClient } from "../Scenario.ts"

layer(Testing.layer().pipe(Layer.provideMerge(TestDatabase.layer)))("The demo app", (it) => {
  it.effect("is one for each developer, and may be deleted and taken again", () =>
    Effect.gen(function*() {
      const demo = yield* demoApp
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const developer = yield* newAccount("developer")
      const id = yield* demo.ensure(developer)
      assert.strictEqual(yield* demo.ensure(developer), id)
      yield* registry.remove(developer, id)
      assert.strictEqual((yield* review.get(yield* demo.ensure(developer))).status, "approved")
    }))

  it.effect("stays suspended, whoever deletes it", () =>
    Effect.gen(function*() {
      const demo = yield* demoApp
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const developer = yield* newAccount("developer")
      const id = yield* demo.ensure(developer)
      yield* review.suspend(yield* newAccount("admin", "admin"), id, "Abuse.")
      yield* registry.remove(developer, id)
      assert.strictEqual((yield* review.get(yield* demo.ensure(developer))).status, "suspended")
      // All demo apps have one name, which is nobody's.
      yield* review.resume(yield* newAccount("admin", "admin"), id)
      yield* registry.remove(developer, id)
      assert.strictEqual((yield* review.get(yield* demo.ensure(developer))).status, "approved")
    }))

  it.effect("sends no token that is none", () =>
    Effect.gen(function*() {
      const { client } = yield* newClient(yield* newAccount("developer"))
      const held = { secret: undefined, code: undefined, verifier: undefined, refreshToken: undefined }
      const call = (accessToken: string) =>
        callOf({ authUrl: "https://slotkey.test" }, client, "me", { ...held, accessToken })
      assert.propertyVal(call("abc.def"), "bearer", "abc.def")
      assert.propertyVal(call("a\nb"), "bearer", "")
    }))
})
