import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import type { GrantedScopes } from "../../../src/domain/scopes/Scope.ts"
import { connectionsPath, disconnectPath } from "../../../src/doors/consent/ConnectionsAddress.ts"
import { connectionPath } from "../../../src/doors/parts/Paths.ts"
import { approvedClient, browser, grant, newAccount, Services } from "./Scenario.ts"

const app = Effect.fnUntraced(function*(name: string, website = "https://buddy.example") {
  return yield* approvedClient(yield* newAccount("owner"), yield* newAccount("admin", "admin"), { name, website })
})

type Page = { readonly body: string }

/** Names of the apps on a page of the list, from above. */
const names = ({ body }: Page) => [...body.matchAll(/<th scope="row">.*?<bdi>(.*?)<\/bdi>/gs)].map(([, name]) => name)

/** Connects apps by their names, each an hour after the one before. */
const connected = Effect.fnUntraced(function*(all: Readonly<Record<string, GrantedScopes>>) {
  const user = yield* newAccount("user")
  const apps = yield* Effect.forEach(Object.entries(all), ([name, scopes]) =>
    Effect.gen(function*() {
      const client = yield* app(name)
      yield* TestClock.adjust("1 hour")
      yield* grant(user, client.id, scopes)
      return client
    }))
  return { user, apps, tab: yield* browser(user), grants: yield* Grants }
})

