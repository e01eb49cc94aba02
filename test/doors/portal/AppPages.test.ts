import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { SecretVault } from "../../../src/core/clients/secrets/SecretVault.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { filled, secretIn } from "./Fixture.ts"
import { newAccount, rowsOf, Services, visitor } from "./Scenario.ts"

layer(Services)("/settings/apps/:id", (it) => {
  it.effect("shows a hostile name and reason as text", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const dev = yield* visitor()
      const { id: admin } = yield* newAccount("admin")
      const hostile = "<script>alert(1)</script>\"'&"
      const { client } = yield* Clients.newClient(dev.account.id, { name: hostile })
      yield* review.reject(admin, client.id, `</blockquote>${hostile}`, 1)
      const app = `/settings/apps/${client.id}`
      for (const path of ["/settings/apps", app, `${app}/credentials`, `${app}/scopes`, `${app}/settings`]) {
        const { csp, text } = yield* dev.get(path)
        assert.notInclude(text, "<script>")
        assert.include(text, "&lt;script&gt;")
        assert.notInclude(csp, "unsafe-inline")
      }
    }))

  it.effect("counts the users of an app, but not a million of them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const dev = yield* visitor()
      const { client } = yield* Clients.newClient(dev.account.id)
      const connect = (from: number, to: number) =>
        sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
          SELECT gen_random_uuid(), '', ${client.id}::text, 'user-' || n, '{}', now(), now(), now() + interval '1 day'
          FROM generate_series(${from}::int, ${to}::int) n`
      const page = Effect.map(dev.get(`/settings/apps/${client.id}`), ({ text }) => text)
      assert.include(yield* page, "<dt>Last used</dt><dd><small>not used here yet</small></dd>")
      yield* connect(1, 10_000)
      const counted = yield* page
      assert.include(counted, "<dt>Users</dt><dd>10,000</dd>")
      yield* connect(10_001, 10_100)
      const beyond = yield* page
      assert.include(beyond, "at least 10,001 users")
    }))

  it.effect("saves an edit, and submits a rejected app again", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const dev = yield* visitor()
      const { id: admin } = yield* newAccount("admin")
      const { client } = yield* Clients.newClient(dev.account.id)
      const path = `/settings/apps/${client.id}`
      yield* review.reject(admin, client.id, "Too vague.", 1)
      const page = yield* dev.get(path)
      assert.include(page.text, "<blockquote>Too vague.</blockquote>")
      assert.include((yield* dev.get(`${path}/settings`)).text, "Save and submit again")
      const saved = yield* dev.post(path, { ...filled, purpose: "Copies bookings.", version: "2" })
      assert.strictEqual(saved.location, `${path}/settings`)
      assert.strictEqual((yield* review.get(client.id)).purpose, "Copies bookings.")
      assert.include((yield* dev.get(`${path}/settings`)).text, "Submitted again")

      const stale = yield* dev.post(path, { ...filled, purpose: "From an old tab.", version: "2" })
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "From an old tab.")
      const refused = yield* dev.post(path, { ...filled, redirectUris: "javascript:alert(1)", version: "3" })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "Line 1, <bdi>javascript:alert(1)</bdi>:")
      assert.strictEqual((yield* dev.post(path, { ...filled, version: "x" })).status, 400)
      assert.strictEqual((yield* review.get(client.id)).version, 3)
    }))

  it.effect("lets the owner of a confidential app choose the grace of its refresh tokens", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const dev = yield* visitor()
      const { client } = yield* Clients.newClient(dev.account.id)
      const path = `/settings/apps/${client.id}`
      const chosen = (grace: string) => `name="refreshGrace" value="${grace}" checked`
      assert.include((yield* dev.get(`${path}/settings`)).text, chosen("until-used"))
      yield* dev.post(path, { ...filled, refreshGrace: "short", version: "1" })
      assert.strictEqual((yield* review.get(client.id)).refreshGrace, "short")
      assert.include((yield* dev.get(`${path}/settings`)).text, chosen("short"))
      const failed = yield* dev.post(path, { ...filled, name: "", refreshGrace: "until-used", version: "2" })
      assert.include(failed.text, chosen("until-used"))
      assert.strictEqual((yield* review.get(client.id)).refreshGrace, "short")
      const { client: onDevices } = yield* Clients.newClient(dev.account.id, { kind: "public" })
      assert.notInclude((yield* dev.get(`/settings/apps/${onDevices.id}/settings`)).text, "refreshGrace")
    }))

  it.effect("shows the change that waits, and takes it back", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const dev = yield* visitor()
      const { id: admin } = yield* newAccount("admin")
      const client = yield* Clients.approvedClient(dev.account.id, admin)
      const path = `/settings/apps/${client.id}`
      const asked = yield* dev.post(`${path}/scopes`, { ...filled, "scope:BOOKING_WRITE": "on", version: "2" })
      assert.strictEqual(asked.location, `${path}/scopes`)
      assert.include((yield* dev.get(path)).text, "<ins><bdi>BOOKING<wbr>_WRITE</bdi></ins>")
      assert.match((yield* dev.get(`${path}/scopes`)).text, /name="scope:BOOKING_WRITE" value="on" checked/)
      // Each form changes its own fields alone.
      assert.strictEqual((yield* review.get(client.id)).name, client.name)
      yield* dev.post(path, { ...filled, name: "Another Name", version: "3" })
      const { change } = yield* review.get(client.id)
      assert.deepStrictEqual([change?.name, change?.scopes.includes("BOOKING_WRITE")], ["Another Name", true])
      assert.strictEqual((yield* dev.post(`${path}/withdraw`)).location, path)
      assert.include((yield* dev.get(path)).text, "The change was withdrawn.")
      assert.isNull((yield* review.get(client.id)).change)
      assert.strictEqual((yield* dev.post(`${path}/withdraw`)).status, 409)
      assert.strictEqual((yield* dev.post(`${path}/resubmit`)).status, 409)
    }))

  it.effect("rotates secrets, with a word about the consequence before one ends", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const dev = yield* visitor()
      const { client } = yield* Clients.newClient(dev.account.id)
      const path = `/settings/apps/${client.id}`
      const [first] = yield* vault.list(client.id)
      const credentials = `${path}/credentials`
      assert.notInclude((yield* dev.get(credentials)).text, "/revoke\"")
      const last = yield* dev.post(`${path}/secrets/${first?.id}/revoke`)
      assert.strictEqual(last.status, 409)
      assert.include(last.text, "The only client secret cannot be revoked")

      const made = yield* dev.post(`${path}/secrets`)
      assert.isDefined(secretIn(made.text))
      const third = yield* dev.post(`${path}/secrets`)
      assert.deepStrictEqual([third.status, secretIn(third.text)], [409, undefined])
      const question = yield* dev.get(`${path}/secrets/${first?.id}/revoke`)
      assert.include(question.text, "It stops working at once")
      const revoked = yield* dev.post(`${path}/secrets/${first?.id}/revoke`)
      assert.strictEqual(revoked.location, credentials)
      assert.include((yield* dev.get(credentials)).text, "The client secret was revoked")
      assert.strictEqual((yield* dev.get(`${path}/secrets/${first?.id}/revoke`)).location, credentials)
      assert.strictEqual((yield* dev.post(`${path}/secrets/${first?.id}/revoke`)).status, 404)
      const left = yield* vault.list(client.id)
      assert.deepStrictEqual(left.map(({ lastFour }) => lastFour), [secretIn(made.text)?.slice(-4) ?? ""])
    }))

  it.effect("deletes an app when its name is typed", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const { client } = yield* Clients.newClient(dev.account.id)
      const path = `/settings/apps/${client.id}`
      for (const confirm of ["", "calendar sync", client.id]) {
        const refused = yield* dev.post(`${path}/delete`, { confirm })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "Nothing was deleted")
      }
      assert.strictEqual(
        (yield* dev.post(`${path}/delete`, { confirm: client.name })).location,
        "/settings/apps"
      )
      assert.include((yield* dev.get("/settings/apps")).text, `The app ${client.name} was deleted`)
      assert.strictEqual((yield* dev.get(path)).status, 404)
    }))

  it.effect("shows and obeys nobody but the owner, with the token of the session", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const dev = yield* visitor()
      const other = yield* visitor("admin")
      const { client } = yield* Clients.newClient(dev.account.id)
      yield* vault.generate(client.id)
      const [secret] = yield* vault.list(client.id)
      const before = yield* rowsOf(dev.account.id)
      const path = `/settings/apps/${client.id}`
      const forms = [
        ["", { ...filled, name: "Mine", version: "1" }],
        ["/scopes", { "scope:BOOKING_WRITE": "on", version: "1" }],
        ["/resubmit", {}],
        ["/withdraw", {}],
        ["/delete", { confirm: client.name }],
        ["/secrets", {}],
        [`/secrets/${secret?.id}/revoke`, {}]
      ] as const
      for (const [action, fields] of forms) {
        assert.strictEqual((yield* other.post(path + action, fields)).status, 404, action)
        for (const csrf of ["", "wrong", other.csrf]) {
          assert.strictEqual((yield* dev.post(path + action, { ...fields, csrf })).status, 403, action)
        }
      }
      for (const tab of ["", "/credentials", "/scopes", "/activity", "/settings"]) {
        assert.strictEqual((yield* other.get(path + tab)).status, 404, tab)
        assert.strictEqual((yield* dev.get(path + tab)).status, 200, tab)
      }
      assert.strictEqual((yield* other.get(`${path}?reference=1`)).status, 404)
      assert.strictEqual((yield* dev.get(`${path}?reference=1`)).location, `${path}/activity?reference=1`)
      assert.strictEqual((yield* other.get(`${path}/secrets/${secret?.id}/revoke`)).status, 404)
      assert.strictEqual((yield* dev.post("/settings/apps", { ...filled, csrf: other.csrf })).status, 403)
      assert.strictEqual((yield* dev.get("/settings/apps/%00")).status, 404)
      assert.deepStrictEqual(yield* rowsOf(dev.account.id), before)
    }))
})
