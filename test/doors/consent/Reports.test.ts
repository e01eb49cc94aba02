import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppReports } from "../../../src/core/consent/AppReports.ts"
import { reportPath } from "../../../src/doors/consent/AskingApp.ts"
import { authorizePath, newAccount, newClient, requestingApp, servicesWith } from "./Scenario.ts"

layer(servicesWith({ ACCOUNT_BUDGET: "100" }))("A report of an app", (it) => {
  it.effect("leads from the consent page to reviewers and back, once for each user", () =>
    Effect.gen(function*() {
      const reports = yield* AppReports
      const { client, request, tab, user } = yield* requestingApp()
      const path = authorizePath(request)
      const { body } = yield* tab.get(path)
      const link = /href="([^"]*report[^"]*)"/.exec(body)?.[1]?.replaceAll("&amp;", "&") ?? ""
      const form = yield* tab.get(link)
      assert.strictEqual(form.status, 200)
      const fields = { csrf: tab.csrf, client_id: client.id, return_to: path }
      const empty = yield* tab.post(reportPath, fields)
      assert.strictEqual(empty.status, 400)
      assert.include(empty.body, "<title>1 error")
      const sent = yield* tab.post(reportPath, { ...fields, reason: "It says that it is our bank." })
      assert.include(sent.body, `href="${path.replaceAll("&", "&amp;")}"`)
      yield* tab.post(reportPath, { ...fields, reason: "Once more." })
      const told = (yield* reports.list(client.id)).map(({ actor, details }) => [actor, details["reason"]])
      assert.deepStrictEqual(told, [[user, "It says that it is our bank."]])
    }))

  it.effect("has a budget, and is of an app that users can allow", () =>
    Effect.gen(function*() {
      const reports = yield* AppReports
      const { client, tab, user } = yield* requestingApp()
      const { client: waiting } = yield* newClient(yield* newAccount("owner"))
      const report = (client_id: string) => tab.post(reportPath, { csrf: tab.csrf, client_id, reason: "Why?" })
      assert.strictEqual((yield* report(waiting.id)).status, 404)
      yield* Effect.forEach(Array.from({ length: 100 }), () => reports.report(user, client.id, "Why?"))
      assert.strictEqual((yield* report(client.id)).status, 429)
    }))
})
