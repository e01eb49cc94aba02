import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../../../src/core/clients/life/Registration.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import type { Outcome } from "../../../src/core/usage/Use.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { appTabPath, unusedScopesPath } from "../../../src/doors/parts/Paths.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { caller, newAccount, Services, servicesWith, visitor } from "./Scenario.ts"

const org = ["ORG_BOOKING_READ", "ORG_BOOKING_WRITE", "ORG_PROFILE_READ"]
const day = 86_400_000
const weeks = 13
const scopes = ["PROFILE_READ", "BOOKING_READ", "BOOKING_WRITE", "WEBHOOK_READ", ...org]

/** Goes on by 13 weeks since the tables were made, so that every call within them was seen. */
const later = TestClock.setTime(Date.now() + (weeks + 1) * 7 * day)

/** An app that was approved before these weeks. */
const approvedApp = Effect.fnUntraced(function*(owner: UserId, input: Partial<RegistrationInput> = {}) {
  const sql = yield* SqlClient.SqlClient
  const admin = yield* newAccount("admin")
  const client = yield* Clients.approvedClient(owner, admin.id, { scopes, ...input })
  const at = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { weeks: weeks + 1 }))
  yield* sql`UPDATE clients SET created_at = ${at}, reviewed_at = ${at} WHERE id = ${client.id}`
  return client
})

/** Such an app with its owner, and what counts calls of it on a day of these weeks. */
const scene = Effect.fnUntraced(function*(input: Partial<RegistrationInput> = {}) {
  yield* later
  const sql = yield* SqlClient.SqlClient
  const owner = yield* visitor()
  const client = yield* approvedApp(owner.account.id, input)
  const count = Effect.fnUntraced(
    function*(daysAgo: number, need: string, calls: number, outcome: Outcome = "allowed") {
      const at = DateTime.formatIsoDateUtc(DateTime.subtract(yield* DateTime.now, { days: daysAgo }))
      yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
      VALUES (${client.id}, ${at}::text::date, ${need}, ${outcome}, ${calls})`
    }
  )
  const path = appTabPath(client.id, "activity")
  const drop = (those: ReadonlyArray<string>, by: Pick<typeof owner, "post"> = owner, version = client.version) =>
    by.post(unusedScopesPath(client.id), { scopes: those.join(" "), version: String(version) })
  const now = Effect.flatMap(ClientRegistry, (registry) => registry.getOwned(owner.account.id, client.id))
  return { owner, client, path, count, drop, now }
})

/** Scopes that the form of the page would drop. */
const offered = (text: string) => /name="scopes" value="([^"]*)"/.exec(text)?.[1]?.split(" ")

/** Rows of a table by its label, cell by cell, without markup. */
const rows = (text: string, label: string) => {
  const [, body = ""] = new RegExp(`<table[^>]*aria-label="${label}"[^]*?<tbody>([^]*?)</tbody>`).exec(text) ?? []
  return [...body.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, "").trim())
  )
}

layer(Services)("The calls on the page of an app", (it) => {
  it.effect("are bars and numbers by day and by scope, and the same in JSON, for its people alone", () =>
    Effect.gen(function*() {
      const { client, count, owner, path } = yield* scene()
      yield* count(90, "BOOKING_READ", 7)
      yield* count(1, "BOOKING_READ", 1_400)
      yield* count(1, "BOOKING_READ", 5, "unrestricted")
      yield* count(1, "TEAM_APPS_READ", 1, "insufficient_scope")
      yield* count(0, "BOOKING_READ", 30)
      yield* count(0, "", 4, "closed")
      // Beyond the 13 weeks.
      yield* count(91, "PROFILE_READ", 9)

      const { text } = yield* owner.get(path)
      assert.include(text, "1,447 calls since")
      assert.include(text, "5 of them refused.")
      assert.deepStrictEqual(rows(text, "Calls by what they needed").map((row) => row.slice(0, 4)), [
        ["none: no app may make these calls", "0", "4", "0"],
        ["TEAM_APPS_READ", "0", "1", "0"],
        ["BOOKING_READ", "1,442", "0", "0"]
      ])
      assert.deepStrictEqual(rows(text, "Numbers by day").map(([, ...numbers]) => numbers), [
        ["30", "4"],
        ["1,405", "1"],
        ["7", "0"]
      ])
      // 91 bars, of which three days have some; one refused call among 1,406 is still to be seen.
      const [, refused = "", allowed = ""] =
        /<svg class="trend days"[^]*?class="refused" d="([^"]*)"[^]*?class="allowed" d="([^"]*)"/.exec(text) ?? []
      assert.deepStrictEqual(allowed.match(/M\d+/g), ["M0", "M356", "M360"])
      assert.deepStrictEqual(refused.match(/M\d+ \d+v-[\d.]+/g)?.at(0), "M356 64v-1")

      const only = (yield* owner.get(`${path}?need=TEAM_APPS_READ`)).text
      assert.deepStrictEqual(rows(only, "Numbers by day").map(([, ...numbers]) => numbers), [["0", "1"]])
      assert.strictEqual((yield* owner.get(`${path}?need=%00`)).status, 200)

      const api = yield* caller()
      assert.strictEqual((yield* api.call("GET", `/v2/oauth-clients/${client.id}/usage`)).status, 404)
      assert.strictEqual((yield* (yield* visitor()).get(path)).status, 404)
    }))

  it.effect("are none, and say so, before there is one", () =>
    Effect.gen(function*() {
      const { owner, path } = yield* scene()
      const { text } = yield* owner.get(path)
      assert.include(text, "No call was seen since")
      assert.notInclude(text, "<svg class=\"trend")
      // An app that nobody calls needs no fewer scopes, but another use.
      assert.isUndefined(offered(text))
    }))

  it.effect("are 13 weeks of numbers in JSON, and of users nothing but their number", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* later
      const api = yield* caller()
      const client = yield* approvedApp(api.account.id)
      const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
      yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
        SELECT ${client.id}, ${today}::text::date - n, 'BOOKING_READ', 'allowed', n + 1 FROM generate_series(0, 90) n`
      const data = (yield* api.call<Data>("GET", `/v2/oauth-clients/${client.id}/usage`)).body.data
      assert.deepStrictEqual(data.days.map(({ calls }) => calls), Array.from({ length: 91 }, (_, n) => 91 - n))
      assert.deepStrictEqual([data.from, data.to], [data.days.at(0)?.day, data.days.at(-1)?.day])
      assert.deepStrictEqual(data.unused?.droppable, client.scopes.filter((scope) => scope !== "BOOKING_READ"))
      assert.isNull(data.unknown)
      assert.notInclude(JSON.stringify(data), api.account.id)
    }))
})

