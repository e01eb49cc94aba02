import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "node-html-parser"
import type { UserId } from "../../../src/domain/Ids.ts"
import {
  authorizePath,
  browser,
  codesOf,
  grant,
  parameters,
  requestingApp,
  Services,
  servicesWith
} from "./Scenario.ts"

/** What the platform says of a user. */
const says = Effect.fnUntraced(function*(id: UserId, organizationName: string | null, decides: boolean | null) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE accounts SET organization_name = ${organizationName}, decides_for_organization = ${decides}
    WHERE id = ${id}`
})

const scopes = ["ORG_MEMBERSHIP_WRITE", "ORG_PROFILE_READ", "PROFILE_READ"]

/** Question about these scopes for a user of Acme. */
const asking = Effect.fnUntraced(
  function*(optionalScopes: ReadonlyArray<string> = [], decides: boolean | null = false) {
    const scenario = yield* requestingApp({ scopes, optionalScopes })
    yield* says(scenario.user, "Acme <Ltd>", decides)
    const path = authorizePath({ ...scenario.request, scope: scopes.join(" ") })
    const page = yield* scenario.tab.get(path)
    const root = parse(page.body)
    const answer = (decision: string, more: Record<string, string> = {}) =>
      scenario.tab.post("/auth/oauth2/decision", {
        csrf: scenario.tab.csrf,
        request: page.question,
        client_id: scenario.client.id,
        form_page: path,
        decision,
        ...more
      })
    const buttons = root.querySelectorAll("[name=decision]").map((button) => button.getAttribute("value"))
    return { ...scenario, path, page, root, buttons, answer }
  }
)

layer(Services)("The consent page for somebody in an organization", (it) => {
  it.effect("names it wherever it speaks of the whole of it", () =>
    Effect.gen(function*() {
      const { buttons, root } = yield* asking([], true)
      const named = "your whole organization (<bdi>Acme &lt;Ltd&gt;</bdi>)"
      for (const part of [".warning.red", ".sum", ".right summary", ".decide .danger"]) {
        assert.include(root.querySelector(part)?.innerHTML, named, part)
      }
      assert.deepStrictEqual(buttons, ["deny", "allow"])
      assert.isNull(root.querySelector("textarea"))
    }))

  it.effect("has a text to pass on in the place of Allow for who may not decide, with nothing of the request but its rights", () =>
    Effect.gen(function*() {
      const { answer, buttons, client, page, root } = yield* asking()
      assert.deepStrictEqual(buttons, ["deny"])
      assert.isNull(root.querySelector("[name=end]"))
      assert.include(root.querySelector(".decide")?.text, "Only an administrator of Acme <Ltd> can allow this.")
      const area = root.querySelector("textarea")
      assert.isTrue(area?.hasAttribute("readonly"))
      assert.isFalse(area?.hasAttribute("name"))
      const text = area?.textContent ?? ""
      assert.include(text, `\u2068${client.name}\u2069`)
      assert.include(text, "\u2068Acme <Ltd>\u2069")
      assert.include(text, `Website: ${client.website}`)
      assert.include(text, "\n- Change who is in your organization\n")
      for (const secret of [client.id, page.question, "state", "authorize", "code_challenge"]) {
        assert.notInclude(text, secret)
      }
      assert.strictEqual(parameters((yield* answer("deny")).location)["error"], "access_denied")
    }))

  it.effect("gives nothing of it, whatever is posted, and says so", () =>
    Effect.gen(function*() {
      for (const decision of ["allow", "see"]) {
        const { answer, client } = yield* asking()
        const ticked = Object.fromEntries(scopes.map((scope) => [`scope:${scope}`, "on"]))
        const { body, status } = yield* answer(decision, ticked)
        assert.strictEqual(status, 403)
        assert.include(parse(body).querySelector("[role=alert]")?.text, "Nothing was allowed.")
        assert.deepStrictEqual(yield* codesOf(client.id), [])
      }
      const { answer, client } = yield* asking()
      assert.strictEqual(parameters((yield* answer("keep")).location)["error"], "access_denied")
      assert.deepStrictEqual(yield* codesOf(client.id), [])
    }))

  it.effect("lets them allow the rest where what they may not decide is optional", () =>
    Effect.gen(function*() {
      const optional = ["ORG_MEMBERSHIP_WRITE"]
      const forged = yield* asking(optional)
      assert.deepStrictEqual(forged.buttons, ["deny", "allow"])
      assert.isNull(forged.root.querySelector("[name^='scope:']"))
      assert.include(forged.root.querySelector(".right")?.text, "Not included")
      // What is most dangerous beside Allow is of what can be allowed.
      assert.notInclude(forged.root.querySelector(".decide .danger")?.text, "people")
      assert.isNull(forged.root.querySelector(".warning.red"))
      assert.strictEqual((yield* forged.answer("allow", { "scope:ORG_MEMBERSHIP_WRITE": "on" })).status, 403)
      assert.deepStrictEqual(yield* codesOf(forged.client.id), [])

      const { answer, client } = yield* asking(optional)
      assert.isString(parameters((yield* answer("allow")).location)["code"])
      assert.deepStrictEqual((yield* codesOf(client.id))[0]?.scopes, ["PROFILE_READ", "ORG_PROFILE_READ"])
    }))

  it.effect("keeps what they have given before, and gives no more", () =>
    Effect.gen(function*() {
      const { client, path, tab, user } = yield* asking(["ORG_MEMBERSHIP_WRITE"])
      yield* grant(user, client.id, ["ORG_PROFILE_READ", "PROFILE_READ"])
      const { body } = yield* tab.get(path)
      const values = parse(body).querySelectorAll("[name=decision]").map((button) => button.getAttribute("value"))
      assert.deepStrictEqual(values, ["keep"])
      // What was given for the whole organization is given without a page, too, as long as it lasts.
      yield* grant(user, client.id, scopes)
      assert.isString(parameters((yield* tab.get(path)).location)["code"])
    }))

  it.effect("asks for a legacy app, which gets everything, those who decide", () =>
    Effect.gen(function*() {
      const { client, request, tab, user } = yield* requestingApp()
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${client.id}`
      yield* says(user, null, false)
      const { scope: _scope, ...legacy } = request
      const path = authorizePath(legacy)
      const page = yield* tab.get(path)
      const root = parse(page.body)
      assert.deepStrictEqual(root.querySelectorAll("[name=decision]").length, 1)
      assert.include(root.querySelector("textarea")?.textContent, "- your bookings, calendars and profile")
      const fields = { csrf: tab.csrf, request: page.question, client_id: client.id, form_page: path }
      assert.strictEqual((yield* tab.post("/auth/oauth2/decision", { ...fields, decision: "allow" })).status, 403)
      assert.deepStrictEqual(yield* codesOf(client.id), [])
    }))
})

layer(servicesWith({ ORGANIZATION_DECIDER_CLAIM: "org_role=owner" }))("Where a claim says who decides", (it) => {
  it.effect("nobody else may: also not a user of whom nothing was said yet, in an organization or in none", () =>
    Effect.gen(function*() {
      const { request, tab, user } = yield* requestingApp({ scopes })
      const path = authorizePath({ ...request, scope: "ORG_MEMBERSHIP_WRITE" })
      const mayAllow = Effect.map((yield* browser(user)).get(path), ({ body }) => body.includes("value=\"allow\""))
      assert.isFalse(yield* mayAllow)
      yield* says(user, "Acme", true)
      assert.isTrue(yield* mayAllow)
      assert.include((yield* tab.get(authorizePath({ ...request, scope: "ORG_PROFILE_READ" }))).body, "value=\"allow\"")
    }))
})
