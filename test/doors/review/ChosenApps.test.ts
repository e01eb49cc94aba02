import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { ReviewDesk } from "../../../src/core/clients/review/ReviewDesk.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { caller, newAccount, Services, visitor } from "../portal/Scenario.ts"

const chosen = "/review/chosen"

layer(Services)("apps chosen from the list", (it) => {
  it.effect("are rejected with one reason, except one that has changed since, which the page says before and after", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const reviewer = yield* visitor("reviewer")
      const dev = yield* newAccount()
      const [one, two, three] = yield* Effect.forEach(
        ["One", "Two", "Three"],
        (name) => Effect.map(Clients.newClient(dev.id, { name }), ({ client }) => client.id)
      )
      const boxes: Record<string, string> = { [`app:${one}`]: "1", [`app:${two}`]: "1", [`app:${three}`]: "1" }
      const list = yield* reviewer.get("/review")
      for (const [name, version] of Object.entries(boxes)) {
        assert.include(list.text, `<input type="checkbox" name="${name}" value="${version}" aria-label="Choose `)
      }
      yield* registry.edit(dev.id, three ?? "", { purpose: "Something else." })
      const asked = yield* reviewer.get(`${chosen}?${new URLSearchParams(boxes)}`)
      assert.include(asked.text, "One of the apps that you chose is left out")
      assert.include(asked.text, "Reject 2 apps")
      assert.notInclude(asked.text, `app:${three}`)
      const wordless = yield* reviewer.post(chosen, boxes)
      assert.strictEqual(wordless.status, 400)
      assert.include(wordless.text, "must have 1 to 1,000 characters")
      yield* registry.edit(dev.id, two ?? "", { purpose: "Something else." })
      const answer = yield* reviewer.post(chosen, { ...boxes, reason: "Please say more." })
      assert.strictEqual(answer.location, "/review")
      const { text } = yield* reviewer.get("/review")
      assert.include(text, "One app was rejected. 2 were left out: they have changed meanwhile")
      const statuses = yield* Effect.forEach([one, two, three], (id) => review.get(id ?? ""))
      assert.deepStrictEqual(statuses.map(({ status }) => status), ["rejected", "pending", "pending"])
      assert.strictEqual(statuses[0]?.rejectionReason, "Please say more.")
    }))

  it.effect("are claimed, but for those of another reviewer", () =>
    Effect.gen(function*() {
      const desk = yield* ReviewDesk
      const reviewer = yield* visitor("reviewer")
      const other = yield* newAccount()
      const dev = yield* newAccount()
      const [one, two] = yield* Effect.forEach(
        ["Mine", "Taken"],
        (name) => Effect.map(Clients.newClient(dev.id, { name }), ({ client }) => client.id)
      )
      yield* desk.claim(other.id, two ?? "")
      const { location } = yield* reviewer.post(`${chosen}/claim`, { [`app:${one}`]: "1", [`app:${two}`]: "1" })
      assert.strictEqual(location, "/review?state=mine")
      const { text } = yield* reviewer.get("/review?state=mine")
      assert.include(text, "You have claimed one app. One was left out")
      assert.include(text, "claimed by you")
      assert.notInclude(text, "<bdi>Taken</bdi>")
    }))

  it.effect("are nobody's who may not review, by page and API", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const dev = yield* visitor()
      const { client: { id } } = yield* Clients.newClient(dev.account.id)
      const body = { clients: [{ id, version: 1 }], reason: "No." }
      const api = "/v2/admin/oauth-clients/reject"
      for (const path of ["/review", chosen]) assert.strictEqual((yield* dev.get(path)).status, 403)
      for (const path of [chosen, `${chosen}/claim`]) {
        assert.strictEqual((yield* dev.post(path, { [`app:${id}`]: "1", reason: "No." })).status, 403)
      }
      assert.strictEqual((yield* (yield* caller()).raw("POST", api, JSON.stringify(body))).status, 403)
      assert.strictEqual((yield* review.get(id)).status, "pending")
      for (const role of ["reviewer", "admin"] as const) {
        const { client } = yield* Clients.newClient(dev.account.id)
        const by = yield* caller(role)
        const answer = yield* by.call<{
          readonly rejected: ReadonlyArray<{ readonly status: string }>
          readonly leftOut: ReadonlyArray<object>
        }>("POST", api, {
          clients: [{ id: client.id, version: 1 }, { id: "gone", version: 1 }],
          reason: "No."
        })
        assert.deepStrictEqual(answer.body.data.rejected.map(({ status }) => status), ["rejected"])
        assert.deepInclude(answer.body.data, {
          leftOut: [{ id: "gone", code: "client_not_found", message: "There is no such app." }]
        })
      }
    }))

  it.effect("are some, or the page says so, and none of a form that was made up", () =>
    Effect.gen(function*() {
      const reviewer = yield* visitor("reviewer")
      assert.strictEqual((yield* reviewer.get(chosen)).location, "/review")
      assert.include((yield* reviewer.get("/review")).text, "Choose apps by their boxes first.")
      const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`app:none${at}`, "x"]))
      assert.strictEqual((yield* reviewer.get(`${chosen}?${new URLSearchParams(many)}`)).status, 200)
      assert.strictEqual((yield* reviewer.post(chosen, { ...many, reason: "No." })).status, 400)
      assert.strictEqual((yield* reviewer.post(`${chosen}/claim`, many)).status, 303)
    }))
})