interface Data {
  readonly from: string
  readonly to: string
  readonly days: ReadonlyArray<{ readonly day: string; readonly calls: number }>
  readonly unused: { readonly droppable: ReadonlyArray<string> } | null
  readonly unknown: { readonly reason: string; readonly knownAt: string | null } | null
}

layer(Services)("Scopes that nobody uses", (it) => {
  it.effect("are dropped in one step and without a review, by a developer of the app, too", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { client, count, drop, now, owner, path } = yield* scene()
      yield* count(3, "BOOKING_READ", 5)
      yield* count(2, "PROFILE_READ", 5)
      // Each of both may have been what the token had.
      yield* count(2, "TEAM_BOOKING_READ", 5)
      const grants = sql`SELECT scopes FROM grants WHERE client_id = ${client.id}`
      yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
        VALUES (gen_random_uuid(), '', ${client.id}, 'user 1', '{BOOKING_READ,WEBHOOK_READ}', now(), now(),
          now() + interval '1 year')`
      const before = yield* grants

      const wanted = ["BOOKING_WRITE", "WEBHOOK_READ", "ORG_BOOKING_WRITE", "ORG_PROFILE_READ"]
      const { text } = yield* owner.get(path)
      assert.deepStrictEqual(offered(text), wanted)
      assert.include(text, "4 scopes that nobody uses")
      assert.notInclude(text, "user 1")

      const developer = yield* visitor()
      yield* sql`INSERT INTO client_owners (client_id, account_id, role, since)
        VALUES (${client.id}, ${developer.account.id}, 'developer', now())`
      assert.strictEqual((yield* drop(wanted, yield* visitor())).status, 404)
      const answer = yield* drop(wanted, developer)
      assert.deepStrictEqual([answer.status, answer.location?.split("?")[0]], [303, path])
      const after = yield* now
      assert.deepStrictEqual(after.scopes, ["BOOKING_READ", "PROFILE_READ", "ORG_BOOKING_READ"])
      assert.deepStrictEqual([after.status, after.change], ["approved", null])
      assert.deepStrictEqual(yield* grants, before)
    }))

  it.effect("are those that are still unused when they are dropped, and that the page named", () =>
    Effect.gen(function*() {
      const { count, drop, now, owner, path } = yield* scene()
      yield* count(1, "PROFILE_READ", 1)
      const page = offered((yield* owner.get(path)).text) ?? []
      yield* count(0, "BOOKING_READ", 1)
      yield* drop(page.filter((scope) => scope !== "WEBHOOK_READ"))
      assert.deepStrictEqual((yield* now).scopes, ["BOOKING_READ", "PROFILE_READ", "WEBHOOK_READ"])
      const again = yield* drop(["BOOKING_READ", "PROFILE_READ", "NO_SCOPE"], owner, (yield* now).version)
      assert.strictEqual(again.status, 409)
      assert.include(again.text, "were used since you opened this page")
    }))

  it.effect("stay where the app has changed since the page was opened", () =>
    Effect.gen(function*() {
      const { client, count, drop, now, owner, path } = yield* scene()
      yield* count(1, "PROFILE_READ", 1)
      const page = offered((yield* owner.get(path)).text) ?? []
      yield* (yield* ClientRegistry).edit(owner.account.id, client.id, { purpose: "Something else." })
      const refused = yield* drop(page)
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual((yield* now).scopes, client.scopes)
    }))

  it.effect("leave a required one, and take nothing from a change that waits but themselves", () =>
    Effect.gen(function*() {
      const { client, count, drop, now, owner, path } = yield* scene({
        scopes: ["PROFILE_READ", "BOOKING_READ", "WEBHOOK_READ"],
        optionalScopes: ["BOOKING_READ", "WEBHOOK_READ"]
      })
      yield* count(1, "BOOKING_READ", 1)
      const { text } = yield* owner.get(path)
      assert.deepStrictEqual(offered(text), ["WEBHOOK_READ"])
      assert.include(text, "<code>PROFILE_READ</code> is not used either, and stays")

      const registry = yield* ClientRegistry
      const wider = [...client.scopes, "SCHEDULE_READ"]
      const { version } = yield* registry.edit(owner.account.id, client.id, { scopes: wider, name: "Another name" })
      yield* drop(["WEBHOOK_READ", "PROFILE_READ"], owner, version)
      const after = yield* now
      assert.deepStrictEqual(after.scopes, ["BOOKING_READ", "PROFILE_READ"])
      assert.deepInclude(after.change, { name: "Another name" })
      assert.sameMembers([...after.change?.scopes ?? []], ["BOOKING_READ", "SCHEDULE_READ", "PROFILE_READ"])
    }))

  it.effect("are nobody's to know for four weeks after a review, nor where introspection hides what was called", () =>
    Effect.gen(function*() {
      const { client, count, drop, now, owner, path } = yield* scene()
      yield* count(1, "PROFILE_READ", 1)
      yield* count(1, "", 1, "introspected")
      const blind = yield* owner.get(path)
      assert.isUndefined(offered(blind.text))
      assert.include(blind.text, "nobody knows which scopes are unused")
      assert.strictEqual((yield* drop(org)).status, 409)

      const admin = yield* newAccount("admin")
      const other = yield* scene()
      yield* other.count(1, "PROFILE_READ", 1)
      const registry = yield* ClientRegistry
      const { version } = yield* registry.edit(other.owner.account.id, other.client.id, { name: "A later name" })
      yield* (yield* ClientReview).approve(admin.id, other.client.id, version)
      const { text } = yield* other.owner.get(other.path)
      assert.isUndefined(offered(text))
      assert.include(text, "it takes four weeks in which all calls were seen")
      assert.strictEqual((yield* other.drop(org, other.owner, version + 1)).status, 409)
      assert.deepStrictEqual([(yield* now).scopes, (yield* other.now).scopes], [client.scopes, client.scopes])
    }))
})

for (
  const [usage, sentence] of [["partial", "Some APIs check access on their own."], ["off", "Calls are not counted"]]
) {
  layer(servicesWith({ USAGE: usage ?? "" }))(`With USAGE=${usage}, scopes`, (it) => {
    it.effect("are never called unused, and never dropped", () =>
      Effect.gen(function*() {
        const { client, count, drop, now, owner, path } = yield* scene()
        yield* count(1, "PROFILE_READ", 1)
        const { text } = yield* owner.get(path)
        assert.isUndefined(offered(text))
        assert.include(text, sentence ?? "")
        const refused = yield* drop(org)
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "It is not known which scopes of this app nobody uses")
        assert.deepStrictEqual((yield* now).scopes, client.scopes)
      }))
  })
}
