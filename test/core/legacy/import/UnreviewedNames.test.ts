import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { reviewChecks } from "../../../../src/core/clients/review/ReviewChecks.ts"
import { layer as server } from "../../../support/TestServer.ts"
import { newAccount, newClient } from "../../clients/Scenario.ts"
import { app, apply, jsonLines } from "./Scenario.ts"

/** What the review page says of the names of other apps. */
const twinsOf = Effect.fnUntraced(function*(id: string) {
  const client = yield* (yield* ClientReview).get(id)
  const found = yield* (yield* reviewChecks)(client, yield* newAccount("admin", "admin"))
  return found.find(({ cause }) => cause.check === "name_resembles")
})

layer(server(), { timeout: 60_000 })("The name of an imported app, which nobody reviewed", (it) => {
  it.effect("is shown to the reviewer of another app that wants it, and stops no approval", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const old = app(yield* newAccount("owner"), { name: "Meeting Mate" })
      yield* apply(jsonLines(old))
      const { client } = yield* newClient(yield* newAccount("other"), { name: "Meeting-Mate" })
      const found = yield* twinsOf(client.id)
      assert.deepStrictEqual(found?.cause, { check: "name_resembles", total: 1, isApproved: false })
      assert.deepStrictEqual(found?.apps.map(({ id, status }) => [id, status]), [[old.client_id, "approved"]])
      assert.deepStrictEqual(found?.acceptTwins, [])
      yield* review.approve(yield* newAccount("admin", "admin"), client.id, 1)
    }))

  it.effect("is one that an approval gives it, with a word for whoever has got it meanwhile, and is protected then", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const admin = yield* newAccount("admin", "admin")
      const owner = yield* newAccount("owner")
      const old = app(owner, { name: "Quiet Hours" })
      yield* apply(jsonLines(old))
      const { client } = yield* newClient(yield* newAccount("other"), { name: "Quiet Hours" })
      yield* review.approve(admin, client.id, 1)
      // Neither its owner nor the rejection of a change needs a word for that.
      yield* registry.edit(owner, old.client_id, { purpose: "Another." })
      const { version } = yield* registry.edit(owner, old.client_id, { website: "https://else.example" })
      assert.propertyVal(
        yield* Effect.flip(review.approve(admin, old.client_id, version)),
        "code",
        "name_resembles"
      )
      const approved = yield* review.approve(admin, old.client_id, version, { acceptTwins: [client.id] })
      assert.isNotNull(approved.reviewedAt)
      const third = yield* newClient(yield* newAccount("third"), { name: "Quiet Hours" })
      assert.sameMembers([...(yield* twinsOf(third.client.id))?.acceptTwins ?? []], [old.client_id, client.id])
    }))

  it.effect("has no day of a review, which users would read", () =>
    Effect.gen(function*() {
      const old = app(yield* newAccount("owner"), { name: "Day Planner" })
      yield* apply(jsonLines(old))
      const found = yield* (yield* ClientRegistry).find(old.client_id)
      assert.isNull(Option.getOrThrow(found).reviewedAt)
    }))
})
