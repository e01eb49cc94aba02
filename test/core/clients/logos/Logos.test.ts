import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { Logos } from "../../../../src/core/clients/logos/Logos.ts"
import { MissingLogos } from "../../../../src/core/clients/logos/MissingLogos.ts"
import type { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { BadRequest } from "../../../../src/domain/ApiError.ts"
import { SharpModule } from "../../../../src/foundation/pictures/Pictures.ts"
import * as Host from "../../../support/PictureHost.ts"
import { registration } from "../Fixture.ts"
import { approvedClient, newAccount, newClient, people, Services } from "../Scenario.ts"

const logoUrl = "https://pictures.example/logo"
const red = await Host.picture("#ff0000")
const blue = await Host.picture("#0000ff")

/** Colour of the picture that a version shows. */
const shown = Effect.fnUntraced(function*(version: { readonly logoDigest: string | null } | null) {
  const picture = yield* (yield* Logos).find(version?.logoDigest ?? "")
  if (Option.isNone(picture)) return undefined
  const [r = 0, , b = 0] = yield* Effect.promise(() => Host.colourOf(picture.value))
  return r > b ? "red" : "blue"
})

const faultsOf = <A, R>(command: Effect.Effect<A, unknown, R>) =>
  Effect.map(Effect.flip(command), (error) => error instanceof BadRequest ? asToldToPrograms(error) : error)

const asToldToPrograms = ({ _tag, code, details = [] }: BadRequest) => ({
  _tag,
  code,
  details: details.map(({ message, path }) => ({ path, message }))
})

const invalid = (message: string) => ({
  _tag: "BadRequest",
  code: "invalid_input",
  details: [{ path: "logoUrl", message }]
})

/** An app as an import leaves it: with an address, approved, and without a picture. */
const withoutPicture = Effect.fnUntraced(function*(address: string) {
  const sql = yield* SqlClient.SqlClient
  const { admin, owner } = yield* people
  const client = yield* approvedClient(owner, admin)
  yield* sql`UPDATE clients SET logo_url = ${address} WHERE id = ${client.id}`
  return { admin, owner, client }
}, Effect.orDie)

layer(Services.pipe(Layer.provideMerge(Host.layer)))("Logos", (it) => {
  it.effect("are fetched once, when the app is registered, and kept with the version", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      host.serve("/logo", red)
      const { admin, owner } = yield* people
      const { client } = yield* newClient(owner, { logoUrl })
      assert.strictEqual(client.logoUrl, logoUrl)
      assert.strictEqual(yield* shown(client), "red")
      assert.deepStrictEqual(host.requests(), ["pictures.example/logo"])
      // The host shows another one from now on.
      host.serve("/logo", blue)
      const approved = yield* review.approve(admin, client.id, client.version)
      const edited = yield* registry.edit(owner, client.id, { logoUrl, purpose: "Another." })
      assert.isNull(edited.change)
      assert.strictEqual(edited.logoDigest, approved.logoDigest)
      assert.strictEqual(yield* shown(edited), "red")
      assert.isEmpty(host.requests())
    }))

  it.effect("are reviewed again when the address or the picture is another one", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      host.serve("/logo", red)
      host.serve("/other", blue)
      const { admin, owner } = yield* people
      const client = yield* approvedClient(owner, admin, { logoUrl })
      for (
        const edit of [{ logoUrl: "https://pictures.example/other" }, { refetchLogo: true }, {
          logoUrl,
          refetchLogo: true
        }]
      ) {
        host.serve("/logo", "logoUrl" in edit && edit.logoUrl !== logoUrl ? red : blue)
        const changed = yield* registry.edit(owner, client.id, edit)
        assert.strictEqual(changed.logoDigest, client.logoDigest)
        assert.strictEqual(yield* shown(changed), "red")
        assert.isTrue(changed.change?.isWaiting)
        assert.strictEqual(yield* shown(changed.change), "blue")
        const back = yield* registry.withdrawChange(owner, client.id)
        assert.strictEqual(yield* shown(back), "red")
      }
      const changed = yield* registry.edit(owner, client.id, { refetchLogo: true })
      const approved = yield* review.approve(admin, client.id, changed.version)
      assert.strictEqual(yield* shown(approved), "blue")
      // The same picture again is no change.
      assert.deepStrictEqual(yield* registry.edit(owner, client.id, { refetchLogo: true }), approved)
    }))

  it.effect("are kept for the versions that there are, and no longer", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const sql = yield* SqlClient.SqlClient
      host.serve("/logo", red)
      host.serve("/other", blue)
      const { admin, owner } = yield* people
      const client = yield* approvedClient(owner, admin, { logoUrl })
      const kept = Effect.map(
        sql<{ digest: string }>`SELECT digest FROM logos WHERE client_id = ${client.id}`,
        (rows) => rows.map(({ digest }) => digest)
      )
      assert.deepStrictEqual(yield* kept, [client.logoDigest])
      const changed = yield* registry.edit(owner, client.id, { logoUrl: "https://pictures.example/other" })
      assert.sameMembers([...(yield* kept)], [client.logoDigest, changed.change?.logoDigest])
      yield* review.approve(admin, client.id, changed.version)
      // Undoing the approval would bring the first one back.
      assert.sameMembers([...(yield* kept)], [client.logoDigest, changed.change?.logoDigest])
      yield* sql`DELETE FROM review_decisions WHERE client_id = ${client.id}`
      const without = yield* registry.edit(owner, client.id, { logoUrl: null })
      assert.deepInclude(without.change, { logoUrl: null, logoDigest: null })
      assert.deepStrictEqual(yield* kept, [changed.change?.logoDigest])
      yield* review.approve(admin, client.id, without.version)
      yield* sql`DELETE FROM review_decisions WHERE client_id = ${client.id}`
      yield* registry.edit(owner, client.id, { logoUrl })
      yield* registry.remove(owner, client.id)
      assert.isEmpty(yield* kept)
    }))

  it.effect("that cannot be taken are a fault of the field, and nothing is changed", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const { admin, owner } = yield* people
      const client = yield* approvedClient(owner, admin)
      host.serve("/text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))
      host.serve("/large", Buffer.alloc(2 * 1024 * 1024 + 1))
      host.name("private.example", ["10.0.0.1"])
      for (
        const [address, message] of [
          ["https://pictures.example/none", "cannot be fetched: pictures.example answers with status 404"],
          ["https://private.example/", "cannot be fetched: private.example is not on the public internet"],
          ["https://pictures.example/text", "must be a PNG, JPEG or WebP picture of at most 10 million pixels"],
          ["https://pictures.example/large", "is larger than 2 MB"],
          ["http://pictures.example/logo", "must be an https address"],
          ["ftp://pictures.example/logo", "must be an https address"],
          ["pictures.example/logo", "must be an https address"]
        ] as const
      ) {
        assert.deepInclude(
          yield* faultsOf(registry.register(owner, { ...registration, logoUrl: address })),
          invalid(message)
        )
        assert.deepInclude(yield* faultsOf(registry.edit(owner, client.id, { logoUrl: address })), invalid(message))
      }
      assert.deepStrictEqual(yield* registry.listOwned(owner), [client])
    }))

  it.effect("are examined with the rest of a registration, so that it is refused once for all its faults", () =>
    Effect.gen(function*() {
      yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const owner = yield* newAccount("dev")
      const refused = yield* Effect.flip(registry.register(owner, {
        ...registration,
        kind: "confidential",
        name: "",
        redirectUris: ["com.example.app:/callback"],
        logoUrl: "https://pictures.example/none"
      }))
      assert.strictEqual(refused._tag, "BadRequest")
      assert.deepStrictEqual(refused.details?.map(({ path }) => path), ["name", "redirectUris.0", "logoUrl"])
      assert.isEmpty(yield* registry.listOwned(owner))
    }))

  it.effect("of a host that does not answer are given up while the form waits", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const asked = Promise.withResolvers<void>()
      host.serve("/silent", () => asked.resolve())
      const { owner } = yield* people
      const waiting = yield* Effect.forkChild(
        faultsOf(registry.register(owner, { ...registration, logoUrl: "https://pictures.example/silent" }))
      )
      yield* Effect.promise(() => asked.promise)
      // Half of `REQUEST_TIMEOUT`.
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(yield* Fiber.join(waiting), invalid("cannot be fetched within 5 seconds"))
    }))

  it.effect("are asked for only within the budget of the account, and not for an edit that comes too late", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const sql = yield* SqlClient.SqlClient
      host.serve("/logo", red)
      host.requests()
      const owner = yield* newAccount("dev")
      const { client } = yield* newClient(owner)
      yield* registry.edit(owner, client.id, { purpose: "Another." })
      const late = yield* faultsOf(registry.edit(owner, client.id, { logoUrl, version: client.version }))
      assert.deepInclude(late, { code: "version_conflict" })
      const other = yield* newAccount("other")
      assert.deepInclude(yield* faultsOf(registry.edit(other, client.id, { logoUrl })), { code: "client_not_found" })
      assert.isEmpty(host.requests())
      // A failure costs something, too.
      yield* faultsOf(registry.edit(owner, client.id, { logoUrl: "https://pictures.example/none" }))
      yield* sql`UPDATE rate_limits SET count = 1000000 WHERE count = 1`
      host.requests()
      assert.strictEqual((yield* Effect.exit(registry.edit(owner, client.id, { logoUrl })))._tag, "Failure")
      assert.isEmpty(host.requests())
    }))
})

