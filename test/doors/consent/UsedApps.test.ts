import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { UsageInbox } from "../../../src/core/usage/UsageInbox.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { connectionsPath, unusedPath } from "../../../src/doors/consent/ConnectionsAddress.ts"
import { connectionPath } from "../../../src/doors/parts/Paths.ts"
import { approvedClient, browser, newAccount, servicesWith } from "./Scenario.ts"
import { allowed, called, seenSince } from "./Uses.ts"

const withUses = (env: Readonly<Record<string, string>> = {}) =>
  UsageInbox.layer.pipe(Layer.provideMerge(servicesWith(env)))

const app = Effect.fnUntraced(function*(name: string) {
  return yield* approvedClient(yield* newAccount("owner"), yield* newAccount("admin", "admin"), { name })
})

/** A day in June on which a user has a page open; all calls since the year before were seen. */
const world = Effect.gen(function*() {
  yield* TestClock.setTime(Date.parse("2027-06-16T12:00:00Z"))
  yield* seenSince(DateTime.makeUnsafe("2026-06-01"))
  const user = yield* newAccount("user")
  return { user, tab: yield* browser(user), live: yield* Grants }
})

/** An app that was allowed nine months ago and called once, so many days ago; never without a number. */
const usedApp = Effect.fnUntraced(function*(user: UserId, name: string, days?: number, allowedDays = 270) {
  const client = yield* app(name)
  const id = yield* allowed(user, client.id, ["BOOKING_READ", "PROFILE_READ"], allowedDays)
  if (days !== undefined) yield* called(id, "BOOKING_READ", 1, { days })
  return { client, id }
})

/** What a page says, without its markup. */
const wordsOf = ({ body }: { readonly body: string }) => body.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

/** Apps on a page of the list, or of those to end, from above. */
const names = ({ body }: { readonly body: string }) =>
  [...body.matchAll(/<(?:th scope="row">.*?|li><strong>)<bdi>(.*?)<\/bdi>/gs)].map(([, name]) => name)

/** What the form of the preview sends. */
const shownIn = ({ body }: { readonly body: string }) => ({ apps: /name="apps" value="([^"]*)"/.exec(body)?.[1] ?? "" })

layer(withUses())("Use of connected apps", (it) => {
  it.effect("is told of each right, on the list and on the page of the app", () =>
    Effect.gen(function*() {
      const { tab, user } = yield* world
      const client = yield* app("Wall")
      const id = yield* allowed(user, client.id, ["BOOKING_WRITE", "PROFILE_READ", "SCHEDULE_READ"], 30)
      yield* called(id, "BOOKING_WRITE", 213, { days: 3 })
      yield* called(id, "BOOKING_WRITE", 1, { minutes: 5 })
      yield* called(id, "SCHEDULE_READ", 1, { hours: 2 })
      const list = wordsOf(yield* tab.get(connectionsPath))
      const page = wordsOf(yield* tab.get(connectionPath(client.id)))
      for (const words of [list, page]) {
        assert.include(words, "used 214 times, last 5 minutes ago")
        assert.include(words, "used once, 2 hours ago")
        assert.include(words, "never used")
        assert.include(words, "What an API checks on its own is not seen.")
        assert.notInclude(words, "ot tokens")
      }
      assert.include(list, "See your profile: never used")
      assert.include(list, "5 minutes ago 1 of 3 rights never used")
    }))

  it.effect("counts the weeks that are kept, and remembers the last use of others", () =>
    Effect.gen(function*() {
      const { tab, user } = yield* world
      const { client, id } = yield* usedApp(user, "Seldom", 200)
      yield* called(id, "PROFILE_READ", 4, { days: 150 })
      yield* called(id, "PROFILE_READ", 3, { days: 2 })
      const page = wordsOf(yield* tab.get(connectionPath(client.id)))
      assert.include(page, "used 3 times in 13 weeks, last 2 days ago")
      assert.include(page, "last used 7 months ago")
    }))

  it.effect("sorts the list by the last call and by the rights that were never used", () =>
    Effect.gen(function*() {
      const { tab, user } = yield* world
      yield* usedApp(user, "Half", 9)
      yield* usedApp(user, "None")
      const { id } = yield* usedApp(user, "All", 3)
      yield* called(id, "PROFILE_READ", 1, { days: 5 })
      assert.deepStrictEqual(names(yield* tab.get(`${connectionsPath}?sort=used`)), ["All", "Half", "None"])
      assert.deepStrictEqual(names(yield* tab.get(`${connectionsPath}?sort=unused`)), ["None", "Half", "All"])
      assert.deepStrictEqual(names(yield* tab.get(`${connectionsPath}?show=unused`)), ["None"])
    }))

  it.effect("of everything names what a legacy app used, and calls nothing unused", () =>
    Effect.gen(function*() {
      const { tab, user } = yield* world
      const client = yield* app("Old")
      yield* called(yield* allowed(user, client.id, null, 30), "BOOKING_READ", 7, { days: 1 })
      const page = wordsOf(yield* tab.get(connectionPath(client.id)))
      assert.include(page, "See your bookings: used 7 times, last 1 day ago")
      assert.notInclude(page, "never used")
    }))

  it.effect("is not known where calls were missed since, or may have been for another right", () =>
    Effect.gen(function*() {
      const { tab, user } = yield* world
      const { client } = yield* usedApp(user, "Missed", 100, 400)
      const other = yield* usedApp(user, "Asked")
      yield* called(other.id, "", 2, { days: 1 })
      for (const { id } of [client, other.client]) {
        const page = wordsOf(yield* tab.get(connectionPath(id)))
        assert.include(page, "not known if it was used")
        assert.notInclude(page, "never used")
      }
      // An imported one was used elsewhere before.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE grants SET imported_rotates = true, generation = 1 WHERE user_id = ${user}`
      yield* seenSince(DateTime.makeUnsafe("2025-06-01"))
      assert.notInclude(wordsOf(yield* tab.get(connectionPath(client.id))), "never used")
    }))
})

