import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { catalogue } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { Network } from "../../../src/foundation/outbound/Network.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { grant } from "../consent/Scenario.ts"
import { caller, newAccount, Services, visitor } from "../portal/Scenario.ts"

interface Check {
  readonly check: string
  readonly cause: string
  readonly apps: ReadonlyArray<{ readonly id: string; readonly name: string; readonly status: string }>
  readonly acceptTwins: ReadonlyArray<string>
}

layer(Services)("the review page", (it) => {
  it.effect("says what was looked at and what was not, whether something stands out or nothing", () =>
    Effect.gen(function*() {
      const admin = yield* visitor("admin")
      for (
        const [input, first] of [
          [{ purpose: "Reads what nobody else reads." }, "<h3>Looked at, and nothing found</h3><ul class=\"muted\">"],
          [
            { scopes: catalogue, website: "https://else.example" },
            "<h3>Stands out</h3><ul class=\"checks\"><li>The website is at else.example"
          ]
        ] as const
      ) {
        const { client } = yield* Clients.newClient((yield* newAccount()).id, input)
        const { text } = yield* admin.get(`/review/${client.id}`)
        assert.include(text, first)
        assert.include(text, "No check says that an app is good")
        assert.notInclude(text, "Nothing stands out")
      }
    }))

  it.effect("offers to ask the website where it can be asked, and no view of it asks", () =>
    Effect.gen(function*() {
      const admin = yield* visitor("admin")
      const owner = (yield* newAccount()).id
      const { client } = yield* Clients.newClient(owner, { website: "https://app.invalid" })
      const path = `/review/${client.id}`
      const before = (yield* admin.get(path)).text
      assert.include(before, "Its website: nobody has asked it yet.")
      assert.include(before, "Ask the website now")
      const asked = yield* admin.post(`${path}/website`, {}).pipe(
        Effect.provideService(Network, { resolve: () => Promise.resolve([]), connect: () => assert.fail("connects") })
      )
      assert.strictEqual(asked.status, 303)
      assert.include((yield* admin.get(path)).text, "Its website, asked ")
      const { client: plain } = yield* Clients.newClient(owner, { website: "http://app.invalid" })
      assert.notInclude((yield* admin.get(`/review/${plain.id}`)).text, "Ask the website now")
      const user = yield* visitor("user")
      assert.strictEqual((yield* user.post(`${path}/website`, {})).status, 403)
    }))

  it.effect("says for how many users an app stops that is suspended", () =>
    Effect.gen(function*() {
      const admin = yield* visitor("admin")
      const { id } = yield* Clients.approvedClient((yield* newAccount()).id, admin.account.id)
      assert.include((yield* admin.get(`/review/${id}`)).text, "No user has connected it.")
      const [ann, ben] = [yield* newAccount(), yield* newAccount()]
      for (const user of [ann, ann, ben]) yield* grant(user.id, id, ["PROFILE_READ"])
      assert.include((yield* admin.get(`/review/${id}`)).text, "It stops for 2 users.")
    }))
})

layer(Services)("an imposter", (it) => {
  it.effect("is seen on the page with what it resembles, and approved with the box for it alone", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const [honest, dishonest] = [yield* newAccount(), yield* newAccount()]
      const known = yield* Clients.approvedClient(honest.id, admin.account.id, { name: "Tidy <Calendar>" })
      const { client } = yield* Clients.newClient(dishonest.id, { name: "Тidy <Саlendar>" })
      const path = `/review/${client.id}`
      const { text } = yield* admin.get(path)
      assert.include(text, "Users cannot tell its name from the name of another app.")
      assert.include(text, `<a href="/review/${known.id}"><bdi>Tidy &lt;Calendar&gt;</bdi></a>`)
      assert.include(text, honest.name)
      assert.include(text, `<input type="checkbox" name="acceptTwins" value="${known.id}">`)
      const refused = yield* admin.post(`${path}/approve`, { version: "1" })
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "Users cannot tell its name from the name of an approved app")
      assert.include(refused.text, "name=\"acceptTwins\"")
      assert.strictEqual((yield* review.get(client.id)).status, "pending")
      assert.strictEqual((yield* admin.post(`${path}/approve`, { version: "1", acceptTwins: known.id })).status, 303)
      assert.strictEqual((yield* review.get(client.id)).status, "approved")
      assert.include((yield* admin.get(path)).text, `Although users cannot tell it from: <code>${known.id}</code>`)
      // Both bear the name now; nothing is left to confirm about either.
      assert.notInclude((yield* admin.get(path)).text, "name=\"acceptTwins\"")
    }))

  it.effect("is refused by the API until the one that it resembles is named", () =>
    Effect.gen(function*() {
      const admin = yield* caller("admin")
      const known = yield* Clients.approvedClient((yield* newAccount()).id, admin.account.id, { name: "Dock Mirror" })
      const { client } = yield* Clients.newClient((yield* newAccount()).id, { name: "Dосk Mirrоr" })
      const path = `/v2/admin/oauth-clients/${client.id}`
      const { body } = yield* admin.call<{ readonly checks: ReadonlyArray<Check> }>("GET", path)
      const found = body.data.checks.find(({ check }) => check === "name_resembles")
      assert.deepStrictEqual(found?.acceptTwins, [known.id])
      assert.deepInclude(found?.apps[0], { id: known.id, name: "Dock Mirror", status: "approved" })
      const refused = yield* admin.call("POST", `${path}/approve`, { version: 1 })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "name_resembles"])
      assert.deepStrictEqual(refused.body.error.details, [
        { path: "acceptTwins", message: `must name ${known.id} to go on` }
      ])
      assert.strictEqual((yield* admin.call("POST", `${path}/approve`, { version: 1, acceptTwins: "x" })).status, 400)
      const done = yield* admin.call("POST", `${path}/approve`, { version: 1, acceptTwins: [known.id] })
      assert.strictEqual(done.status, 200)
    }))
})