layer(Services)("Connected apps", (it) => {
  it.effect("are listed for their user only, with what they may do, and when they were last used", () =>
    Effect.gen(function*() {
      const user = yield* newAccount("user")
      const tab = yield* browser(user)
      assert.include((yield* tab.get(connectionsPath)).body, "No app has access to your account.")

      const [sync, legacy, other] = [yield* app("Calendar <Sync>"), yield* app("Old Timer"), yield* app("Other")]
      yield* TestClock.adjust("16 hours")
      yield* grant(user, sync.id, ["PROFILE_READ"])
      yield* TestClock.adjust("1 day")
      yield* grant(user, sync.id, ["PROFILE_READ", "BOOKING_WRITE"])
      yield* grant(user, legacy.id, null)
      yield* grant(yield* newAccount("neighbour"), other.id, ["PROFILE_READ"])
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET time_zone = 'Asia/Tokyo' WHERE id = ${user}`

      const page = yield* (yield* browser(user)).get(connectionsPath)
      assert.deepStrictEqual(names(page), ["Old Timer", "Calendar &lt;Sync&gt;"])
      for (const text of ["These 2 apps have access", "Never used", "buddy.example"]) assert.include(page.body, text)
      assert.include((yield* (yield* browser(user)).get(connectionPath(sync.id))).body, "3 Jan 1970")
      assert.notInclude(page.body, "<Sync>")
    }))

  it.effect("come fifty to a page, the riskiest first, and of one risk the last used", () =>
    Effect.gen(function*() {
      const harmless = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`App ${n}`, ["PROFILE_READ"]]))
      const { tab } = yield* connected({ Everything: null, ...harmless })
      const first = yield* tab.get(connectionsPath)
      assert.deepStrictEqual(names(first), [
        "Everything",
        ...Array.from({ length: 49 }, (_, index) => `App ${49 - index}`)
      ])
      assert.include(first.body, `href="${connectionsPath}?page=2" rel="next"`)
      for (const page of ["2", "99"]) {
        assert.deepStrictEqual(names(yield* tab.get(`${connectionsPath}?page=${page}`)), ["App 0"])
      }
    }))

  it.effect("are searched, filtered and sorted, and the address says how", () =>
    Effect.gen(function*() {
      const { apps, user } = yield* connected({
        "Zoë": ["PROFILE_READ"],
        Abe: ["BOOKING_WRITE"],
        Staff: ["ORG_MEMBERSHIP_READ"],
        Old: null,
        Mia: ["PROFILE_READ"],
        Max: ["PROFILE_READ"]
      })
      // A browser of its own each time, because the user is signed out after some days.
      const at = Effect.fnUntraced(function*(query: string) {
        return names(yield* (yield* browser(user)).get(`${connectionsPath}?${query}`))
      })
      assert.deepStrictEqual(yield* at("search=zoe"), ["Zoë"])
      assert.deepStrictEqual(yield* at("search=ZOË"), ["Zoë"])
      assert.lengthOf(yield* at("search=buddy.ex"), 6)
      assert.deepStrictEqual(yield* at("show=changes"), ["Old", "Abe"])
      assert.deepStrictEqual(yield* at("show=everyone"), ["Old", "Staff"])
      assert.deepStrictEqual(yield* at("show=legacy"), ["Old"])
      assert.deepStrictEqual(yield* at("sort=name"), ["Abe", "Max", "Mia", "Old", "Staff", "Zoë"])
      assert.deepStrictEqual(yield* at("sort=used&search=M"), ["Max", "Mia"])
      // Half of the sixty days after which access ends by itself.
      yield* TestClock.adjust("29 days")
      assert.deepStrictEqual(yield* at("show=unused"), [])
      yield* TestClock.adjust("1 day")
      yield* grant(user, apps[5]!.id, ["PROFILE_READ"])
      assert.deepStrictEqual(yield* at("show=unused&sort=name"), ["Abe", "Mia", "Old", "Staff", "Zoë"])

      const tab = yield* browser(user)
      const { body } = yield* tab.get(`${connectionsPath}?search=m&sort=name`)
      assert.include(body, `name="sort" value="name"`)
      assert.include(body, `href="/connections?search=m"`)
      assert.include(body, `href="/connections?search=m&amp;show=unused&amp;sort=name"`)
      const nothing = yield* tab.get(`${connectionsPath}?search=none`)
      assert.include(nothing.body, "No connected app is called “none”.")
      assert.include(nothing.body, "Show all 6")
      assert.include(
        (yield* tab.get(`${connectionsPath}?search=zoe&show=legacy`)).body,
        "No connected app is like that."
      )
      assert.deepStrictEqual(yield* at("show=neither&sort=wrong&page=x&search="), yield* at(""))
    }))

  it.effect("lose their access at once, by a form of this session only", () =>
    Effect.gen(function*() {
      const { apps: [one, two], grants, tab, user } = yield* connected({ One: ["PROFILE_READ"], Two: ["PROFILE_READ"] })
      yield* grant(user, one!.id, ["PROFILE_READ"])
      const other = yield* browser(yield* newAccount("mallory"))
      const id = one!.id

      assert.strictEqual((yield* tab.post(disconnectPath, { client_id: id })).status, 403)
      assert.strictEqual((yield* tab.post(disconnectPath, { csrf: other.csrf, client_id: id })).status, 403)
      yield* other.post(disconnectPath, { csrf: other.csrf, client_id: id })
      assert.lengthOf(yield* grants.listLive(user, id), 2)

      const asked = yield* tab.get(`${disconnectPath}?client_id=${id}`)
      assert.include(asked.body, "End the access of <bdi>One</bdi>?")
      assert.include(asked.body, "on all devices")
      assert.strictEqual((yield* other.get(`${disconnectPath}?client_id=${id}`)).location, "/connections")
      assert.lengthOf(yield* grants.listLive(user, id), 2)
      const { location, status } = yield* tab.post(disconnectPath, { csrf: tab.csrf, client_id: id })
      assert.strictEqual(status, 303)
      const page = yield* tab.get(location!)
      assert.include(page.body, "The access of One has ended.")
      assert.deepStrictEqual(names(page), ["Two"])
      assert.notInclude((yield* tab.get(connectionsPath)).body, "has ended.")
      assert.lengthOf(yield* grants.listLive(user, id), 0)
      assert.lengthOf(yield* grants.listLive(user, two!.id), 1)
      const trail = yield* (yield* AuditLog).list({ clientId: id })
      assert.deepStrictEqual(trail[0]?.details, { grants: 2 })
      // Once more it changes nothing, and says nothing.
      assert.strictEqual((yield* tab.post(disconnectPath, { csrf: tab.csrf, client_id: id })).location, "/connections")
      assert.strictEqual((yield* tab.post(disconnectPath, { csrf: tab.csrf, client_id: "x" })).location, "/connections")
      assert.strictEqual((yield* tab.post(disconnectPath, { csrf: tab.csrf })).location, "/connections")
      assert.notInclude((yield* tab.get(connectionsPath)).body, "has ended.")
    }))

  it.effect("lose it several at once, and the list stays where it was", () =>
    Effect.gen(function*() {
      const { apps, grants, tab, user } = yield* connected(
        Object.fromEntries(["Ant", "Bee", "Cat", "Dog", "Eel", "Fox"].map((name) => [`${name} app`, ["PROFILE_READ"]]))
      )
      const boxes = (...those: ReadonlyArray<number>) =>
        Object.fromEntries(those.map((index) => [`app:${apps[index]!.id}`, "on"]))
      const state = { search: "app", sort: "name" }
      const asked = yield* tab.get(`${disconnectPath}?${new URLSearchParams({ ...boxes(0, 2, 3), ...state })}`)
      for (const text of ["these 3 apps", "<bdi>Ant app</bdi>", "<bdi>Cat app</bdi>", "<bdi>Dog app</bdi>"]) {
        assert.include(asked.body, text)
      }
      assert.notInclude(asked.body, "Bee app")
      const { location } = yield* tab.post(disconnectPath, { csrf: tab.csrf, ...boxes(0, 2, 3), ...state })
      assert.strictEqual(location, "/connections?search=app&sort=name")
      const page = yield* tab.get(location!)
      assert.include(page.body, "The access of Ant app, Cat app and one other app has ended.")
      assert.deepStrictEqual(names(page), ["Bee app", "Eel app", "Fox app"])
      const trail = yield* (yield* AuditLog).list({ userId: user, actions: ["consent.withdrawn"] })
      assert.deepStrictEqual(trail.map(({ clientId }) => clientId).sort(), [0, 2, 3].map((n) => apps[n]!.id).sort())

      // All that are shown, and none.
      const all = yield* tab.get(`${disconnectPath}?all=on&search=eel`)
      assert.include(all.body, "<bdi>Eel app</bdi>?")
      const none = yield* tab.get(`${disconnectPath}?page=1&sort=used`)
      assert.match(none.body, /class="notice note" role="status"[^]*no app was chosen/)
      assert.include(none.body, `name="sort" value="used"`)
      assert.lengthOf(yield* grants.listLive(user), 3)
    }))

  it.effect("are ended fifty at most by one request", () =>
    Effect.gen(function*() {
      const { apps, grants, tab, user } = yield* connected(
        Object.fromEntries(Array.from({ length: 52 }, (_, n) => [`Item ${n}`, ["PROFILE_READ"]]))
      )
      yield* tab.post(disconnectPath, {
        csrf: tab.csrf,
        ...Object.fromEntries(apps.map(({ id }) => [`app:${id}`, "on"]))
      })
      assert.lengthOf(yield* grants.listLive(user), 2)
    }))

  it.effect("show that an administrator has suspended them", () =>
    Effect.gen(function*() {
      const { apps: [client], tab } = yield* connected({ Stopped: ["PROFILE_READ"] })
      yield* (yield* ClientReview).suspend(
        yield* newAccount("admin", "admin"),
        client!.id,
        "It sends spam to its users."
      )
      assert.include((yield* tab.get(connectionsPath)).body, ">Suspended<")
      assert.include((yield* tab.get(connectionPath(client!.id))).body, "This app is suspended.")
    }))
})