layer(withUses())("Apps unused for six months", (it) => {
  it.effect("are shown with the reason, and end in one step", () =>
    Effect.gen(function*() {
      const { live, tab, user } = yield* world
      yield* usedApp(user, "Before", 200)
      yield* usedApp(user, "Never")
      yield* usedApp(user, "Young", undefined, 100)
      yield* usedApp(user, "Used", 100)
      // A second device is younger, or in use.
      const two = yield* usedApp(user, "Two")
      yield* allowed(user, two.client.id, ["PROFILE_READ"], 20)

      assert.include(wordsOf(yield* tab.get(connectionsPath)), "2 of them were not used for six months.")
      const preview = yield* tab.get(unusedPath)
      assert.deepStrictEqual(names(preview), ["Never", "Before"])
      assert.include(wordsOf(preview), "never used since you allowed it 9 months ago")
      assert.include(wordsOf(preview), "last used 7 months ago")
      assert.lengthOf(yield* live.listLive(user), 6)

      assert.strictEqual((yield* tab.post(unusedPath, shownIn(preview))).status, 403)
      const { location } = yield* tab.post(unusedPath, { csrf: tab.csrf, ...shownIn(preview) })
      const list = yield* tab.get(location!)
      assert.include(wordsOf(list), "The access of 2 apps has ended.")
      assert.sameMembers(names(list), ["Young", "Used", "Two"])
      assert.include(wordsOf(yield* tab.get(unusedPath)), "No app is known to have been unused for six months.")
    }))

  it.effect("keep their access if they were used since they were shown, and so do those that were not shown", () =>
    Effect.gen(function*() {
      const { live, tab, user } = yield* world
      const first = yield* usedApp(user, "First")
      const second = yield* usedApp(user, "Second")
      const third = yield* usedApp(user, "Third")
      const preview = yield* tab.get(unusedPath)
      yield* usedApp(user, "Later")
      yield* called(second.id, "PROFILE_READ", 1, { minutes: 1 })
      yield* allowed(user, third.client.id, ["PROFILE_READ"], 0)
      const { location } = yield* tab.post(unusedPath, { csrf: tab.csrf, ...shownIn(preview) })
      assert.include(
        wordsOf(yield* tab.get(location!)),
        "The access of one app has ended, because 2 apps no longer count as unused and keep it."
      )
      const ids = (yield* live.listLive(user)).map(({ clientId }) => clientId)
      assert.lengthOf(ids, 4)
      assert.notInclude(ids, first.client.id)
    }))

  it.effect("are none where calls were missed within these months, even if they were shown before", () =>
    Effect.gen(function*() {
      const { live, tab, user } = yield* world
      yield* usedApp(user, "Unseen")
      const preview = yield* tab.get(unusedPath)
      assert.deepStrictEqual(names(preview), ["Unseen"])
      for (const since of ["2027-03-01", "2027-06-17"]) {
        yield* seenSince(DateTime.makeUnsafe(since))
        const list = wordsOf(yield* tab.get(connectionsPath))
        assert.include(list, "Got tokens")
        assert.notInclude(list, "never used")
        assert.notInclude(list, "for six months")
        assert.deepStrictEqual(names(yield* tab.get(unusedPath)), [])
        yield* tab.post(unusedPath, { csrf: tab.csrf, ...shownIn(preview) })
        assert.lengthOf(yield* live.listLive(user), 1)
      }
      assert.include(wordsOf(yield* tab.get(connectionsPath)), "Not all calls were counted today")
      yield* seenSince(DateTime.makeUnsafe("2027-03-01"))
      const page = wordsOf(yield* tab.get(unusedPath))
      assert.include(page, "All calls are counted since 1 Mar 2027")
      assert.include(page, "from 1 Sept 2027 on")
    }))

  it.effect("end a thousand at once", () =>
    Effect.gen(function*() {
      const { live, tab, user } = yield* world
      const { client } = yield* usedApp(user, "App", 1)
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO clients SELECT (jsonb_populate_record(c, jsonb_build_object('id', c.id || n))).*
        FROM clients c, generate_series(1, 999) n WHERE c.id = ${client.id}`
      yield* sql`INSERT INTO grants SELECT (jsonb_populate_record(g,
          jsonb_build_object('id', gen_random_uuid(), 'client_id', g.client_id || n))).*
        FROM grants g, generate_series(1, 999) n WHERE g.user_id = ${user}`
      assert.include(wordsOf(yield* tab.get(connectionsPath)), "999 of them were not used for six months.")
      const preview = yield* tab.get(unusedPath)
      const { location } = yield* tab.post(unusedPath, { csrf: tab.csrf, ...shownIn(preview) })
      assert.include(wordsOf(yield* tab.get(location!)), "The access of 999 apps has ended.")
      assert.deepStrictEqual((yield* live.listLive(user)).map(({ clientId }) => clientId), [client.id])
    }))
})

layer(withUses({ USAGE: "partial" }))("Where some servers verify offline", (it) => {
  it.effect("no app counts as unused", () =>
    Effect.gen(function*() {
      const { tab, user } = yield* world
      yield* usedApp(user, "Silent")
      const list = wordsOf(yield* tab.get(connectionsPath))
      assert.include(list, "Some APIs check access on their own.")
      assert.notInclude(list, "ever used")
      assert.notInclude(list, "for six months")
      assert.deepStrictEqual(names(yield* tab.get(unusedPath)), [])
    }))
})
