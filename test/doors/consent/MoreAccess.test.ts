import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { connectionPath, wishesPath } from "../../../src/doors/parts/Paths.ts"
import { browser, grant, newAccount, requestingApp, Services } from "./Scenario.ts"

const scene = Effect.gen(function*() {
  const { client, tab, user } = yield* requestingApp({
    scopes: ["PROFILE_READ", "BOOKING_READ", "SCHEDULE_READ"],
    optionalScopes: ["SCHEDULE_READ"]
  })
  yield* grant(user, client.id, ["PROFILE_READ"])
  return { client, tab, user, path: wishesPath(client.id) }
})

layer(Services)("The page that asks users of an app for more", (it) => {
  it.effect("says what is new for its reader, and leads to the registered website and nowhere else", () =>
    Effect.gen(function*() {
      const { client, path, tab, user } = yield* scene
      const elsewhere = "https://elsewhere.example/"
      const { body, status } = yield* tab.get(`${path}?${new URLSearchParams({ website: elsewhere, to: elsewhere })}`)
      assert.strictEqual(status, 200)
      for (const words of ["See your bookings", "See your availability", "Go to"]) {
        assert.include(body, words)
      }
      assert.notInclude(body, "See your profile")
      const main = body.slice(body.indexOf("<main"), body.indexOf("</main"))
      const links = [...main.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, href]) => href)
      assert.deepStrictEqual(new Set(links), new Set([connectionPath(client.id), client.website]))
      assert.notInclude(body, elsewhere)

      const sql = yield* SqlClient.SqlClient
      yield* grant(user, client.id, ["PROFILE_READ", "BOOKING_READ"])
      yield* sql`UPDATE grants SET declined = '{SCHEDULE_READ}' WHERE user_id = ${user} AND 'BOOKING_READ' = ANY(scopes)`
      const later = (yield* tab.get(path)).body
      assert.include(later, "You have answered everything")
      assert.include(later, "You did not allow this")
      assert.notInclude(later, "See your bookings")
      assert.notInclude(later, "Go to")

      yield* sql`UPDATE clients SET status = 'suspended' WHERE id = ${client.id}`
      const suspended = (yield* tab.get(path)).body
      assert.notInclude(suspended, "See your availability")
      assert.notInclude(suspended, "Go to")
    }))

  it.effect("is the same for strangers whether or not there is such an app", () =>
    Effect.gen(function*() {
      const { client, path, tab } = yield* scene
      const stranger = yield* browser(yield* newAccount("mallory"))
      // Each answer has a reference of its own.
      const withoutIds = (body: string) => body.replace(/<code>[^<]*<\/code>/, "")
      const pages = yield* Effect.forEach([path, wishesPath("nobody")], (one) => stranger.get(one))
      assert.deepStrictEqual(pages.map(({ status }) => status), [404, 404])
      assert.strictEqual(...pairOf(pages.map(({ body }) => withoutIds(body))))
      assert.notInclude(pages[0]?.body ?? client.name, client.name)

      const nobody = yield* browser()
      const signIns = yield* Effect.forEach([path, wishesPath("nobody")], (one) => nobody.get(one))
      const targets = signIns.map(({ location }) => location?.replace(encodeURIComponent(client.id), "nobody") ?? "")
      assert.strictEqual(...pairOf(targets))
      assert.match(targets[0] ?? "", /^\/sign-in/)

      // Access that has ended is none.
      yield* (yield* SqlClient.SqlClient)`UPDATE grants SET revoked_at = now() WHERE client_id = ${client.id}`
      assert.strictEqual((yield* tab.get(path)).status, 404)
    }))
})

const pairOf = ([one = "", other = ""]: ReadonlyArray<string>): [string, string] => [one, other]
