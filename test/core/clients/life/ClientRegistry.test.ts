import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { SecretCheck } from "../../../../src/core/clients/secrets/SecretCheck.ts"
import { SecretVault } from "../../../../src/core/clients/secrets/SecretVault.ts"
import { registration } from "../Fixture.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

layer(Clients.Services)("ClientRegistry", (it) => {
  it.effect("registers an app that waits for review, a confidential one with its first secret", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { owner } = yield* people
      const { client, secret } = yield* Clients.newClient(owner)
      assert.match(client.id, /^slk_client_[A-Za-z0-9_]+$/)
      assert.strictEqual(client.status, "pending")
      assert.isTrue(yield* Clients.authenticates(client.id, Option.getOrThrow(secret)))
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
      const send = registry.register(owner, registration, "one form")
      const sent = yield* Effect.all(Array.from({ length: 10 }, () => send), { concurrency: "unbounded" })
      assert.strictEqual(new Set(sent.map(({ client }) => client.id)).size, 1)
      assert.lengthOf(sent.filter(({ secret }) => Option.isSome(secret)), 1)
      assert.lengthOf(yield* registry.listOwned(owner), 1)
      const theirs = yield* registry.register(other, registration, "one form")
      assert.notStrictEqual(theirs.client.id, sent[0]?.client.id)
    }))

  it.effect("lets a hundred apps of an owner wait for review, however many come at once", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const register = Effect.result(registry.register(owner, registration))
      const sent = yield* Effect.replicateEffect(register, 104, { concurrency: 8 })
      assert.lengthOf(sent.filter(({ _tag }) => _tag === "Success"), 100)
      const [first] = yield* registry.listOwned(owner)
      assert.strictEqual((yield* Effect.flip(registry.register(owner, registration)))._tag, "Conflict")
      yield* review.reject(admin, first!.id, "No.", first!.version)
      yield* registry.register(owner, registration)
    }))

  it.effect("reads and mends what a server of the release before has written, which knows no optional scopes", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const sql = yield* SqlClient.SqlClient
      const { admin, owner } = yield* people
      const input = { tagline: "Keeps calendars in step.", optionalScopes: ["PROFILE_READ"] }
      const { id, version } = yield* Clients.approvedClient(owner, admin, input)
      yield* sql`UPDATE clients SET scopes = ${["BOOKING_READ"]}::text[], version = ${version + 1} WHERE id = ${id}`
      yield* sql`INSERT INTO client_changes (client_id, name, website, redirect_uris, scopes, submitted_at)
        VALUES (${id}, 'Other', 'https://app.example', ${["https://app.example/callback"]}::text[],
          ${["BOOKING_READ", "SCHEDULE_READ"]}::text[], now())`
      const found = yield* registry.getOwned(owner, id)
      assert.deepStrictEqual([found.tagline, found.optionalScopes], [input.tagline, ["PROFILE_READ"]])
      assert.deepStrictEqual([found.change?.tagline, found.change?.optionalScopes], [null, []])
      const edited = yield* registry.edit(owner, id, { tagline: input.tagline })
      assert.deepStrictEqual([edited.optionalScopes, edited.change?.tagline], [[], input.tagline])
      const approved = yield* review.approve(admin, id, edited.version)
      assert.deepStrictEqual([approved.name, approved.tagline], ["Other", input.tagline])
      assert.deepStrictEqual(approved.optionalScopes, [])
    }))

  it.effect("is looked up together as it is found alone", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const secrets = yield* SecretCheck
      const { owner } = yield* people
      const known = yield* Effect.forEach([1, 2, 3], () => Clients.newClient(owner))
      const [legacy = "", migrated = ""] = known.map(({ client }) => client.id)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE clients SET legacy = true WHERE id = ${legacy}`
      yield* sql`UPDATE clients SET migrated_at = now() WHERE id = ${migrated}`
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
            ({ id, isLegacyClient, kind, migrated, status }) => ({ id, kind, status, isLegacyClient, migrated })
          )
        ),
        alone.map(Option.map(({ id, isLegacyClient, kind, migratedAt, status }) => ({
          id,
          kind,
          status,
          isLegacyClient,
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
        registry.register(owner, { ...registration, redirectUris: ["com.example.app:/"] })
      )
      assert.strictEqual(misfit.details?.[0]?.path, "redirectUris.0")
      assert.isEmpty(yield* registry.listOwned(owner))
    }))

  it.effect("shows and obeys its owner alone", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
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
          review.get("nul\0")
        ]
      ) assert.strictEqual((yield* Effect.flip<unknown, { readonly _tag: string }, never>(attempt))._tag, "NotFound")
      assert.deepStrictEqual(yield* registry.getOwned(owner, client.id), client)
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
