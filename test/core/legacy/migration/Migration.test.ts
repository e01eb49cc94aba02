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
          assert.strictEqual(confirmed.headers.get("location"), `${page}?done=saved`)
          assert.strictEqual((yield* app.authorize(ann)).get("error"), "invalid_scope")
          assert.strictEqual((yield* app.refresh(old.json["refresh_token"])).status, 200)

          yield* TestClock.adjust("6 days")
          assert.include((yield* app.owner.get(page)).text, "Take it back")
          const undo = String((yield* app.client).version)
          const undone = yield* app.owner.post(`${page}/undo`, { version: undo })
          assert.strictEqual(undone.headers.get("location"), `${page}?done=undone`)
          assert.strictEqual((yield* app.connect(ann)).json["scope"], "")
          assert.deepInclude(yield* app.client, { legacy: true, scopes: [], migratedAt: null })
        }))

      it.effect("tells its owner how many requests were refused since, and each time anew", () =>
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
          assert.deepStrictEqual(yield* refused, { requests: 0, lastAt: null })

          // Requests opened before and decided after count, too; requests with other faults do not.
          assert.strictEqual((yield* answer).get("error"), "invalid_scope")
          yield* TestClock.adjust("1 hour")
          assert.strictEqual((yield* app.authorize(ann)).get("error"), "invalid_scope")
          const last = DateTime.formatIso(yield* DateTime.now)
          yield* TestClock.adjust("1 hour")
          assert.strictEqual((yield* app.authorize(ann, "BOOKING_READ")).get("error"), "invalid_scope")
          assert.strictEqual((yield* app.authorize(ann, " ")).get("error"), "invalid_scope")
          assert.isTrue((yield* app.authorize(ann, "PROFILE_READ")).has("code"))
          assert.deepStrictEqual(yield* refused, { requests: 2, lastAt: last })
          assert.match(
            (yield* app.owner.get(`/settings/apps/${app.id}/migration`)).text,
            /refused since you saved, <time.*<td>2, the last <time/
          )

          yield* app.owner.call("POST", `${app.path}/migration/undo`, {})
          assert.isNull(yield* refused)
          yield* TestClock.adjust("31 days")
          assert.strictEqual((yield* save).status, 200)
          assert.deepStrictEqual(yield* refused, { requests: 0, lastAt: null })
        }))

      it.effect("cannot be taken back after a week", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"] })
          assert.isNotNull((yield* app.client).migratedAt)
          yield* TestClock.adjust("7 days")
          assertRefusedWith(yield* app.owner.call("POST", `${app.path}/migration/undo`, {}), "undo_expired")
          assert.notInclude((yield* app.owner.get(`/settings/apps/${app.id}/migration`)).text, "Take it back")
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

    it.effect("has team scopes reviewed first, and stays as it is until then", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const ann = yield* app.user
        const page = `/settings/apps/${app.id}/migration`
        const version = String((yield* app.client).version)
        const fields = { version, "scope:PROFILE_READ": "on", "scope:TEAM_BOOKING_READ": "on" }
        assert.strictEqual((yield* app.owner.post(page, fields)).headers.get("location"), `${page}?done=review`)
        assert.strictEqual((yield* app.connect(ann)).json["scope"], "")
        yield* app.approve
        assert.deepInclude(yield* app.client, { legacy: false, scopes: ["PROFILE_READ", "TEAM_BOOKING_READ"] })
        assert.strictEqual((yield* app.authorize(ann)).get("error"), "invalid_scope")
        // A change that waits for review during the undo must not save scopes again.
        yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ", "TEAM_BOOKING_READ", "ORG_BOOKING_READ"] })
        assert.isNotNull((yield* app.client).change)
        assert.strictEqual((yield* app.owner.call("POST", `${app.path}/migration/undo`, {})).status, 200)
        assert.deepInclude(yield* app.client, { legacy: true, change: null })
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
