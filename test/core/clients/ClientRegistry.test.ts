import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../src/core/clients/ClientRegistry.ts"
import { SecretCheck } from "../../../src/core/clients/SecretCheck.ts"
import { SecretVault } from "../../../src/core/clients/SecretVault.ts"
import * as Clients from "../../support/Clients.ts"

const people = Effect.all({
  owner: Clients.newAccount("dev"),
  other: Clients.newAccount("other"),
  admin: Clients.newAccount("admin", "admin"),
  second: Clients.newAccount("admin", "admin")
})

const notices = Effect.fnUntraced(function*(clientId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ payload: { event: string; reason?: string } }>`SELECT payload FROM outbox
    WHERE queue = 'review-notices' AND subject = ${`client:${clientId}`} ORDER BY id`
  return rows.map(({ payload: { event, reason } }) => reason === undefined ? event : `${event}: ${reason}`)
})

layer(Clients.layer)("ClientRegistry", (it) => {
  it.effect("registers an app that waits for review, a confidential one with its first secret", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { owner } = yield* people
      const { client, secret } = yield* Clients.newClient(owner)
      assert.match(client.id, /^slk_client_[A-Za-z0-9_]+$/)
      assert.strictEqual(client.status, "pending")
      assert.isTrue(yield* Clients.showsSecret(client.id, Option.getOrThrow(secret)))
      assert.deepStrictEqual({ ...Option.getOrThrow(yield* registry.find(client.id)), change: null }, { ...client })
      assert.deepStrictEqual(yield* registry.listOwned(owner), [client])

      const app = yield* Clients.newClient(owner, { kind: "public", redirectUris: ["com.example.app:/callback"] })
      assert.isTrue(Option.isNone(app.secret))
      assert.isEmpty(yield* (yield* SecretVault).list(app.client.id))
    }))

  it.effect("registers a draft once, however often it is sent at the same moment", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { other, owner } = yield* people
      const send = registry.register(owner, Clients.registration, "one form")
      const sent = yield* Effect.all(Array.from({ length: 10 }, () => send), { concurrency: "unbounded" })
      assert.strictEqual(new Set(sent.map(({ client }) => client.id)).size, 1)
      assert.lengthOf(sent.filter(({ secret }) => Option.isSome(secret)), 1)
      assert.lengthOf(yield* registry.listOwned(owner), 1)
      const theirs = yield* registry.register(other, Clients.registration, "one form")
      assert.notStrictEqual(theirs.client.id, sent[0]?.client.id)
    }))

  it.effect("lets a hundred apps of an owner wait for review, however many come at once", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { admin, owner } = yield* people
      const register = Effect.result(registry.register(owner, Clients.registration))
      const sent = yield* Effect.replicateEffect(register, 104, { concurrency: 8 })
      assert.lengthOf(sent.filter(({ _tag }) => _tag === "Success"), 100)
      const [first] = yield* registry.listOwned(owner)
      assert.strictEqual((yield* Effect.flip(registry.register(owner, Clients.registration)))._tag, "Conflict")
      yield* registry.reject(admin, first!.id, "No.", first!.version)
      yield* registry.register(owner, Clients.registration)
    }))

  it.effect("is looked up together as it is found alone", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const secrets = yield* SecretCheck
      const { owner } = yield* people
      const known = yield* Effect.forEach([1, 2, 3], () => Clients.newClient(owner))
      const ids = [
        ...known.map(({ client }) => client.id),
        "slk_client_unknown",
        "",
        "nul\0",
        "\ud800",
        "x".repeat(300)
      ]
      const together = yield* secrets.lookUp([...ids, ...ids].map((id) => ({ id, secretDigest: null })))
      const alone = yield* Effect.forEach([...ids, ...ids], (id) => registry.find(id))
      assert.deepStrictEqual(
        together.map(({ client }) =>
          Option.map(
            Option.fromUndefinedOr(client),
            ({ id, kind, legacy, migrated, status }) => ({ id, kind, status, legacy, migrated })
          )
        ),
        alone.map(Option.map(({ id, kind, legacy, migratedAt, status }) => ({
          id,
          kind,
          status,
          legacy,
          migrated: migratedAt !== null
        })))
      )
    }))

  it.effect("names every field at fault and keeps nothing", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { owner } = yield* people
      const refused = yield* Effect.flip(registry.register(owner, {
        kind: "secret",
        name: " ",
        purpose: "nul\0",
        website: "app.example",
        logoUrl: "http://app.example/logo.png",
        redirectUris: ["https://a.example/", "https://b.example/", "http://c.example/"],
        scopes: ["BOOKING_READ", "EVERYTHING"]
      }))
      assert.sameMembers(
        refused.details?.map(({ path }) => path) ?? [],
        ["kind", "name", "purpose", "website", "logoUrl", "redirectUris.2", "scopes.1"]
      )
      const misfit = yield* Effect.flip(
        registry.register(owner, { ...Clients.registration, redirectUris: ["com.example.app:/"] })
      )
      assert.strictEqual(misfit.details?.[0]?.path, "redirectUris.0")
      assert.isEmpty(yield* registry.listOwned(owner))
    }))

  it.effect("shows and obeys its owner alone", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { other, owner } = yield* people
      const { client } = yield* Clients.newClient(owner)
      for (
        const attempt of [
          registry.getOwned(other, client.id),
          registry.edit(other, client.id, { name: "Mine" }),
          registry.resubmit(other, client.id),
          registry.withdrawChange(other, client.id),
          registry.remove(other, client.id),
          registry.getOwned(owner, "slk_client_unknown"),
          registry.get("nul\0")
        ]
      ) assert.strictEqual((yield* Effect.flip(attempt))._tag, "NotFound")
      assert.deepStrictEqual(yield* registry.getOwned(owner, client.id), client)
    }))

  it.effect("keeps each decision, its audit entry and its notice together", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const audit = yield* AuditLog
      const { admin, owner } = yield* people
      const { client: { id } } = yield* Clients.newClient(owner)
      yield* registry.reject(admin, id, "Too vague.", 1)
      yield* registry.edit(owner, id, { purpose: "Copies bookings into a calendar." })
      yield* registry.approve(admin, id, 3)
      yield* registry.edit(owner, id, { scopes: ["BOOKING_READ", "BOOKING_WRITE"] })
      yield* registry.reject(admin, id, "Why write?", 5)
      yield* registry.suspend(admin, id, "Abuse.")
      yield* registry.resume(admin, id)

      assert.deepStrictEqual(yield* notices(id), [
        "submitted",
        "rejected: Too vague.",
        "resubmitted",
        "approved",
        "changed",
        "change-rejected: Why write?",
        "suspended: Abuse.",
        "resumed"
      ])
      const trail = (yield* audit.list({ clientId: id })).toReversed()
      assert.deepStrictEqual(trail.map(({ action, actor }) => `${action} ${actor === admin ? "admin" : "owner"}`), [
        "client.registered owner",
        "secret.generated owner",
        "client.rejected admin",
        "client.resubmitted owner",
        "client.approved admin",
        "client.edited owner",
        "client.change_rejected admin",
        "client.suspended admin",
        "client.resumed admin"
      ])
      assert.strictEqual(trail[6]?.details["scopes"], "+BOOKING_WRITE")
    }))

  it.effect("tells the second of two administrators, and overwrites nothing", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { admin, owner, second } = yield* people
      const { client } = yield* Clients.newClient(owner)
      const results = yield* Effect.all([
        Effect.result(registry.approve(admin, client.id, client.version)),
        Effect.result(registry.reject(second, client.id, "No.", client.version))
      ], { concurrency: "unbounded" })
      assert.lengthOf(results.filter(({ _tag }) => _tag === "Success"), 1)
      const refused = results.flatMap((result) => result._tag === "Failure" ? [result.failure] : [])
      assert.deepStrictEqual(refused.map(({ code }) => code), ["version_conflict"])
      const kept = yield* registry.get(client.id)
      assert.strictEqual(kept.version, 2)
      assert.lengthOf(yield* notices(client.id), 2)
    }))

  it.effect("does not let an approval pass over an edit that the administrator did not see", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { admin, owner } = yield* people
      const { client } = yield* Clients.newClient(owner)
      yield* registry.edit(owner, client.id, { redirectUris: ["https://evil.example/"] })
      const refused = yield* Effect.flip(registry.approve(admin, client.id, client.version))
      assert.strictEqual(refused._tag, "Conflict")
      assert.strictEqual((yield* registry.get(client.id)).status, "pending")
    }))

  it.effect("applies parallel edits one after the other", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { owner } = yield* people
      const { client } = yield* Clients.newClient(owner)
      const names = Array.from({ length: 20 }, (_, i) => `Name ${i}`)
      yield* Effect.forEach(names, (name) => registry.edit(owner, client.id, { name }), { concurrency: "unbounded" })
      assert.strictEqual((yield* registry.get(client.id)).version, 21)
    }))

  it.effect("deletes an app with all that hangs on it, and keeps the trail", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const vault = yield* SecretVault
      const audit = yield* AuditLog
      const { admin, owner } = yield* people
      const client = yield* Clients.approvedClient(owner, admin)
      yield* registry.edit(owner, client.id, { name: "Other" })
      yield* registry.remove(owner, client.id)
      assert.isTrue(Option.isNone(yield* registry.find(client.id)))
      assert.isEmpty(yield* vault.list(client.id))
      assert.strictEqual((yield* audit.list({ clientId: client.id }))[0]?.action, "client.deleted")
    }))
})

