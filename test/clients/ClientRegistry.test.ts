import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ClientRegistry } from "../../src/clients/ClientRegistry.ts"
import * as Clients from "../support/Clients.ts"

layer(Clients.layer)("ClientRegistry", (it) => {
  it.effect("registers an app that waits for review", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const owner = yield* Clients.newAccount("dev")
      const { client, secret } = yield* Clients.newClient(owner)
      assert.match(client.id, /^slk_client_[A-Za-z0-9_]+$/)
      assert.strictEqual(client.status, "pending")
      assert.isTrue(Option.isSome(secret))
      const found = Option.getOrThrow(yield* registry.find(client.id))
      assert.deepStrictEqual({ ...found, change: null }, { ...client })
      const admin = yield* Clients.newAccount("admin", "admin")
      const approved = yield* registry.approve(admin, client.id, 1)
      assert.strictEqual(approved.status, "approved")
      assert.deepStrictEqual((yield* registry.getOwned(owner, client.id)).status, "approved")
      const changed = yield* registry.edit(owner, client.id, { scopes: ["BOOKING_READ", "BOOKING_WRITE"] })
      assert.deepStrictEqual(changed.scopes, ["BOOKING_READ"])
      assert.deepStrictEqual(changed.change?.scopes, ["BOOKING_READ", "BOOKING_WRITE"])
      const [listed] = yield* registry.listOwned(owner)
      assert.deepStrictEqual(listed, changed)
    }))
})
