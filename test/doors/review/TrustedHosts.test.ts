import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "../../../src/core/accounts/people/Account.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import * as Documents from "../../core/clients/documents/Documents.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor as signedIn } from "../../core/legacy/Scenario.ts"
import * as Host from "../../support/PictureHost.ts"
import * as TestServer from "../../support/TestServer.ts"

const servers = (env: Readonly<Record<string, string>> = {}) =>
  TestServer.layer(env).pipe(Layer.provideMerge(Host.layer))

const visitor = Effect.fnUntraced(function*(role: Role) {
  return yield* signedIn(yield* newAccount(role, role))
})

layer(servers())("/review/…/trust", (it) => {
  it.effect("lets a reviewer trust the host of an app that describes itself, and /review/hosts ends it", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const reviewer = yield* visitor("reviewer")
      const address = Documents.newAddress()
      yield* Documents.serve(address)
      const { id } = yield* Documents.introduce(address, ["PROFILE_READ"])
      const path = `/review/${encodeURIComponent(id)}/trust`
      assert.include((yield* reviewer.get(path)).text, "Trust <bdi>pictures.example</bdi>?")
      assert.include((yield* reviewer.get("/review/hosts")).text, "No host is trusted.")

      assert.strictEqual((yield* (yield* visitor("user")).post(path, {})).status, 403)
      assert.strictEqual((yield* review.get(id)).status, "pending")

      assert.strictEqual((yield* reviewer.post(path, {})).status, 303)
      assert.strictEqual((yield* review.get(id)).status, "approved")
      const end = "/review/hosts/pictures.example/end"
      assert.include((yield* reviewer.get("/review/hosts")).text, `action="${end}"`)
      yield* reviewer.post(end, {})
      const ended = (yield* reviewer.get("/review/hosts")).text
      assert.include(ended, "pictures.example is not trusted any more.")
      assert.include(ended, "No host is trusted.")
    }))

  it.effect("is not there for an app that somebody registered, or none", () =>
    Effect.gen(function*() {
      const reviewer = yield* visitor("reviewer")
      for (const id of ["none", encodeURIComponent("https://pictures.example/none.json")]) {
        assert.strictEqual((yield* reviewer.get(`/review/${id}/trust`)).status, 404)
        assert.strictEqual((yield* reviewer.post(`/review/${id}/trust`, {})).status, 404)
      }
    }))
})

layer(servers({ REVIEW_TWO_PEOPLE: "required" }))("Where approvals take two people", (it) => {
  it.effect("no host is trusted, and one that was trusted before approves nothing", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const review = yield* ClientReview
      const reviewer = yield* visitor("admin")
      const address = Documents.newAddress()
      yield* Documents.serve(address)
      const { id } = yield* Documents.introduce(address, ["PROFILE_READ"])
      const path = `/review/${encodeURIComponent(id)}/trust`
      for (const refused of [yield* reviewer.get(path), yield* reviewer.post(path, {})]) {
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "Approvals take two people here (REVIEW_TWO_PEOPLE)")
      }
      const called = yield* reviewer.call("POST", "/v2/admin/trusted-hosts", { host: "pictures.example" })
      assert.strictEqual(called.status, 409)
      assert.include(called.text, "host_takes_two")
      assert.lengthOf(yield* sql`SELECT 1 FROM trusted_hosts`, 0)

      yield* sql`INSERT INTO trusted_hosts (host, by, at) VALUES ('pictures.example', ${reviewer.id}, now())`
      assert.strictEqual((yield* Documents.introduce(address)).status, "pending")
      assert.strictEqual((yield* review.get(id)).status, "pending")
      assert.include((yield* reviewer.get("/review/hosts")).text, "Approvals take two people here")
    }))
})
