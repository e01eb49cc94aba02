import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientId, UserId } from "../../../src/domain/Ids.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

layer(AuditLog.layer.pipe(Layer.provideMerge(TestDatabase.layer)))("AuditLog", (it) => {
  it.effect("tells what happened, the newest first and page by page", () =>
    Effect.gen(function*() {
      const audit = yield* AuditLog
      const clientId = ClientId.make("slk_client_paged")
      for (let n = 1; n <= 5; n++) yield* audit.record({ actor: "cli", action: "counted", clientId, details: { n } })
      yield* audit.record({ actor: "cli", action: "elsewhere", userId: UserId.make("someone") })

      const first = yield* audit.list({ clientId, limit: 2 })
      assert.deepStrictEqual(first.map(({ details }) => details["n"]), [5, 4])
      const second = yield* audit.list({ clientId, limit: 9, before: first[1]?.id ?? "" })
      assert.deepStrictEqual(second.map(({ details }) => details["n"]), [3, 2, 1])
      const [other] = yield* audit.list({ userId: UserId.make("someone") })
      assert.strictEqual(other?.action, "elsewhere")
      assert.lengthOf(yield* audit.list({}), 6)
    }))

  it.effect("forgets an entry with the change that was rolled back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const clientId = ClientId.make("slk_client_rolled_back")
      const entry = audit.record({ actor: "cli", action: "tried", clientId })
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(entry, Effect.fail("rolled back"))))
      assert.isEmpty(yield* audit.list({ clientId }))
    }))

  it.effect("keeps whatever text a stranger sent", () =>
    Effect.gen(function*() {
      const audit = yield* AuditLog
      const clientId = ClientId.make("slk_client_hostile")
      yield* audit.record({
        actor: "cli",
        action: "tried",
        clientId,
        details: { text: "nul\0 \ud800 '\"\\ \u{1f6ab}" }
      })
      const [entry] = yield* audit.list({ clientId })
      assert.strictEqual(entry?.details["text"], "nul\ufffd \ufffd '\"\\ \u{1f6ab}")
    }))
})
