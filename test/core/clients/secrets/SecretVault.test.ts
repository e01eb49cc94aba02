import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { SecretVault } from "../../../../src/core/clients/secrets/SecretVault.ts"
import * as Credential from "../../../../src/domain/Credential.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import * as Clients from "../Scenario.ts"

const newClient = Effect.gen(function*() {
  const { client, secret } = yield* Clients.newClient(yield* Clients.newAccount("dev"))
  return { id: client.id, first: Option.getOrThrow(secret) }
})

const succeeded = (results: ReadonlyArray<{ readonly _tag: string }>) =>
  results.filter(({ _tag }) => _tag === "Success").length

layer(Clients.Services)("SecretVault", (it) => {
  it.effect("rotates without downtime", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      const { info, secret } = yield* vault.generate(id)
      assert.match(Redacted.value(secret), /^slk_secret_[A-Za-z0-9]+$/)
      assert.strictEqual(info.lastFour, Redacted.value(secret).slice(-4))
      assert.isTrue(yield* Clients.authenticates(id, first))
      assert.isTrue(yield* Clients.authenticates(id, secret))

      const old = (yield* vault.list(id)).find((one) => one.id !== info.id)
      yield* vault.revoke(id, old?.id ?? "")
      assert.isFalse(yield* Clients.authenticates(id, first))
      assert.isTrue(yield* Clients.authenticates(id, secret))
    }))

  it.effect("tells the owner of each secret that is made or revoked, but of the first one of a new app", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* newClient
      const [first] = yield* vault.list(id)
      const second = yield* vault.generate(id)
      yield* vault.revoke(id, first?.id ?? "")
      const third = yield* vault.replaceAll(id, { by: "cli" })
      const rows = yield* sql<{ payload: unknown }>`SELECT payload - 'userId' AS payload FROM outbox
        WHERE queue = 'credential-notices' AND payload->>'clientId' = ${id} ORDER BY outbox.id`
      const [client] = yield* sql<{ ownerId: string }>`SELECT owner_id FROM clients WHERE id = ${id}`
      const by = client?.ownerId
      assert.deepStrictEqual(rows.map(({ payload }) => payload), [
        { event: "secret.generated", clientId: id, lastFour: [second.info.lastFour], by },
        { event: "secret.revoked", clientId: id, lastFour: [first?.lastFour], by },
        { event: "secret.revoked", clientId: id, lastFour: [second.info.lastFour], by: "cli" },
        { event: "secret.generated", clientId: id, lastFour: [third.info.lastFour], by: "cli" }
      ])
      assert.notInclude(JSON.stringify(rows), Redacted.value(third.secret).slice(11, 30))
    }))

  it.effect("keeps only the digest", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { first, id } = yield* newClient
      const rows = yield* sql`SELECT * FROM client_secrets WHERE client_id = ${id}`
      assert.notInclude(JSON.stringify(rows), Redacted.value(first).slice(11, 30))
      const trail = yield* (yield* AuditLog).list({ clientId: id })
      assert.notInclude(JSON.stringify(trail), Redacted.value(first).slice(11, 30))
    }))

  it.effect("refuses a wrong secret, that of another client, and every secret of an unknown client", () =>
    Effect.gen(function*() {
      const one = yield* newClient
      const other = yield* newClient
      const wrong = yield* Credential.make("clientSecret")
      for (const secret of [wrong, other.first, Redacted.make(""), Redacted.make("nul\0"), Redacted.make("\ud800")]) {
        assert.isFalse(yield* Clients.authenticates(one.id, secret))
      }
      assert.isFalse(yield* Clients.authenticates(ClientId.make("slk_client_unknown"), one.first))
      assert.isFalse(yield* Clients.authenticates(ClientId.make("nul\0"), one.first))
    }))

  it.effect("never revokes the last one, nor one of another client", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const one = yield* newClient
      const other = yield* newClient
      const [only] = yield* vault.list(one.id)
      assert.strictEqual((yield* Effect.flip(vault.revoke(one.id, only?.id ?? ""))).code, "last_secret")
      assert.strictEqual((yield* Effect.flip(vault.revoke(other.id, only?.id ?? ""))).code, "secret_not_found")
      assert.strictEqual((yield* Effect.flip(vault.revoke(one.id, "nul\0")))._tag, "NotFound")
    }))

  it.effect("has none for a public or unknown client", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { client } = yield* Clients.newClient(yield* Clients.newAccount("dev"), { kind: "public" })
      assert.strictEqual((yield* Effect.flip(vault.generate(client.id))).code, "public_client")
      assert.strictEqual((yield* Effect.flip(vault.generate(ClientId.make("unknown"))))._tag, "NotFound")
    }))

  it.effect("never generates a third, however many ask at the same moment", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { id } = yield* newClient
      const results = yield* Effect.all(Array.from({ length: 20 }, () => Effect.result(vault.generate(id))), {
        concurrency: "unbounded"
      })
      assert.strictEqual(succeeded(results), 1)
      assert.lengthOf(yield* vault.list(id), 2)
    }))

  it.effect("leaves one when both are revoked at the same moment", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { id } = yield* newClient
      yield* vault.generate(id)
      const both = yield* vault.list(id)
      const results = yield* Effect.all(
        Array.from({ length: 20 }, (_, i) => Effect.result(vault.revoke(id, both[i % 2]?.id ?? ""))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(succeeded(results), 1)
      assert.lengthOf(yield* vault.list(id), 1)
    }))

  it.effect("records the last use, to the minute", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      const lastUsed = Effect.map(vault.list(id), ([secret]) =>
        secret?.lastUsedAt === null ? null : DateTime.toEpochMillis(secret?.lastUsedAt ?? DateTime.makeUnsafe(-1)))
      assert.isNull(yield* lastUsed)
      yield* Clients.authenticates(id, yield* Credential.make("clientSecret"))
      assert.isNull(yield* lastUsed)

      yield* TestClock.setTime(600_000)
      yield* Clients.authenticates(id, first)
      assert.strictEqual(yield* lastUsed, 600_000)
      yield* TestClock.setTime(659_999)
      yield* Clients.authenticates(id, first)
      assert.strictEqual(yield* lastUsed, 600_000)
      yield* TestClock.setTime(660_000)
      yield* Clients.authenticates(id, first)
      assert.strictEqual(yield* lastUsed, 660_000)
    }))

  const Command = Schema.Literals(["generate", "revoke oldest", "revoke newest", "revoke unknown"])
  it.effect.prop(
    "has one or two under any interleaving",
    [Schema.Array(Command).check(Schema.isMaxLength(12))],
    ([commands]) =>
      Effect.gen(function*() {
        const vault = yield* SecretVault
        const { id } = yield* newClient
        const perform = Effect.fnUntraced(function*(command: typeof Command.Type) {
          if (command === "generate") return yield* Effect.ignore(vault.generate(id))
          const active = yield* vault.list(id)
          assert.isTrue(active.length === 1 || active.length === 2)
          const target = command === "revoke oldest"
            ? active[0]
            : command === "revoke newest"
            ? active.at(-1)
            : undefined
          yield* Effect.ignore(vault.revoke(id, target?.id ?? "sec_unknown"))
        })
        yield* Effect.forEach(commands, perform, { concurrency: "unbounded" })
        const left = (yield* vault.list(id)).length
        assert.isTrue(left === 1 || left === 2)
      }),
    { arbitrary: { runs: 25 } }
  )
})
