import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { TestServer } from "../../../src/testing.ts"
import type { TestUser } from "../../../src/testing/Fixtures.ts"

layer(TestServer.layer(), { timeout: "1 minute" })("The preview of a consent page", (it) => {
  const scene = Effect.gen(function*() {
    const kit = yield* TestServer
    yield* kit.reset
    const ask = Effect.fnUntraced(function*(user: TestUser | undefined, path: string) {
      const headers = user === undefined ? {} : { cookie: (yield* kit.session(user)).cookie }
      const response = yield* kit.fetch(path, { headers, redirect: "manual" })
      return {
        status: response.status,
        csp: response.headers.get("content-security-policy") ?? "",
        text: yield* Effect.promise(() => response.text())
      }
    })
    return { ask, kit }
  })

  it.effect("is for reviewers and administrators alone", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      const app = yield* kit.app({ status: "pending" })
      const path = `/review/${app.clientId}/consent`
      for (const role of ["reviewer", "admin"] as const) {
        assert.strictEqual((yield* ask(yield* kit.user({ role }), path)).status, 200)
      }
      for (const user of [yield* kit.user(), app.owner]) assert.strictEqual((yield* ask(user, path)).status, 403)
      assert.strictEqual((yield* ask(undefined, path)).status, 303)
      assert.strictEqual((yield* ask(yield* kit.user({ role: "reviewer" }), "/review/nobody/consent")).status, 404)
    }))

  it.effect("shows the version that an approval would make serve, keeps nothing, and has no form that is taken", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const reviewer = yield* kit.user({ role: "reviewer" })
      const app = yield* kit.app({ name: "Door Display", scopes: ["PROFILE_READ"] })
      const path = `/review/${app.clientId}/consent`
      const before = yield* ask(reviewer, path)
      assert.include(before.text, `<span class="app-name">Door Display</span>`)
      yield* (yield* ClientRegistry).edit(app.owner.id, app.clientId, {
        name: "People Admin",
        scopes: ["PROFILE_READ", "ORG_MEMBERSHIP_WRITE"],
        optionalScopes: ["PROFILE_READ"]
      })
      const { csp, text } = yield* ask(reviewer, path)
      assert.include(text, `<span class="app-name">People Admin</span>`)
      assert.include(text, `name="scope:PROFILE_READ"`)
      assert.include(text, `name="csrf" value=""`)
      assert.include(text, `name="request" value=""`)
      assert.include(csp, "form-action 'none'")
      assert.include(csp, "frame-ancestors 'self'")
      assert.lengthOf(yield* sql`SELECT 1 FROM authorization_requests`, 0)
    }))

  it.effect("says where users go back to, of the app's addresses and no other", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      const reviewer = yield* kit.user({ role: "reviewer" })
      const app = yield* kit.app({ status: "pending" })
      const { text } = yield* ask(reviewer, `/review/${app.clientId}/consent?redirect_uri=https://evil.example/`)
      assert.include(text, new URL(app.redirectUri).host)
      // The forms know the address of their page.
      assert.notInclude(text.replaceAll(/ value="[^"]*"/g, ""), "evil.example")
    }))

  it.effect("shows of a legacy app that it gets everything", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      const app = yield* kit.app({ legacy: true })
      const { text } = yield* ask(yield* kit.user({ role: "reviewer" }), `/review/${app.clientId}/consent`)
      assert.include(text, "wants to see and change everything")
    }))
})
