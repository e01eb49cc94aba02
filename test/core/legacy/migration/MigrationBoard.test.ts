import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LegacyTraffic } from "../../../../src/core/legacy/migration/LegacyTraffic.ts"
import { MigrationAudits } from "../../../../src/core/legacy/migration/MigrationAudits.ts"
import { MigrationBoard } from "../../../../src/core/legacy/migration/MigrationBoard.ts"
import { MigrationMails } from "../../../../src/core/legacy/migration/MigrationMails.ts"
import { MigrationVerdict } from "../../../../src/core/legacy/migration/MigrationVerdict.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { pleaseMigrate } from "../../../../src/doors/mails/AppMails.ts"
import { mailText } from "../../../support/MailText.ts"
import { layer as server } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { legacyApp, visitor } from "../Scenario.ts"

const usual = { state: "open", search: "", sort: "requests", limit: 100 } as const

/** Adds legacy apps of an owner by raw rows, as an import of many would. */
const addApps = Effect.fnUntraced(function*(owner: string, names: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at, observed_since)
    SELECT n.name, ${owner}, 'public', true, 'approved', n.name, 'Test', 'https://old.test',
      ARRAY['https://old.test/cb'], ARRAY[]::text[], ${now}::timestamptz, ${now}, ${now}, ${now}
    FROM unnest(${names}::text[]) AS n (name)`
})

const mailsTo = Effect.fnUntraced(function*(owner: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT 1 FROM outbox WHERE queue = 'migration-mails' AND payload->>'ownerId' = ${owner}`
  return rows.length
})

