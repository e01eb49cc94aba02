import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { ReviewNotice } from "../../../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../../../src/foundation/jobs/outbox/Outbox.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const job = (id: string) =>
  ReviewNotice.make({ clientId: ClientId.make(id), event: "rejected", reason: "says \"no\" \u{1f6ab}" })

const published = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ queue: string; subject: string; payload: unknown }>`
    SELECT queue, subject, payload FROM outbox ORDER BY id`
})

layer(Outbox.layer.pipe(Layer.provideMerge(TestDatabase.layer)))("Outbox", (it) => {
  it.effect("commits a job with the change it follows from, and forgets it with a rollback", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      yield* sql.withTransaction(outbox.publish(job("kept")))
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(outbox.publish(job("lost")), Effect.fail("rolled back"))))

      assert.deepStrictEqual(yield* published, [{
        queue: "review-notices",
        subject: "client:kept",
        payload: { clientId: "kept", event: "rejected", reason: "says \"no\" \u{1f6ab}" }
      }])
    }))
})
