import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "node-html-parser"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor } from "../../core/legacy/Scenario.ts"
import { layer as server } from "../../support/TestServer.ts"
import { connected } from "./Scenario.ts"

const identifier = "https://mcp.example.com/mcp"
const scopes = { "scope:BOOKING_READ": "on", "scope:PROFILE_READ": "on" }

layer(server(), { timeout: 60_000 })("/resources", (it) => {
  it.effect("lead an administrator from nothing to a connected resource, and back", () =>
    Effect.gen(function*() {
      const admin = yield* Effect.flatMap(newAccount("admin", "admin"), visitor)
      const reviewer = yield* Effect.flatMap(newAccount("reviewer", "reviewer"), visitor)
      assert.include((yield* admin.get("/account")).text, "href=\"/resources\"")
      assert.notInclude((yield* reviewer.get("/account")).text, "href=\"/resources\"")
      for (const path of ["/resources", "/resources/new"]) {
        assert.strictEqual((yield* reviewer.get(path)).status, 403, path)
      }
      assert.include((yield* admin.get("/resources")).text, "No resource is registered")

      const entered = { name: "Bookings for agents", identifier: `${identifier}#tools`, ...scopes }
      const refused = yield* admin.post("/resources", { ...entered, "base:EVENT_TYPE_READ": "on" })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "Identifier must be an https address without a query, a fragment")
      assert.include(refused.text, "Base set must name at least one scope")
      assert.include(refused.text, `value="${identifier}#tools"`)
      const form = parse(refused.text)
      const checked = form.querySelectorAll("input[type=checkbox][checked]").map((box) => box.getAttribute("name"))
      assert.deepStrictEqual(checked.toSorted(), Object.keys(scopes))

      const sent = { ...entered, identifier, "base:BOOKING_READ": "on" }
      assert.strictEqual((yield* reviewer.post("/resources", sent)).status, 403)
      const made = yield* admin.post("/resources", sent)
      assert.strictEqual(made.status, 303, made.text)
      const path = made.headers.get("location") ?? ""
      const page = (yield* admin.get(path)).text
      assert.include(page, "Connect it next")
      assert.include(page, "https://mcp.example.com/.well-known/oauth-protected-resource/mcp")
      assert.include(page, "No program has one yet")
      assert.strictEqual((yield* reviewer.get(path)).status, 403)
      const again = yield* admin.post("/resources", sent)
      assert.deepInclude(again, { status: 409 })
      assert.include(again.text, "There is a resource with this identifier already.")

      assert.strictEqual((yield* admin.post(`${path}/credentials`, { name: "" })).status, 400)
      const created = (yield* admin.post(`${path}/credentials`, { name: "MCP server" })).text
      const credential = /slk_rs_\w+/.exec(created)?.[0] ?? ""
      assert.include(created, "SLOTKEY_RESOURCE=https://mcp.example.com/mcp")
      const listed = (yield* admin.get(path)).text
      assert.notInclude(listed, credential)
      assert.include(listed, `…${credential.slice(-4)}`)
      const revoke = new RegExp(`${path}/credentials/[^/"]+/revoke`).exec(listed)?.[0] ?? ""
      assert.include((yield* admin.get(revoke)).text, "Revoke the credential of")
      assert.strictEqual((yield* admin.post(revoke, {})).status, 303)
      assert.include((yield* admin.get(path)).text, "The credential is revoked.")

      const edit = { name: "Agents", version: "1", "scope:BOOKING_READ": "on", "base:BOOKING_READ": "on" }
      assert.strictEqual((yield* admin.post(path, edit)).status, 303)
      const stale = yield* admin.post(path, { ...edit, name: "Another" })
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "Another administrator has changed this resource")
      assert.include(stale.text, "value=\"Agents\"")

      yield* connected(identifier)
      assert.include(
        (yield* admin.get(`${path}/remove`)).text,
        "1 user loses the access that they gave to 1 app, once in all."
      )
      const removed = yield* admin.post(`${path}/remove`, {})
      assert.strictEqual(removed.headers.get("location"), "/resources")
      const list = (yield* admin.get("/resources")).text
      assert.include(list, "The resource is removed, and access that was given once has ended.")
      for (const act of ["Resource registered", "Credential created", "Resource changed", "Resource removed"]) {
        assert.include(list, act)
      }
      assert.strictEqual((yield* admin.post(`${path}/remove`, {})).status, 404)
      assert.strictEqual((yield* admin.get(path)).status, 404)
    }))
})
