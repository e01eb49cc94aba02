import { assert, layer } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { ClientsRepo } from "../../../../src/core/clients/records/ClientsRepo.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { Migration } from "../../../../src/core/legacy/migration/Migration.ts"
import { assertRefused, layer as server } from "../../../support/TestServer.ts"
import { legacyApp } from "../Scenario.ts"

layer(server({ LEGACY_SCOPE_WORDS: "CALENDAR_READ, MAIL_READ" }), { timeout: 60_000 })(
  "Words of the old server in scope",
  (it) => {
    it.effect("break no URL of a legacy app, and its users are told that it gets everything", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        for (const scope of ["openid", "READ_BOOKING READ_PROFILE", "CALENDAR_READ"]) {
          const { answer, page } = yield* app.ask(yield* app.user, scope)
          assert.include(page, "This app does not say what it needs, so it gets everything")
          const tokens = yield* app.exchange((yield* answer).get("code") ?? "")
          assert.strictEqual(tokens.json["scope"], "")
        }
      }))

    it.effect("are counted by word for the app's owner", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const user = yield* app.user
        yield* app.ask(user, "openid")
        yield* app.ask(user, "openid read")
        yield* app.ask(user, "openid PROFILE_READ")
        const state = yield* (yield* Migration).state(app.owner.id, app.id)
        assert.deepStrictEqual(state.ignoredWords.map(({ requests, word }) => `${word} ${requests}`), [
          "openid 3",
          "read 1"
        ])
        const { text } = yield* app.owner.get(`/settings/apps/${app.id}/migration`)
        assert.match(text, /<code>openid<\/code> in 3 requests/)
        assert.deepStrictEqual([state.audit?.unscopedRequests, state.audit?.scopedRequests, state.audit?.scopes], [
          2,
          1,
          [
            "PROFILE_READ"
          ]
        ])
      }))

    it.effect("are counted to a limit, so that nobody fills the table with them", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const user = yield* app.user
        for (let n = 0; n < 8; n++) {
          yield* app.ask(user, Array.from({ length: 12 }, (_, at) => `w${n}-${at}`).join(" "))
        }
        yield* app.ask(user, "x".repeat(2000))
        yield* app.ask(user, "w0-0")
        const { ignoredWords } = yield* (yield* Migration).state(app.owner.id, app.id)
        assert.strictEqual(ignoredWords.length, 50)
        assert.strictEqual(ignoredWords.find(({ word }) => word === "w0-0")?.requests, 2)
      }))

    it.effect("break no refresh of an installed app, before its scopes are saved or after", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        const { json } = yield* app.connect(yield* app.user)
        const first = yield* app.refresh(json["refresh_token"], "openid READ_BOOKING")
        assert.deepStrictEqual([first.status, first.json["scope"]], [200, ""])
        const saved = yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
        assert.strictEqual(saved.status, 200)
        const second = yield* app.refresh(first.json["refresh_token"], "openid PROFILE_READ")
        assert.deepStrictEqual([second.status, second.json["scope"]], [200, "PROFILE_READ"])
        assertRefused(yield* app.refresh(second.json["refresh_token"], "PROFILE_REED"), 400, "invalid_scope")

        const refused = yield* app.authorize(yield* app.user, "openid PROFILE_READ")
        assert.match(refused.get("error_description") ?? "", /does not exist: openid; words of the previous server/)
      }))

    it.effect("come with the import of an app, too", () =>
      Effect.gen(function*() {
        const app = yield* legacyApp
        assert.strictEqual((yield* app.authorize(yield* app.user, "TEAM_READ")).get("error"), "invalid_scope")
        const owner = app.owner.id
        const id = `csv-${crypto.randomUUID()}`
        const csv = [
          "client_id,owner,name,redirect_uris,kind,website,scope_words",
          `${id},${owner},Old,com.old.example:/cb,public,https://old.example,TEAM_READ ORG_WRITE`
        ].join("\n")
        yield* (yield* LegacyImport).apply(Stream.make(csv), "cli")
        const { scopeWords } = Option.getOrThrow(yield* (yield* ClientsRepo).find(id))
        assert.deepStrictEqual(scopeWords, ["TEAM_READ", "ORG_WRITE"])
        const wrong = Stream.make(csv.replace("ORG_WRITE", "BOOKING_READ"))
        const refused = yield* Effect.flip((yield* LegacyImport).apply(wrong, "cli"))
        assert.match(
          JSON.stringify(refused.details),
          /scope_words.1 .*BOOKING_READ.* must be a word that is no scope here/
        )
      }))
  }
)