layer(Clients.layer)("the review queue", (it) => {
  it.effect("lists what waits, the longest waiting first, and finds what was decided", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { admin, owner } = yield* people
      const changed = yield* Clients.approvedClient(owner, admin, { name: "Changed" })
      const settled = yield* Clients.approvedClient(owner, admin, { name: "100% settled" })
      const first = (yield* Clients.newClient(owner, { name: "First" })).client
      yield* TestClock.adjust("1 hour")
      yield* registry.edit(owner, changed.id, { website: "https://changed.example" })
      yield* TestClock.adjust("1 hour")
      const last = (yield* Clients.newClient(owner, { name: "Last" })).client

      const names = (filter: Parameters<typeof registry.queue>[0]) =>
        Effect.map(registry.queue(filter), ({ clients }) => clients.map(({ name }) => name))
      assert.deepStrictEqual(yield* names({}), ["First", "Changed", "Last"])
      assert.deepStrictEqual(yield* names({ state: "pending" }), ["First", "Last"])
      assert.deepStrictEqual(yield* names({ state: "approved" }), ["Changed", "100% settled"])
      assert.deepStrictEqual(yield* names({ state: "suspended" }), [])
      assert.deepStrictEqual(yield* names({ state: "all", search: "%" }), ["100% settled"])
      assert.deepStrictEqual(yield* names({ state: "all", search: "CHANGED" }), ["Changed"])
      assert.deepStrictEqual(yield* names({ state: "all", search: settled.id }), ["100% settled"])
      assert.deepStrictEqual(yield* names({ search: "nul\0" }), [])
      assert.deepStrictEqual(yield* names({ search: "'; DROP TABLE clients; --" }), [])
      const [waiting] = (yield* registry.queue({ search: "Changed" })).clients
      assert.strictEqual(waiting?.change?.website, "https://changed.example")

      yield* Effect.forEach([first, last], ({ id, version }) => registry.approve(admin, id, version))
      yield* registry.withdrawChange(owner, changed.id)
      assert.deepStrictEqual(yield* names({}), [])
    }))

  it.effect("goes by pages", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { owner } = yield* people
      for (let i = 0; i < 27; i++) {
        yield* TestClock.adjust("1 minute")
        yield* Clients.newClient(owner, { name: `Paged ${i}` })
      }
      const one = yield* registry.queue({ search: "Paged" })
      assert.deepStrictEqual([one.clients.length, one.total, one.page, one.pages], [25, 27, 1, 2])
      const two = yield* registry.queue({ search: "Paged", page: 2 })
      assert.deepStrictEqual(two.clients.map(({ name }) => name), ["Paged 25", "Paged 26"])
      assert.strictEqual((yield* registry.queue({ search: "Paged", page: 99 })).page, 2)
      const [oldest] = one.clients
      assert.isTrue(oldest !== undefined && DateTime.isLessThan(oldest.submittedAt, yield* DateTime.now))
    }))
})
