import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { connectionsPath } from "../../../src/doors/consent/ConnectionsAddress.ts"
import { decisionPath } from "../../../src/doors/consent/ConsentView.ts"
import { authorizePath, browser, newClient, requestingApp, Services } from "./Scenario.ts"

const linkTo = (href: string, label: string) => `<a href="${href}" class="button">${label}</a>`
const out = linkTo(connectionsPath, "Your connected apps")

layer(Services)("An error page of the authorization endpoint", (it) => {
  it.effect("names the app with its website, and leads back there, never to the address of the request", () =>
    Effect.gen(function*() {
      const { admin, client, request, tab } = yield* requestingApp({
        name: "Wall <Display>",
        website: "https://display.example"
      })
      const evil = { ...request, redirect_uri: "https://evil.example/" }
      for (const one of [tab, yield* browser()]) {
        const { body } = yield* one.get(authorizePath(evil))
        assert.include(body, "<div class=\"app-name\">Wall &lt;Display&gt;</div>")
        assert.include(body, linkTo("https://display.example", "Back to display.example"))
        assert.notInclude(body, "evil.example")
      }
      const { question } = yield* tab.get(authorizePath(request))
      yield* (yield* ClientReview).suspend(admin, client.id, "Abuse.")
      const decided = yield* tab.post(decisionPath, { csrf: tab.csrf, request: question, decision: "allow" })
      assert.strictEqual(decided.status, 403)
      assert.include(decided.body, "Wall &lt;Display&gt;")
      assert.include(decided.body, linkTo("https://display.example", "Back to display.example"))
    }))

  it.effect("shows an app that nobody has approved to its owner alone, with the way to its settings", () =>
    Effect.gen(function*() {
      const { owner, request, tab } = yield* requestingApp()
      const { client } = yield* newClient(owner, { name: "Call us: 555-0100", website: "https://pending.example" })
      const path = authorizePath({ ...request, client_id: client.id })
      for (const one of [tab, yield* browser()]) {
        const { body } = yield* one.get(path)
        assert.notInclude(body, "555-0100")
        assert.notInclude(body, "pending.example")
        assert.include(body, out)
      }
      const { body } = yield* (yield* browser(owner)).get(path)
      assert.include(body, "Call us: 555-0100")
      assert.include(body, linkTo(`/settings/apps/${client.id}`, "Open the app’s settings"))
    }))

  it.effect("names the app of a question that is gone, and of one without a decision, and folds the cause", () =>
    Effect.gen(function*() {
      const { client, owner, request, tab } = yield* requestingApp({ website: "https://display.example" })
      const { body, question } = yield* tab.get(authorizePath(request))
      assert.include(body, `<input type="hidden" name="client_id" value="${client.id}">`)
      const answer = { csrf: tab.csrf, request: question, client_id: client.id }
      const without = yield* tab.post(decisionPath, answer)
      assert.strictEqual(without.status, 400)
      assert.strictEqual((yield* tab.post(decisionPath, { ...answer, decision: "deny" })).status, 303)
      const closed = yield* tab.post(decisionPath, { ...answer, decision: "allow" })
      assert.strictEqual(closed.status, 410)
      for (const [page, cause] of [[without, "decision-missing"], [closed, "question-closed"]] as const) {
        assert.include(page.body, linkTo("https://display.example", "Back to display.example"))
        const [, folded = ""] = /<details class="failure-cause">(.*?)<\/details>/s.exec(page.body) ?? []
        assert.include(folded, `<code>${cause}</code>`)
        assert.include(folded, `<code>${page.headers.get("x-request-id")}</code>`)
      }
      const { client: pending } = yield* newClient(owner, { name: "Call us: 555-0100" })
      const forged = yield* tab.post(decisionPath, { ...answer, client_id: pending.id, decision: "allow" })
      assert.notInclude(forged.body, "555-0100")
    }))

  it.effect("leads on where there is no app to name, or none with a website", () =>
    Effect.gen(function*() {
      const { client, request, tab } = yield* requestingApp()
      assert.include((yield* tab.get(authorizePath({ ...request, client_id: "unknown" }))).body, out)
      assert.include((yield* tab.post(decisionPath, { csrf: tab.csrf, request: "closed", decision: "deny" })).body, out)
      assert.include((yield* tab.post(decisionPath, { csrf: tab.csrf, request: "closed" })).body, out)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE clients SET website = '' WHERE id = ${client.id}`
      const { body } = yield* tab.get(authorizePath({ ...request, redirect_uri: "https://evil.example/" }))
      assert.include(body, client.name)
      assert.include(body, out)
    }))
})
