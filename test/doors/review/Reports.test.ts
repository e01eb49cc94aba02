import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { AppReports } from "../../../src/core/consent/AppReports.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { caller, newAccount, Services, visitor } from "../portal/Scenario.ts"

/** An approved app with its owner, the reviewer who approved it, and what reports it for users. */
const reportedApp = Effect.fnUntraced(function*(name: string) {
  const reports = yield* AppReports
  const owner = yield* visitor()
  const reviewer = yield* visitor("reviewer")
  const client = yield* Clients.approvedClient(owner.account.id, reviewer.account.id, { name })
  const report = Effect.fnUntraced(function*(why: string) {
    const user = yield* newAccount()
    yield* reports.report(user.id, client.id, why)
    return user
  })
  const queue = Effect.fnUntraced(function*(state: string) {
    const { text } = yield* reviewer.get(`/review?state=${state}&search=${client.id}`)
    return [text.includes(`href="/review/${client.id}"`), /(\d+) reports? of users/.exec(text)?.[1]]
  })
  return { client, owner, queue, report, reviewer, path: `/review/${client.id}` }
})

layer(Services)("what users report of an app", (it) => {
  it.effect("flags it in the queue until a reviewer decides, and again with the next report", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { client, queue, report, reviewer } = yield* reportedApp("Flagged")
      assert.deepStrictEqual([yield* queue("reported"), yield* queue("approved")], [[false, undefined], [
        true,
        undefined
      ]])
      yield* report("It is a bank that it is not.")
      yield* report("It sends letters.")
      assert.deepStrictEqual([yield* queue("reported"), yield* queue("approved")], [[true, "2"], [true, "2"]])
      yield* review.suspend(reviewer.account.id, client.id, "We look into it.")
      assert.deepStrictEqual([yield* queue("reported"), yield* queue("suspended")], [[false, undefined], [
        true,
        undefined
      ]])
      yield* review.resume(reviewer.account.id, client.id)
      yield* report("It still sends letters.")
      assert.deepStrictEqual(yield* queue("reported"), [true, "1"])
    }))

  it.effect("leaves the queue when a reviewer has dealt with it, which the trail says", () =>
    Effect.gen(function*() {
      const { client, owner, path, queue, report, reviewer } = yield* reportedApp("Harmless")
      assert.notInclude((yield* reviewer.get(path)).text, "settle-reports")
      yield* report("I do not like its colours.")
      const settle = `${path}/settle-reports`
      assert.strictEqual((yield* owner.post(settle, {})).status, 403)
      assert.strictEqual((yield* reviewer.post("/review/none/settle-reports", {})).status, 404)
      assert.deepStrictEqual(yield* queue("reported"), [true, "1"])
      assert.include((yield* reviewer.get(path)).text, "The report is dealt with")
      assert.strictEqual((yield* reviewer.post(settle, {})).location, path)
      const { text } = yield* reviewer.get(path)
      assert.notInclude(text, `action="${settle}"`)
      assert.include(text, "dealt with the reports of users")
      assert.include(text, "I do not like its colours.")
      assert.deepStrictEqual(yield* queue("reported"), [false, undefined])
      yield* report("It lies.")
      assert.deepStrictEqual([yield* (yield* AppReports).countOpen(client.id), yield* queue("reported")], [1, [
        true,
        "1"
      ]])
    }))

  it.effect("is for reviewers with the name of its user, who is nobody to the app's owner", () =>
    Effect.gen(function*() {
      const { client, owner, path, report, reviewer } = yield* reportedApp("Told of")
      const user = yield* report("<b>It lies.</b>")
      const other = yield* report("It lies to me, too.")
      const { text } = yield* reviewer.get(path)
      const section = /<section aria-labelledby="reports">[^]*?<\/section>/.exec(text)?.[0] ?? ""
      assert.include(section, "2 users have reported this app.")
      assert.include(section, "&lt;b&gt;It lies.&lt;/b&gt;")
      for (const { email, id, name } of [user, other]) {
        assert.include(section, name)
        for (const secret of [email, id]) assert.notInclude(text, secret)
      }
      assert.strictEqual((yield* owner.get(path)).status, 403)
      const ownPage = (yield* owner.get(`/apps/${client.id}`)).text
      for (const part of [user.name, user.id, "It lies", "report"]) assert.notInclude(ownPage, part)
    }))

  it.effect("sorts the flagged by the number of reports, and is counted by the API", () =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      const one = yield* reportedApp("Counted once")
      const two = yield* reportedApp("Counted twice")
      yield* one.report("No.")
      yield* two.report("No.")
      yield* two.report("No!")
      interface Reported {
        readonly name: string
        readonly reports: number
      }
      const { body } = yield* admin.call<{ readonly clients: ReadonlyArray<Reported>; readonly counts: object }>(
        "GET",
        "/v2/admin/oauth-clients?state=reported&search=Counted"
      )
      assert.deepStrictEqual(body.data.clients.map(({ name, reports }) => [name, reports]), [
        ["Counted twice", 2],
        ["Counted once", 1]
      ])
      assert.deepInclude(body.data.counts, { reported: 2, waiting: 0, all: 2 })
      const path = `/v2/admin/oauth-clients/${two.client.id}`
      assert.strictEqual((yield* admin.call<Reported>("GET", path)).body.data.reports, 2)
      yield* admin.call("POST", `${path}/settle-reports`, {})
      assert.strictEqual((yield* admin.call<Reported>("GET", path)).body.data.reports, 0)
    }))
})
