import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { Catalogue } from "../../../../src/domain/catalogue/Catalogue.ts"
import type { Fault } from "../../../../src/domain/Input.ts"
import { retiring } from "../../../domain/catalogue/RetiringCatalogue.ts"
import { registration } from "../Fixture.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

const Services = Clients.servicesWith().pipe(Layer.provide(Layer.succeed(Catalogue, retiring)))

const setTime = (instant: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(instant)))
const [dayBefore, firstDay] = ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z"] as const

const fault = (at: number): Fault => ({
  path: `scopes.${at}`,
  message: "must not name crm, retired since 2027-01-01: use contacts.read and contacts.write instead",
  rule: {
    code: "scopeReplaced",
    values: { scope: "crm", since: "2027-01-01", successors: ["contacts.read", "contacts.write"] }
  }
})

layer(Services)("A scope that is retired", (it) => {
  it.effect("is registered to the last moment before its day, and refused from then on, with all else", () =>
    Effect.gen(function*() {
      yield* setTime(dayBefore)
      const registry = yield* ClientRegistry
      const { owner } = yield* people
      const input = { ...registration, scopes: ["contacts.read", "crm"] }
      const { client } = yield* registry.register(owner, input)
      assert.deepStrictEqual(client.scopes, ["contacts.read", "crm"])

      yield* setTime(firstDay)
      assert.deepStrictEqual((yield* Effect.flip(registry.register(owner, input))).details, [fault(1)])
      const worse = { ...input, name: " ", scopes: ["crm", "contacts.read", "nothing"] }
      assert.deepStrictEqual(
        (yield* Effect.flip(registry.register(owner, worse))).details,
        [
          {
            path: "name",
            message: "must have 1 to 80 characters",
            rule: { code: "length", values: { least: 1, most: 80 } }
          },
          fault(0),
          {
            path: "scopes.2",
            message: "is not a scope of the catalogue",
            rule: { code: "scope", values: {} }
          }
        ]
      )
    }))

  it.effect("stays with an app that has it, and is not added to another one by an edit", () =>
    Effect.gen(function*() {
      yield* setTime(dayBefore)
      const registry = yield* ClientRegistry
      const { admin, owner } = yield* people
      const has = yield* Clients.approvedClient(owner, admin, { scopes: ["contacts.read", "crm"] })
      const waits = yield* Clients.approvedClient(owner, admin, { scopes: ["contacts.read"] })
      const other = yield* Clients.approvedClient(owner, admin, { scopes: ["contacts.read"] })
      yield* registry.edit(owner, waits.id, { scopes: ["contacts.read", "crm"] })

      yield* setTime(firstDay)
      const kept = yield* registry.edit(owner, has.id, { scopes: ["account.read", "contacts.read", "crm"] })
      assert.deepStrictEqual(kept.change?.scopes, ["account.read", "contacts.read", "crm"])
      yield* registry.edit(owner, has.id, { name: "Another name" })
      const adds = registry.edit(owner, other.id, { scopes: ["contacts.read", "crm"] })
      assert.deepStrictEqual((yield* Effect.flip(adds)).details, [fault(1)])
      assert.isNull((yield* registry.getOwned(owner, other.id)).change)

      // Who asked for it in time is answered by a reviewer, and may change the rest meanwhile.
      const still = yield* registry.edit(owner, waits.id, { scopes: ["crm", "contacts.read", "account.read"] })
      const review = yield* ClientReview
      const approved = yield* review.approve(admin, waits.id, still.version)
      assert.deepStrictEqual(approved.scopes, ["account.read", "contacts.read", "crm"])

      // What is taken away does not come back.
      yield* registry.withdrawChange(owner, has.id)
      yield* registry.edit(owner, has.id, { scopes: ["contacts.read"] })
      const again = registry.edit(owner, has.id, { scopes: ["contacts.read", "crm"] })
      assert.deepStrictEqual((yield* Effect.flip(again)).details, [fault(1)])
    }))

  it.effect("is not among the scopes that a legacy app saves", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const sql = yield* SqlClient.SqlClient
      const { admin, owner } = yield* people
      yield* setTime(firstDay)
      const legacy = yield* Clients.approvedClient(owner, admin, { scopes: ["contacts.read"] })
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${legacy.id}`
      const saves = (scopes: ReadonlyArray<string>) => registry.edit(owner, legacy.id, { scopes, breakOldUrls: true })
      assert.deepStrictEqual((yield* Effect.flip(saves(["crm"]))).details, [fault(0)])
      assert.deepStrictEqual((yield* saves(["contacts.read", "contacts.write"])).scopes, [
        "contacts.read",
        "contacts.write"
      ])
      assert.isTrue(Option.isSome(yield* registry.find(legacy.id)))
    }))
})
