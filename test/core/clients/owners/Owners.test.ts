import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { deactivation } from "../../../../src/core/accounts/local/Deactivation.ts"
import { MailedLinks } from "../../../../src/core/accounts/local/MailedLinks.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { mostCoOwners } from "../../../../src/core/clients/owners/CoOwner.ts"
import { CoOwners } from "../../../../src/core/clients/owners/CoOwners.ts"
import { forgetCoOwner, OwnerInvitations } from "../../../../src/core/clients/owners/OwnerInvitations.ts"
import { AppAct, AppRole, mayDo } from "../../../../src/core/clients/records/AppAccess.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { SecretVault } from "../../../../src/core/clients/secrets/SecretVault.ts"
import { TestApps } from "../../../../src/core/clients/testapps/TestApps.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import { approvedClient, newAccount, newClient, Services } from "../../../doors/consent/Scenario.ts"

const All = MailedLinks.layer.pipe(
  Layer.provideMerge(ApiKeys.layer),
  Layer.provideMerge(Layer.merge(Accounts.layer, ManagedAccounts.layer)),
  Layer.provideMerge(Services)
)

const accountOf = (id: string) =>
  Effect.flatMap(IdentitySource, (identities) => Effect.map(identities.find(id), Option.getOrThrow))

/** Shares an app with a new account, which accepts. */
const share = Effect.fnUntraced(function*(by: UserId, appId: string, role: "owner" | "developer") {
  const id = yield* newAccount(role)
  const account = yield* accountOf(id)
  yield* (yield* CoOwners).invite(by, appId, { person: account.username, role })
  yield* (yield* OwnerInvitations).accept(account, appId)
  yield* TestClock.adjust("1 minute")
  return id
})

const scene = Effect.gen(function*() {
  const admin = yield* newAccount("admin", "admin")
  const first = yield* newAccount("first")
  const app = yield* approvedClient(first, admin)
  return {
    admin,
    app,
    first,
    owner: yield* share(first, app.id, "owner"),
    developer: yield* share(first, app.id, "developer")
  }
})

/** People who get a mail of this kind about the app, of what was published so far. */
const toldOf = Effect.fnUntraced(function*(queue: string, clientId: string, event?: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: string }>`SELECT payload ->> 'userId' AS id FROM outbox
    WHERE queue = ${queue} AND payload ->> 'clientId' = ${clientId}
      AND ${event === undefined ? sql`true` : sql`payload ->> 'event' = ${event}`}`
  return rows.map(({ id }) => id).sort()
})

const outcomeOf = <E extends { readonly _tag: string }, R>(attempt: Effect.Effect<unknown, E, R>) =>
  Effect.match(attempt, {
    onFailure: ({ _tag }) => _tag === "Forbidden" || _tag === "NotFound" ? _tag : "may",
    onSuccess: () => "may"
  })