layer(server({ SESSION_LIFETIME: "400 days" }), { timeout: 60_000 })("The migration board", (it) => {
  it.effect("shows a legacy client with what its requests were like, and its owner is written to once a week at most", () =>
    Effect.gen(function*() {
      const app = yield* legacyApp
      const ann = yield* app.user
      yield* app.connect(ann)
      yield* TestClock.adjust("1 day")
      yield* app.authorize(ann)
      yield* app.connect(yield* app.user, "PROFILE_READ")
      const board = (yield* app.admin.get("/review/migration")).text
      assert.include((yield* app.admin.get("/review/migration?cursor=nonsense")).text, "Old Timer")
      assert.include(board, "Old Timer")
      assert.include(board, "URL still without scope: do not save scopes yet")
      assert.match(
        board,
        /<svg class="trend" role="img"[^>]*aria-label="Requests without scope: 0 of 0 in the first half of the days, 2 of 3 in the second half"/
      )
      assert.notInclude(board, "style=")
      const sent = yield* app.admin.post("/review/migration/mail", { sort: "name" })
      assert.strictEqual(sent.headers.get("location"), "/review/migration?sort=name")
      assert.include((yield* app.admin.get("/review/migration?sort=name")).text, "One owner gets an email.")
      assert.strictEqual(yield* mailsTo(app.owner.id), 1)
      yield* app.admin.post("/review/migration/mail", {})
      assert.include((yield* app.admin.get("/review/migration")).text, "Nobody was written to")
      assert.notInclude((yield* app.admin.get("/review/migration?asked=7")).text, "7 owners")
      yield* TestClock.adjust("8 days")
      yield* app.admin.post("/review/migration/mail", {})
      assert.strictEqual(yield* mailsTo(app.owner.id), 2)
      yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
      yield* TestClock.adjust("8 days")
      yield* app.admin.post("/review/migration/mail", {})
      assert.strictEqual(yield* mailsTo(app.owner.id), 2)
      assert.include((yield* app.admin.get("/review/migration?state=migrated")).text, app.id.slice(0, 8))
    }))

  it.effect("is read by reviewers, from whom owners get no mail", () =>
    Effect.gen(function*() {
      const app = yield* legacyApp
      const reviewer = yield* Effect.flatMap(newAccount("reviewer", "reviewer"), visitor)
      const mails = "/review/migration/mail"
      const board = yield* reviewer.get("/review/migration")
      assert.include(board.text, "Old Timer")
      assert.notInclude(board.text, mails)
      assert.include((yield* app.admin.get("/review/migration")).text, mails)
      assert.strictEqual((yield* reviewer.get(mails)).status, 403)
      assert.strictEqual((yield* reviewer.post(mails, {})).status, 403)
      const api = "/v2/admin/legacy-clients"
      assert.strictEqual((yield* reviewer.get(api)).status, 200)
      assert.strictEqual((yield* reviewer.get(`${api}/export?format=json`)).status, 200)
      assert.strictEqual((yield* reviewer.get(`${api}/mails`)).status, 403)
      assert.strictEqual((yield* reviewer.call("POST", `${api}/mails`, {})).status, 403)
      assert.strictEqual(yield* mailsTo(app.owner.id), 0)
    }))

  it.effect("finds apps by verdict as it is now, however it was when it was looked at last", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("verdict")
      const board = yield* MigrationBoard
      const traffic = yield* LegacyTraffic
      const id = ClientId.make("by-verdict")
      yield* addApps(owner, [id])
      const states = Effect.gen(function*() {
        const found: Array<string> = []
        for (const state of MigrationVerdict.literals) {
          const { clients, total } = yield* board.list({ ...usual, search: id, state })
          assert.strictEqual(total, clients.length)
          if (clients.length > 0) found.push(state)
        }
        return found
      })
      assert.deepStrictEqual(yield* states, ["too-early"])
      yield* TestClock.adjust("8 days")
      assert.deepStrictEqual(yield* states, ["not-started"])
      yield* TestClock.adjust("1 minute")
      yield* traffic.count(id, ["PROFILE_READ"], [])
      assert.deepStrictEqual(yield* states, ["safe-to-save"])
      yield* TestClock.adjust("1 minute")
      yield* traffic.count(id, null, [])
      assert.deepStrictEqual(yield* states, ["url-without-scope"])
    }))

  it.effect("knows what the nightly audit found", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audits = yield* MigrationAudits
      const id = ClientId.make("by-night")
      yield* addApps(yield* newAccount("night"), [id])
      yield* audits.run("night", () => Effect.void)
      assert.lengthOf(yield* sql`SELECT 1 FROM migration_standings WHERE client_id = ${id}`, 1)
    }))

  it.effect("finds apps by their names, and by names, addresses and ids of their owners", () =>
    Effect.gen(function*() {
      const board = yield* MigrationBoard
      const owner = yield* newAccount("zacharias")
      yield* addApps(owner, ["needle_100%", "needle_1000"])
      const found = (search: string) =>
        Effect.map(board.list({ ...usual, search }), ({ clients }) => clients.map(({ id }) => id).sort())
      assert.deepStrictEqual(yield* found("needle"), ["needle_100%", "needle_1000"])
      assert.deepStrictEqual(yield* found("NEEDLE_100%"), ["needle_100%"])
      assert.deepStrictEqual(yield* found("zachar"), ["needle_100%", "needle_1000"])
      assert.deepStrictEqual(yield* found(owner), ["needle_100%", "needle_1000"])
      assert.deepStrictEqual(yield* found("\0"), [])
    }))

  it.effect("goes through all apps page by page, in each order", () =>
    Effect.gen(function*() {
      const board = yield* MigrationBoard
      const traffic = yield* LegacyTraffic
      const owner = yield* newAccount("pages")
      const ids = ["pages-c", "pages-A", "pages-b", "pages-e", "pages-D"].map((id) => ClientId.make(id))
      yield* addApps(owner, ids)
      for (const [at, id] of ids.entries()) {
        for (let n = 0; n < at % 3; n++) yield* traffic.count(id, null, [])
      }
      const walk = Effect.fnUntraced(function*(sort: "requests" | "grants" | "name" | "owner") {
        const seen: Array<string> = []
        let cursor: string | undefined
        for (;;) {
          const page = yield* board.list({ ...usual, search: owner, sort, limit: 2, cursor })
          assert.isAtMost(page.clients.length, 2)
          assert.strictEqual(page.total, 5)
          seen.push(...page.clients.map(({ id }) => id.replace("pages-", "")))
          if (page.nextCursor === null) return seen.join("")
          cursor = page.nextCursor
        }
      })
      assert.strictEqual(yield* walk("requests"), "bADce")
      assert.strictEqual(yield* walk("name"), "AbcDe")
      assert.lengthOf(yield* walk("grants"), 5)
      assert.lengthOf(yield* walk("owner"), 5)
    }))

  it.effect("writes one mail to an owner of many apps, and shows before what goes to how many", () =>
    Effect.gen(function*() {
      const mails = yield* MigrationMails
      const owner = yield* newAccount("many")
      const admin = yield* Effect.flatMap(newAccount("admin", "admin"), visitor)
      yield* addApps(owner, Array.from({ length: 30 }, (_, n) => `many-${n}`))
      const filter = { state: "open", search: owner } as const
      const preview = yield* mails.preview(filter)
      assert.deepInclude(preview, { owners: 1, apps: 30 })
      const left = Option.getOrThrow(yield* mails.left(owner))
      assert.deepStrictEqual(preview.sample?.left, left)
      assert.include(mailText(pleaseMigrate({ authUrl: "https://auth.test" }, left)), "- and 10 more")
      const page = (yield* admin.get(`/review/migration/mail?search=${owner}`)).text
      assert.include(page, "One owner gets an email, about 30 legacy apps")
      assert.include(page, "Please move 30 of your apps to scopes")
      assert.strictEqual(yield* mailsTo(owner), 0)
      const sent = yield* Effect.all([mails.send(admin.id, filter), mails.send(admin.id, filter)], { concurrency: 2 })
      assert.deepStrictEqual(sent.map(({ owners }) => owners).sort(), [0, 1])
      assert.strictEqual(yield* mailsTo(owner), 1)
      assert.deepInclude(yield* mails.preview(filter), { owners: 0, apps: 0, sample: null })
      // An app that comes within the week waits for the next mail.
      yield* addApps(owner, ["many-later"])
      assert.strictEqual((yield* mails.preview(filter)).owners, 0)
    }))

  it.effect("writes to the co-owners of the apps, too, and to nobody twice in a week", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const mails = yield* MigrationMails
      const admin = yield* newAccount("admin", "admin")
      const [first, second, partner] = [
        yield* newAccount("first"),
        yield* newAccount("second"),
        yield* newAccount("co")
      ]
      yield* addApps(first, ["shared-legacy"])
      yield* addApps(second, ["shared-later"])
      yield* sql`INSERT INTO client_owners (client_id, account_id, role, since)
        SELECT id, ${partner}, 'developer', now() FROM clients WHERE owner_id IN (${first}, ${second})`
      yield* mails.send(admin, { state: "open", search: "shared-legacy" })
      assert.deepStrictEqual([yield* mailsTo(first), yield* mailsTo(partner)], [1, 1])
      assert.strictEqual(Option.getOrThrow(yield* mails.left(partner)).total, 2)
      yield* mails.send(admin, { state: "open", search: "shared-later" })
      assert.deepStrictEqual([yield* mailsTo(second), yield* mailsTo(partner)], [1, 1])
    }))

  it.effect("writes only to owners of the apps that are looked at", () =>
    Effect.gen(function*() {
      const mails = yield* MigrationMails
      const admin = yield* newAccount("admin", "admin")
      const other = yield* newAccount("other")
      yield* addApps(yield* newAccount("chosen"), ["chosen-app"])
      yield* addApps(other, ["another-app"])
      assert.deepStrictEqual(yield* mails.send(admin, { state: "open", search: "chosen-app" }), { owners: 1, apps: 1 })
      assert.strictEqual(yield* mailsTo(other), 0)
    }))
})
