// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { approvedClient, newAccount, newClient } from "../../core/clients/Scenario.ts"
import { approvedApp, assertRefused } from "../../support/TestServer.ts"
import { besideServer } from "./Scenario.ts"

describe("slotkey clients", () => {
  it.live(
    "show how far a legacy app is on its way to scopes",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const sql = yield* SqlClient.SqlClient
        const { client } = yield* newClient(yield* newAccount("owner"))
        yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${client.id}`
        const { migration } = yield* json("clients", "show", client.id)
        assert.deepInclude(migration, { clientId: client.id, verdict: "too-early", unscopedRequests: 0 })
        assert.include(
          (yield* run("clients", "show", client.id)).stdout,
          "migration\ttoo-early\ttoo early to know: no request without scope yet\n"
        )
      })),
    60_000
  )

  it.live(
    "lists, shows and decides about apps, as the review does",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const owner = yield* newAccount("owner")
        const { client } = yield* newClient(owner, { name: "Wall display" })
        const other = yield* newClient(owner, { name: "Door sign" })

        const waiting = yield* json("clients", "list", "--status", "waiting", "--search", "display")
        assert.deepInclude(waiting, { total: 1, page: 1, pages: 1 })
        assert.deepInclude(waiting.clients[0], { id: client.id, status: "pending", name: "Wall display" })
        assert.include(
          (yield* run("clients", "list")).stdout,
          `${other.client.id}\tpending\tconfidential\t${owner}\tDoor sign\n`
        )

        const shown = yield* json("clients", "show", client.id)
        assert.strictEqual(shown.client.version, 1)
        assert.lengthOf(shown.secrets, 1)
        assert.notProperty(shown.secrets[0], "digest")
        assert.isNull(shown.migration)

        const without = ["--seen-version", "1", "--without", "BOOKING_READ", "--without", "PROFILE_READ"]
        const nothing = yield* run("clients", "approve", client.id, ...without, "--json")
        assert.deepInclude(JSON.parse(nothing.stderr).error.details, {
          path: "without",
          message: "must leave a scope that users have to give"
        })
        const stale = yield* run("clients", "approve", client.id, "--seen-version", "7", "--json")
        assert.deepStrictEqual([stale.code, stale.stdout], [1, ""])
        assert.strictEqual(JSON.parse(stale.stderr).error.code, "version_conflict")
        assert.strictEqual((yield* json("clients", "approve", client.id, "--seen-version", "1")).status, "approved")
        const rejected = yield* json(
          "clients",
          "reject",
          other.client.id,
          "--seen-version",
          "1",
          "--reason",
          "No website."
        )
        assert.deepInclude(rejected, { status: "rejected", rejectionReason: "No website." })
        const undo = ["clients", "undo-rejection", other.client.id, "--seen-version", "2", "--reason", "It has one."]
        const undone = yield* run(...undo)
        assert.strictEqual(undone.stdout, `Took the rejection of Door sign (${other.client.id}) back.\n`)
        assert.strictEqual((yield* json("clients", "show", other.client.id)).client.status, "pending")

        yield* (yield* ClientRegistry).edit(owner, client.id, { name: "Wall calendar" })
        const { stdout } = yield* run("clients", "list", "--search", "Wall")
        assert.strictEqual(
          stdout,
          `${client.id}\tapproved, change waiting\tconfidential\t${owner}\tWall display\n`
        )

        const missing = yield* run("clients", "show", "nobody")
        assert.deepStrictEqual(missing, { code: 3, stdout: "", stderr: "There is no such app.\n" })
        const [entry] = yield* (yield* AuditLog).list({ clientId: client.id, actions: ["client.approved"] })
        assert.strictEqual(entry?.actor, "cli")
      })),
    120_000
  )

  it.live(
    "approves scopes of a legacy app that may break its old URLs only when told so",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const registry = yield* ClientRegistry
        const review = yield* ClientReview
        const sql = yield* SqlClient.SqlClient
        const owner = yield* newAccount("owner")
        const { id } = yield* approvedClient(owner, yield* newAccount("admin", "admin"))
        yield* sql`UPDATE clients SET legacy = true, scopes = ARRAY[]::text[] WHERE id = ${id}`
        yield* registry.edit(owner, id, { scopes: ["TEAM_BOOKING_READ"], breakOldUrls: true })
        const { version } = yield* review.get(id)

        const approve = ["clients", "approve", id, "--seen-version", String(version)]
        const refused = yield* run(...approve, "--json")
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.strictEqual(JSON.parse(refused.stderr).error.code, "too_early")
        assert.isTrue((yield* review.get(id)).legacy)

        const approved = yield* json(...approve, "--break-old-urls")
        assert.deepInclude(approved, { legacy: false, scopes: ["TEAM_BOOKING_READ"] })
      })),
    120_000
  )

  it.live(
    "gives an app to another owner, whose it is from then on, and tells both",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const sql = yield* SqlClient.SqlClient
        const registry = yield* ClientRegistry
        const review = yield* ClientReview
        const app = yield* approvedApp()
        const { access_token } = yield* app.tokens()
        const { client } = app
        const heir = yield* newAccount("heir")
        const give = ["clients", "give", client.id, "--to"]
        assert.strictEqual((yield* run(...give, "nobody@example.com", "--yes")).code, 3)
        assert.strictEqual((yield* run(...give, heir)).code, 2)
        yield* sql`UPDATE accounts SET disabled_at = created_at WHERE id = ${heir}`
        assert.include((yield* run(...give, heir, "--yes")).stderr, "This account is disabled")
        yield* sql`UPDATE accounts SET disabled_at = NULL WHERE id = ${heir}`
        assert.strictEqual((yield* review.get(client.id)).ownerId, client.ownerId)

        assert.strictEqual((yield* json(...give, heir, "--yes")).ownerId, heir)
        assert.strictEqual((yield* json(...give, heir, "--yes")).ownerId, heir)
        assert.strictEqual((yield* registry.getOwned(heir, client.id)).id, client.id)
        assert.strictEqual((yield* Effect.flip(registry.getOwned(client.ownerId, client.id))).code, "client_not_found")
        assert.strictEqual((yield* app.me(access_token)).status, 200)
        const trail = yield* sql`SELECT details FROM audit_log WHERE action = 'client.given'`
        assert.lengthOf(trail, 1)
        assert.include(trail[0]?.["details"], { from: client.ownerId, to: heir })
        const mails = yield* sql`SELECT payload FROM outbox WHERE queue = 'owner-changes'`
        assert.lengthOf(mails, 2)
      })),
    120_000
  )

  it.live(
    "suspends, resumes and deletes an app, whose tokens follow at once",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const app = yield* approvedApp()
        const { access_token, refresh_token } = yield* app.tokens()
        const suspend = ["clients", "suspend", app.client.id, "--reason", "Its secret is public."]
        const unconfirmed = yield* run(...suspend)
        assert.deepStrictEqual([unconfirmed.code, unconfirmed.stdout], [2, ""])
        assert.include(unconfirmed.stderr, "None of its tokens will work, for 1 user.")
        assert.strictEqual((yield* app.me(access_token)).status, 200)

        assert.strictEqual((yield* json(...suspend, "--yes")).status, "suspended")
        assert.strictEqual((yield* app.me(access_token)).status, 401)
        assert.strictEqual((yield* json("clients", "resume", app.client.id)).status, "approved")
        assert.strictEqual((yield* app.me(access_token)).status, 200)

        const remove = ["clients", "delete", app.client.id]
        const undeleted = yield* run(...remove)
        assert.strictEqual(undeleted.code, 2)
        assert.include(undeleted.stderr, "with all that 1 user gave to it?")
        assert.deepStrictEqual(yield* json(...remove, "--yes"), { id: app.client.id, name: app.client.name })
        assertRefused(yield* app.refresh(refresh_token), 401, "invalid_client")
        const [entry] = yield* (yield* AuditLog).list({ clientId: app.client.id, actions: ["client.deleted"] })
        assert.strictEqual(entry?.actor, "cli")
        assert.strictEqual((yield* Effect.flip((yield* ClientReview).get(app.client.id))).code, "client_not_found")
      })),
    120_000
  )

  it.live(
    "rotates a secret: beside the one in use, or in place of all",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const app = yield* approvedApp()
        const exchange = (secret: string) =>
          Effect.flatMap(app.code(), (code) => app.exchange(code, { client_secret: secret }))
        const second = (yield* run("clients", "rotate-secret", app.client.id)).stdout.trim()
        for (const secret of [app.secret, second]) assert.strictEqual((yield* exchange(secret)).status, 200)
        const third = yield* run("clients", "rotate-secret", app.client.id)
        assert.deepStrictEqual([third.code, third.stdout], [1, ""])

        assert.strictEqual((yield* run("clients", "rotate-secret", app.client.id, "--revoke-others")).code, 2)
        const { lastFour, secret } = yield* json("clients", "rotate-secret", app.client.id, "--revoke-others", "--yes")
        assert.strictEqual(secret.slice(-4), lastFour)
        assert.strictEqual((yield* exchange(secret)).status, 200)
        for (const revoked of [app.secret, second]) assertRefused(yield* exchange(revoked), 401, "invalid_client")
        const trail = yield* (yield* AuditLog).list({ clientId: app.client.id, actions: ["secret.revoked"] })
        assert.deepStrictEqual(trail.map(({ actor }) => actor), ["cli", "cli"])
      })),
    120_000
  )
})