layer(All)("The owners of an app", (it) => {
  it("may do what their role says", () => {
    const may = { first: "use secrets delete owners transfer", owner: "use secrets delete owners", developer: "use" }
    for (const role of AppRole.literals) {
      assert.strictEqual(AppAct.literals.filter((act) => mayDo(role, act)).join(" "), may[role])
    }
    assert.isEmpty(AppAct.literals.filter((act) => mayDo(undefined, act)))
  })

  it.effect("are each let do what their role says by every command, and strangers find nothing", () =>
    Effect.gen(function*() {
      const { app, developer, first, owner } = yield* scene
      const stranger = yield* newAccount("stranger")
      const people = { first, owner, developer, stranger }
      const owners = yield* CoOwners
      const registry = yield* ClientRegistry
      const tests = yield* TestApps
      // What nobody finds is tried last, so that a refusal is never one of an id.
      const commands: Readonly<
        Record<string, readonly [AppAct, (by: UserId) => Effect.Effect<unknown, { readonly _tag: string }>]>
      > = {
        read: ["use", (by) => registry.getOwned(by, app.id)],
        edit: ["use", (by) => registry.edit(by, app.id, { purpose: `As ${by} says, for the tests.` })],
        list: ["use", (by) => owners.list(by, app.id)],
        credential: ["secrets", (by) => registry.getFor("secrets", by, app.id)],
        makeTest: ["secrets", (by) => tests.make(by, app.id)],
        endTest: ["delete", (by) => tests.end(by, app.id)],
        invite: ["owners", (by) => owners.invite(by, app.id, { person: "nobody.here", role: "developer" })],
        handOver: [
          "transfer",
          (by) => owners.invite(by, app.id, { person: "nobody.there", role: "developer", takesOver: true })
        ],
        role: ["owners", (by) => owners.setRole(by, app.id, developer, "developer")],
        transfer: ["transfer", (by) => owners.transfer(by, app.id, owner)],
        keep: ["transfer", (by) => owners.withdrawTransfer(by, app.id)],
        delete: ["delete", (by) => registry.getFor("delete", by, app.id)]
      }
      for (const [role, by] of Object.entries(people)) {
        const roleHere = AppRole.literals.find((one) => one === role)
        for (const [name, [act, command]] of Object.entries(commands)) {
          const expected = roleHere === undefined ? "NotFound" : mayDo(roleHere, act) ? "may" : "Forbidden"
          assert.strictEqual(yield* outcomeOf(command(by)), expected, `${name} by ${role}`)
        }
      }
      assert.strictEqual((yield* Effect.flip(registry.remove(developer, app.id)))._tag, "Forbidden")
      assert.strictEqual((yield* Effect.flip(registry.remove(stranger, app.id)))._tag, "NotFound")
      assert.deepStrictEqual((yield* registry.listOf(developer)).map(({ id }) => id), [app.id])
      assert.isEmpty(yield* registry.listOwned(developer))
      yield* registry.remove(owner, app.id)
      assert.deepStrictEqual(yield* toldOf("owner-changes", app.id, "deleted"), [developer, first].sort())
    }))

  it.effect("are mailed about secrets if they may have them, and the trail says who did what", () =>
    Effect.gen(function*() {
      const { app, developer, first, owner } = yield* scene
      yield* (yield* SecretVault).generate(app.id, { by: owner })
      assert.deepStrictEqual(yield* toldOf("credential-notices", app.id), [first, owner].sort())
      const [entry] = yield* (yield* AuditLog).list({ clientId: app.id, actions: ["secret.generated"], limit: 1 })
      assert.strictEqual(entry?.actor, owner)
      const owners = yield* CoOwners
      yield* owners.setRole(owner, app.id, developer, "owner")
      yield* owners.remove(developer, app.id, owner)
      assert.deepStrictEqual(yield* toldOf("owner-changes", app.id, "role_changed"), [developer])
      assert.deepStrictEqual(yield* toldOf("owner-changes", app.id, "removed"), [owner])
      assert.strictEqual((yield* Effect.flip(owners.remove(developer, app.id, first)))._tag, "Conflict")
      assert.strictEqual((yield* Effect.flip(owners.list(owner, app.id)))._tag, "NotFound")
    }))

  it.effect("are invited without a word about who has an account, and become owners when they accept", () =>
    Effect.gen(function*() {
      const first = yield* newAccount("first")
      const { client: app } = yield* newClient(first)
      const owners = yield* CoOwners
      const invitations = yield* OwnerInvitations
      const [ann, bob] = [yield* accountOf(yield* newAccount("ann")), yield* accountOf(yield* newAccount("bob"))]
      for (const person of [ann.email, bob.username, "nobody@example.com"]) {
        yield* owners.invite(first, app.id, { person, role: "developer" })
        yield* TestClock.adjust("1 minute")
      }
      yield* invitations.decline(bob, app.id)
      const seen = yield* owners.list(first, app.id)
      assert.deepStrictEqual(seen.invitations.map(({ named }) => named), [
        ann.email.toLowerCase(),
        bob.username.toLowerCase(),
        "nobody@example.com"
      ])
      assert.isEmpty(seen.coOwners)
      assert.isUndefined(yield* invitations.accept(bob, app.id))
      assert.isUndefined(yield* invitations.accept(yield* accountOf(yield* newAccount("eve")), app.id))
      assert.deepStrictEqual((yield* invitations.list(ann)).map(({ clientId, role }) => [clientId, role]), [[
        app.id,
        "developer"
      ]])
      assert.strictEqual(yield* invitations.accept(ann, app.id), app.name)
      assert.deepStrictEqual((yield* owners.list(ann.id, app.id)).invitations, [])
      assert.deepStrictEqual(yield* toldOf("owner-changes", app.id, "joined"), [first])
      for (let at = 3; at < mostCoOwners; at++) {
        yield* owners.invite(first, app.id, { person: `guest${at}`, role: "owner" })
      }
      const full = yield* Effect.flip(owners.invite(first, app.id, { person: "one.more", role: "owner" }))
      assert.deepInclude(full, { code: "too_many_owners" })
    }))

  it.effect("change by a transfer when a reviewer has approved it, and by nothing before", () =>
    Effect.gen(function*() {
      const { admin, app, developer, first, owner } = yield* scene
      const owners = yield* CoOwners
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const tests = yield* TestApps
      const { client: test } = yield* tests.make(first, app.id)
      const asked = yield* owners.transfer(first, app.id, developer)
      assert.deepInclude(asked, { ownerId: first })
      assert.deepStrictEqual(
        yield* toldOf("owner-changes", app.id, "transfer_asked"),
        [developer, first, owner].sort()
      )
      // An edit beside it neither loses it nor is lost with it.
      yield* registry.edit(owner, app.id, { website: "https://moved.example" })
      const only = yield* owners.withdrawTransfer(first, app.id)
      assert.deepInclude(only.change, { website: "https://moved.example" })
      assert.isFalse(only.change?.isTransfer)
      yield* owners.transfer(first, app.id, developer)
      const kept = yield* registry.withdrawChange(developer, app.id)
      assert.deepInclude(kept.change, { website: app.website, nextOwnerId: developer })
      assert.strictEqual((yield* Effect.flip(registry.withdrawChange(developer, app.id)))._tag, "Conflict")
      const rejected = yield* review.reject(admin, app.id, "Who is that?", kept.version)
      assert.deepInclude(rejected, { ownerId: first, status: "approved" })
      const again = yield* owners.transfer(first, app.id, developer)
      const given = yield* review.approve(admin, app.id, again.version)
      assert.deepInclude(given, { ownerId: developer, status: "approved", change: null })
      assert.deepStrictEqual(
        (yield* owners.list(first, app.id)).coOwners.map(({ accountId, role }) => [accountId, role]),
        [
          [owner, "owner"],
          [first, "developer"]
        ]
      )
      assert.deepInclude(Option.getOrThrow(yield* tests.find(developer, app.id)), { id: test.id, ownerId: developer })
      const [entry] = yield* (yield* AuditLog).list({ clientId: app.id, actions: ["client.change_approved"], limit: 1 })
      assert.strictEqual(entry?.details["owner"], `-${first}\n+${developer}`)
      // Undone, everybody is what they were.
      const back = yield* review.undo(admin, app.id, given.version)
      assert.deepInclude(back, { ownerId: first })
      assert.deepStrictEqual(
        (yield* owners.list(first, app.id)).coOwners.map(({ accountId, role }) => [accountId, role]),
        [[owner, "owner"], [developer, "developer"]]
      )
      // Who is to get it may leave, which withdraws it.
      yield* owners.remove(developer, app.id, developer)
      assert.isNull((yield* review.get(app.id)).change)
    }))

  it.effect("may be invited to take over, and are asked for when they accept", () =>
    Effect.gen(function*() {
      const { admin, app, first } = yield* scene
      const account = yield* accountOf(yield* newAccount("heir"))
      yield* (yield* CoOwners).invite(first, app.id, { person: account.username, role: "developer", takesOver: true })
      yield* (yield* OwnerInvitations).accept(account, app.id)
      const review = yield* ClientReview
      const waits = yield* review.get(app.id)
      assert.deepInclude(waits, { ownerId: first })
      assert.deepInclude(waits.change, { nextOwnerId: account.id })
      // Shut out meanwhile, they get nothing.
      yield* (yield* deactivation)(account.id, "cli")
      const refused = yield* Effect.flip(review.approve(admin, app.id, waits.version))
      assert.deepInclude(refused, { code: "next_owner_gone" })
    }))

  it.effect("inherit in the order in which they came, and reviewers hear where nobody does", () =>
    Effect.gen(function*() {
      const { admin, app, developer, first, owner } = yield* scene
      const second = yield* share(first, app.id, "owner")
      const review = yield* ClientReview
      const lone = yield* approvedClient(first, admin)
      const disable = yield* deactivation
      const isOwnerless = (id: string) =>
        Effect.map(review.queue({ state: "ownerless", search: id }), ({ clients }) => clients.length === 1)
      yield* disable(owner, "cli")
      assert.deepStrictEqual([...(yield* review.heirs(first))], [[app.id, second]])
      yield* disable(first, "cli")
      assert.deepInclude(yield* review.get(app.id), { ownerId: second, status: "approved" })
      assert.deepStrictEqual(yield* toldOf("owner-changes", app.id, "inherited"), [developer, owner, second].sort())
      assert.isFalse(yield* isOwnerless(app.id))
      assert.isTrue(yield* isOwnerless(lone.id))
      const sql = yield* SqlClient.SqlClient
      const news = yield* sql<{ readonly event: string }>`SELECT payload ->> 'event' AS event FROM outbox
        WHERE queue = 'review-notices' AND payload ->> 'clientId' = ANY(${[app.id, lone.id]}::text[])
          AND payload ->> 'event' IN ('inherited', 'ownerless') ORDER BY id`
      assert.sameMembers(news.map(({ event }) => event), ["inherited", "ownerless"])
      // Let in again, the owner is one again, and the other app is whose it is now.
      yield* (yield* ManagedAccounts).setDisabled(first, false, "cli")
      assert.isFalse(yield* isOwnerless(lone.id))
      // No developer inherits, and whose account is deleted is in no list.
      yield* disable(second, "cli")
      assert.isTrue(yield* isOwnerless(app.id))
      yield* (yield* forgetCoOwner)(developer, "cli")
      assert.strictEqual((yield* Effect.flip((yield* CoOwners).list(developer, app.id)))._tag, "NotFound")
    }))
})
