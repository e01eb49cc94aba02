import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assertRefused, layer as server } from "../../../support/TestServer.ts"
import { legacyApp } from "../Scenario.ts"

layer(server({ SESSION_LIFETIME: "400 days" }), { timeout: 60_000 })(
  "A legacy client (specification §5.6)",
  (it) => {
    describe("in the right order", () => {
      it.effect("moves to scopes without breaking anybody", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          const [ann, ben] = [yield* app.user, yield* app.user]

          // Before the migration: a token without restriction.
          const annOld = yield* app.connect(ann)
          const benOld = yield* app.connect(ben)
          assert.strictEqual(annOld.json["scope"], "")
          assert.strictEqual((yield* app.me(annOld.json["access_token"])).status, 200)

          // The URL names scopes first: a new token has only these, although the client is still legacy.
          assert.strictEqual((yield* app.authorize(ann, "PROFILE_READ BOOKING_REED")).get("error"), "invalid_scope")
          const carol = yield* app.user
          const scoped = yield* app.connect(carol, "BOOKING_READ")
          assert.strictEqual(scoped.json["scope"], "BOOKING_READ")
          assert.strictEqual((yield* app.me(scoped.json["access_token"])).status, 403)

          // A month later, nobody opens the old URL any more.
          yield* TestClock.adjust("25 days")
          const annRefreshed = yield* app.refresh(annOld.json["refresh_token"])
          yield* app.connect(carol, "PROFILE_READ")
          yield* TestClock.adjust("6 days")
          const state = yield* app.owner.call("GET", `${app.path}/migration`)
          assert.include(state.text, "safe-to-save")
          const saved = yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ", "BOOKING_READ"] })
          assert.strictEqual(saved.status, 200)
          assert.include(saved.text, "\"legacy\":false")

          // After the migration: the old URL is refused with the remedy, and old tokens keep working and refreshing.
          const refused = yield* app.authorize(ann)
          assert.strictEqual(refused.get("error"), "invalid_scope")
          assert.match(refused.get("error_description") ?? "", /add it to the authorization URL/)
          assert.strictEqual((yield* app.authorize(ann, "WEBHOOK_READ")).get("error"), "invalid_scope")
          const annAgain = yield* app.refresh(annRefreshed.json["refresh_token"])
          assert.deepStrictEqual([annAgain.status, annAgain.json["scope"]], [200, ""])

          // Old tokens end once their user has authorized again and the new code is exchanged.
          const code = (yield* app.authorize(ann, "PROFILE_READ")).get("code") ?? ""
          assert.strictEqual((yield* app.me(annAgain.json["access_token"])).status, 200)
          const annNew = yield* app.exchange(code)
          assert.strictEqual(annNew.json["scope"], "PROFILE_READ")
          assert.strictEqual((yield* app.me(annNew.json["access_token"])).status, 200)
          assert.strictEqual((yield* app.me(annAgain.json["access_token"])).status, 401)
          assertRefused(yield* app.refresh(annAgain.json["refresh_token"]), 400, "invalid_grant")
          const benAgain = yield* app.refresh(benOld.json["refresh_token"])
          assert.deepStrictEqual([benAgain.status, benAgain.json["scope"]], [200, ""])
        }))
    })

    describe("in the wrong order", () => {
      it.effect("is warned, has to confirm, and can take it back", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          const ann = yield* app.user
          const old = yield* app.connect(ann)
          const page = `/settings/apps/${app.id}/migration`

          const before = yield* app.owner.get(page)
          assert.include(before.text, "URLs without scope are still in use.")
          assert.include(before.text, "1 request")
          const version = String((yield* app.client).version)
          const unconfirmed = yield* app.owner.post(page, { version, "scope:PROFILE_READ": "on" })
          assert.strictEqual(unconfirmed.status, 409)
          assertRefusedWith(yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"] }), "old_urls_in_use")
          assert.isTrue((yield* app.client).legacy)

          const confirmed = yield* app.owner.post(page, { version, "scope:PROFILE_READ": "on", breakOldUrls: "on" })
          assert.strictEqual(confirmed.headers.get("location"), page)
          assert.include((yield* app.owner.get(page)).text, "Saved: from now on every authorization request is checked")
          assert.strictEqual((yield* app.authorize(ann)).get("error"), "invalid_scope")
          assert.strictEqual((yield* app.refresh(old.json["refresh_token"])).status, 200)

          yield* TestClock.adjust("6 days")
          assert.include((yield* app.owner.get(page)).text, "Undo the move")
          const undo = String((yield* app.client).version)
          const undone = yield* app.owner.post(`${page}/undo`, { version: undo })
          assert.strictEqual(undone.headers.get("location"), page)
          assert.include((yield* app.owner.get(page)).text, "Taken back: URLs without scope work again.")
          assert.strictEqual((yield* app.connect(ann)).json["scope"], "")
          assert.deepInclude(yield* app.client, { legacy: true, scopes: [], migratedAt: null })
        }))

      it.effect("tells its owner what was refused since, and each time anew", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          const ann = yield* app.user
          const save = app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"] })
          const refused = Effect.map(
            app.owner.call("GET", `${app.path}/migration`),
            ({ json }) => (json["data"] as { readonly refused: unknown }).refused
          )
          assert.isNull(yield* refused)
          const { answer } = yield* app.ask(ann)
          yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
          assert.deepInclude(yield* refused, { requests: 0, lastAt: null })

          // Requests opened before and decided after count, too; requests with other faults do not.
          assert.strictEqual((yield* answer).get("error"), "invalid_scope")
          yield* TestClock.adjust("1 hour")
          assert.strictEqual((yield* app.authorize(ann)).get("error"), "invalid_scope")
          yield* TestClock.adjust("1 hour")
          assert.strictEqual((yield* app.authorize(ann, "BOOKING_READ")).get("error"), "invalid_scope")
          const last = DateTime.formatIso(yield* DateTime.now)
          yield* TestClock.adjust("1 hour")
          assert.isTrue((yield* app.authorize(ann, "PROFILE_READ")).has("code"))
          assert.deepStrictEqual(yield* refused, {
            requests: 3,
            lastAt: last,
            withoutScope: 2,
            refusedScopes: 1,
            refusedCalls: 0,
            supersededGrants: 0
          })
          assert.match(
            (yield* app.owner.get(`/settings/apps/${app.id}/migration`)).text,
            /Refused since scopes were saved on <time.*<td>3, the last on <time.*2 requests without scope/
          )

          yield* app.owner.call("POST", `${app.path}/migration/undo`, {})
          assert.isNull(yield* refused)
          yield* TestClock.adjust("31 days")
          assert.strictEqual((yield* save).status, 200)
          assert.deepInclude(yield* refused, { requests: 0, lastAt: null })
        }))

      it.effect("counts refused calls and ended grants among what was refused", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          const ann = yield* app.user
          const [phone, laptop] = [yield* app.connect(ann), yield* app.connect(ann)]
          yield* app.owner.call("PATCH", app.path, { scopes: ["BOOKING_READ"], breakOldUrls: true })

          // Ann authorizes the app again on her phone: the new token lacks what the app calls, and her laptop is out.
          const renewed = yield* app.connect(ann, "BOOKING_READ")
          assert.strictEqual((yield* app.me(renewed.json["access_token"])).status, 403)
          assertRefused(yield* app.refresh(laptop.json["refresh_token"]), 400, "invalid_grant")
          assertRefused(yield* app.refresh(phone.json["refresh_token"]), 400, "invalid_grant")
          yield* awaitState(app, /"withoutScope":0,"refusedScopes":0,"refusedCalls":1,"supersededGrants":2/)
        }))

      it.effect("cannot be taken back after a week", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
          assert.isNotNull((yield* app.client).migratedAt)
          yield* TestClock.adjust("7 days")
          assertRefusedWith(yield* app.owner.call("POST", `${app.path}/migration/undo`, {}), "undo_expired")
          assert.notInclude((yield* app.owner.get(`/settings/apps/${app.id}/migration`)).text, "Undo the move")
        }))

      it.effect("an edit of something else saves no scopes", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          const client = yield* app.client
          const { name, purpose, version, website } = client
          yield* app.owner.post(`/settings/apps/${app.id}`, {
            name,
            purpose: `${purpose} More.`,
            website,
            redirectUris: client.redirectUris.join("\n"),
            version: String(version),
            "scope:PROFILE_READ": "on"
          })
          assert.deepInclude(yield* app.client, { legacy: true, purpose: `${purpose} More.` })
          assert.isNull((yield* app.client).change)
        }))
    })

    describe("with scopes that are less than what was seen", () => {
      it.effect("is asked first, with what breaks and how often it was seen", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          const [ann, ben] = [yield* app.user, yield* app.user]
          yield* app.connect(ann, "PROFILE_READ BOOKING_READ")
          yield* app.connect(ben, "PROFILE_READ BOOKING_READ")
          yield* TestClock.adjust("8 days")
          assert.include((yield* app.owner.call("GET", `${app.path}/migration`)).text, "safe-to-save")
          const narrower = yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"] })
          assertRefusedWith(narrower, "old_urls_in_use")
          assert.include(narrower.text, "BOOKING_READ is not among the scopes: named by 2 requests.")
          assert.isTrue((yield* app.client).legacy)

          const page = `/settings/apps/${app.id}/migration`
          const version = String((yield* app.client).version)
          assert.notInclude((yield* app.owner.get(page)).text, "breakOldUrls")
          const asked = yield* app.owner.post(page, { version, "scope:PROFILE_READ": "on" })
          assert.include(asked.text, "<code>BOOKING_READ</code> is not among the scopes")
          assert.include(asked.text, "breakOldUrls")
          assert.strictEqual(
            (yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ", "BOOKING_READ"] })).status,
            200
          )
        }))

      it.effect("is asked for scopes that only API calls needed, too", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          const old = yield* app.connect(yield* app.user)
          yield* TestClock.adjust("31 days")
          const { json } = yield* app.refresh(old.json["refresh_token"])
          assert.strictEqual((yield* app.me(json["access_token"])).status, 200)
          yield* awaitState(app, /"seen":\[\{"scope":"PROFILE_READ","requests":0,"calls":1\}\]/)
          const narrower = yield* app.owner.call("PATCH", app.path, { scopes: ["BOOKING_READ"] })
          assertRefusedWith(narrower, "old_urls_in_use")
          assert.include(narrower.text, "PROFILE_READ is not among the scopes: needed by 1 API call.")
          assert.strictEqual((yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"] })).status, 200)
        }))
    })

    it.effect("is too early to judge in its first week, and is saved only with an explicit word", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const page = `/settings/apps/${app.id}/migration`
        const save = app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"] })
        // Nothing was seen at all, and then one request.
        assertRefusedWith(yield* save, "too_early")
        yield* app.connect(yield* app.user, "PROFILE_READ")
        assert.include((yield* app.owner.call("GET", `${app.path}/migration`)).text, "too-early")
        const refused = yield* save
        assertRefusedWith(refused, "too_early")
        assert.include(refused.text, "observed for 0 of 7 days")

        yield* TestClock.adjust("50 hours")
        const shown = (yield* app.owner.get(page)).text
        assert.match(shown, /Observed for 2 of 7 days.*<progress[^>]* value="180000000" max="604800000">/s)
        assert.include(shown, "breakOldUrls")
        assert.isTrue((yield* app.client).legacy)
        yield* TestClock.adjust("118 hours")
        assert.include((yield* app.owner.call("GET", `${app.path}/migration`)).text, "safe-to-save")
        assert.notInclude((yield* app.owner.get(page)).text, "<progress")
        assert.strictEqual((yield* save).status, 200)
      }))

    it.effect("has team scopes reviewed first, and stays as it is until then", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const ann = yield* app.user
        const page = `/settings/apps/${app.id}/migration`
        const version = String((yield* app.client).version)
        const fields = { version, "scope:PROFILE_READ": "on", "scope:TEAM_BOOKING_READ": "on", breakOldUrls: "on" }
        assert.strictEqual((yield* app.owner.post(page, fields)).headers.get("location"), page)
        assert.include((yield* app.owner.get(page)).text, "Some of these scopes are reviewed first.")
        assert.strictEqual((yield* app.connect(ann)).json["scope"], "")
        yield* app.approveAllTheSame
        assert.deepInclude(yield* app.client, { legacy: false, scopes: ["PROFILE_READ", "TEAM_BOOKING_READ"] })
        assert.strictEqual((yield* app.authorize(ann)).get("error"), "invalid_scope")
        // A change that waits for review during the undo must not save scopes again.
        yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ", "TEAM_BOOKING_READ", "ORG_BOOKING_READ"] })
        assert.isNotNull((yield* app.client).change)
        assert.strictEqual((yield* app.owner.call("POST", `${app.path}/migration/undo`, {})).status, 200)
        assert.deepInclude(yield* app.client, { legacy: true, change: null })
      }))

    it.effect("is judged again when team scopes are approved that were safe when they were saved", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const ann = yield* app.user
        const scopes = ["PROFILE_READ", "TEAM_BOOKING_READ"] as const
        yield* app.connect(ann, scopes.join(" "))
        yield* TestClock.adjust("8 days")
        assert.strictEqual((yield* app.owner.call("PATCH", app.path, { scopes })).status, 200)
        const review = `/review/${app.id}`
        assert.notInclude((yield* app.admin.get(review)).text, "breakOldUrls")

        // The owner's other installation still has the old URL.
        yield* app.authorize(yield* app.user)
        const shown = (yield* app.admin.get(review)).text
        assert.include(shown, "some of what was seen would stop working")
        assert.include(shown, "URL still without scope: do not save scopes yet")
        assert.include(shown, "URLs without scope are still in use: 1 request of the last 30 days.")
        const { version } = yield* app.client
        const approve = (more: object) =>
          app.admin.call("POST", `/v2/admin/oauth-clients/${app.id}/approve`, { version, ...more })
        assertRefusedWith(yield* approve({}), "old_urls_in_use")
        const onPage = yield* app.admin.post(`${review}/approve`, { version: String(version) })
        assert.strictEqual(onPage.status, 409)
        assert.include(onPage.text, "name=\"breakOldUrls\"")
        assert.isTrue((yield* app.client).legacy)
        const looked = yield* app.admin.call("GET", `/v2/admin/oauth-clients/${app.id}`)
        assert.include(looked.text, "\"verdict\":\"url-without-scope\"")

        const confirmed = yield* app.admin.post(`${review}/approve`, { version: String(version), breakOldUrls: "on" })
        assert.strictEqual(confirmed.headers.get("location"), `/review?from=${app.id}`)
        assert.deepInclude(yield* app.client, { legacy: false, scopes })
      }))

    it.effect("is approved over the API with an explicit word only, too", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const scopes = ["TEAM_BOOKING_READ"]
        yield* app.owner.call("PATCH", app.path, { scopes, breakOldUrls: true })
        const { version } = yield* app.client
        const approve = (more: object) =>
          app.admin.call("POST", `/v2/admin/oauth-clients/${app.id}/approve`, { version, ...more })
        assertRefusedWith(yield* approve({}), "too_early")
        assert.strictEqual((yield* approve({ breakOldUrls: true })).status, 200)
        assert.isFalse((yield* app.client).legacy)
      }))

    it.effect("is its owner's alone to move", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const ann = yield* app.user
        assert.strictEqual((yield* ann.call("GET", `${app.path}/migration`)).status, 404)
        assert.strictEqual((yield* ann.call("POST", `${app.path}/migration/undo`, {})).status, 404)
        assert.strictEqual((yield* ann.get(`/settings/apps/${app.id}/migration`)).status, 404)
        assert.strictEqual((yield* ann.get("/review/migration")).status, 403)
        assert.strictEqual((yield* ann.post("/review/migration/mail", {})).status, 403)
      }))
  }
)

const assertRefusedWith = ({ status, text }: { readonly status: number; readonly text: string }, code: string) => {
  assert.strictEqual(status, 409)
  assert.include(text, `"code":"${code}"`)
}

/** Awaits what is counted in the background. */
const awaitState = (app: Effect.Success<typeof legacyApp>, expected: RegExp) =>
  Effect.andThen(TestClock.adjust("1 minute"), app.owner.call("GET", `${app.path}/migration`)).pipe(
    Effect.repeat({ until: ({ text }) => expected.test(text), times: 200 }),
    Effect.map(({ text }) => assert.match(text, expected))
  )