layer(Services.pipe(Layer.provideMerge(Host.layer)))("MissingLogos", (it) => {
  it.effect("are fetched for apps that have only an address, in a version of its own", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const review = yield* ClientReview
      const missing = yield* MissingLogos
      host.serve("/logo", red)
      const { client } = yield* withoutPicture(logoUrl)
      assert.strictEqual(yield* missing.fetchDue, 1)
      const after = yield* review.get(client.id)
      assert.strictEqual(yield* shown(after), "red")
      assert.strictEqual(after.version, client.version + 1)
      const [entry] = yield* (yield* AuditLog).list({ clientId: client.id, actions: ["client.logo_fetched"], limit: 1 })
      assert.deepInclude(entry, { actor: "slotkey" })
      host.requests()
      assert.strictEqual(yield* missing.fetchDue, 0)
      assert.isEmpty(host.requests())
    }))

  it.effect("are fetched for changes that wait, whose reviewer has to look again", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const sql = yield* SqlClient.SqlClient
      host.serve("/logo", blue)
      const { admin, owner } = yield* people
      const { id } = yield* approvedClient(owner, admin)
      const changed = yield* registry.edit(owner, id, { logoUrl })
      yield* sql`UPDATE client_changes SET logo_digest = NULL WHERE client_id = ${id}`
      assert.strictEqual(yield* (yield* MissingLogos).fetchDue, 1)
      const after = yield* review.get(id)
      assert.isNull(after.logoDigest)
      assert.strictEqual(yield* shown(after.change), "blue")
      assert.deepInclude(yield* faultsOf(review.approve(admin, id, changed.version)), { code: "version_conflict" })
    }))

  it.effect("are tried again a few times, with the reason for the owner, and then no more", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const missing = yield* MissingLogos
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const sql = yield* SqlClient.SqlClient
      const { client, owner } = yield* withoutPicture("https://pictures.example/gone")
      host.requests()
      const asked = Effect.map(missing.fetchDue, () => host.requests().length)
      const reason = "cannot be fetched: pictures.example answers with status 404"
      assert.strictEqual(yield* asked, 1)
      assert.strictEqual(yield* asked, 0)
      const failure = { logoUrl: "https://pictures.example/gone", reason }
      assert.deepStrictEqual(yield* missing.failures(client.id), [{ ...failure, isTriedAgain: true }])
      for (let attempt = 2; attempt <= 7; attempt++) {
        yield* sql`UPDATE logo_failures SET retry_at = retry_at - interval '9 days'`
        assert.strictEqual(yield* asked, 1, `attempt ${attempt}`)
      }
      assert.deepStrictEqual(yield* missing.failures(client.id), [{ ...failure, isTriedAgain: false }])
      assert.strictEqual(yield* asked, 0)
      assert.isNull((yield* review.get(client.id)).logoDigest)
      // Its owner can have it tried at any time.
      host.serve("/gone", red)
      const changed = yield* registry.edit(owner, client.id, { refetchLogo: true })
      assert.strictEqual(yield* shown(changed.change), "red")
      assert.isEmpty(yield* missing.failures(client.id))
    }))

  it.effect("are not shown for a version that has another address by then", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const missing = yield* MissingLogos
      const review = yield* ClientReview
      const sql = yield* SqlClient.SqlClient
      const { client } = yield* withoutPicture("https://pictures.example/slow")
      const before: ManagedClient = yield* review.get(client.id)
      const runFork = Effect.runForkWith(yield* Effect.context<never>())
      host.serve("/slow", (_, response) => {
        const edit = sql`UPDATE clients SET logo_url = NULL WHERE id = ${client.id}`
        runFork(Effect.andThen(edit, Effect.sync(() => response.end(red))))
      })
      yield* missing.fetchDue
      const after = yield* review.get(client.id)
      assert.deepStrictEqual([after.logoDigest, after.version], [null, before.version])
    }))
})

layer(Services.pipe(
  Layer.provide(Layer.succeed(SharpModule, () => Promise.reject(new Error("Cannot find package 'sharp'")))),
  Layer.provideMerge(Host.layer)
))("Logos without sharp", (it) => {
  it.effect("are refused where they are entered; what had one keeps its address", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const registry = yield* ClientRegistry
      const missing = yield* MissingLogos
      const { client, owner } = yield* withoutPicture(logoUrl)
      assert.isFalse(yield* (yield* Logos).areShown)
      assert.deepInclude(
        yield* faultsOf(registry.register(owner, { ...registration, logoUrl })),
        invalid("must stay empty: this server shows no logos")
      )
      const edited = yield* registry.edit(owner, client.id, { logoUrl, purpose: "Another." })
      assert.deepInclude(edited, { logoUrl, logoDigest: null, change: null })
      assert.strictEqual(yield* missing.fetchDue, 0)
      // A server that can make pictures takes it from here.
      assert.isEmpty(yield* missing.failures(client.id))
      assert.isEmpty(host.requests())
    }))
})
