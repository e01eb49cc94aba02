// @effect-diagnostics strictEffectProvide:off
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { authorizePath, browser, requestingApp, Services } from "./Scenario.ts"

layer(Services)((it) => {
  describe("The consent page", () => {
    it.effect("names the developer of the app", () =>
      Effect.gen(function*() {
        const { owner, request, tab } = yield* requestingApp()
        yield* rename(owner, "Ada <b>Byron</b>")
        assert.strictEqual(developerOn((yield* tab.get(authorizePath(request))).body), "Ada &lt;b&gt;Byron&lt;/b&gt;")
      }))

    it.effect("names no developer who has no name, and never shows an id or an e-mail address instead", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { owner, request, tab } = yield* requestingApp()
        const page = Effect.map(tab.get(authorizePath(request)), ({ body }) => body)
        for (const name of [" ", owner, `${owner}@example.com`, `Ada <${owner}@example.com>`]) {
          yield* rename(owner, name)
          const body = yield* page
          assert.isUndefined(developerOn(body), name)
          assert.notInclude(body, owner)
        }
        yield* rename(owner, "Ada")
        assert.strictEqual(developerOn(yield* page), "Ada")
        yield* sql`UPDATE accounts SET disabled_at = now() WHERE id = ${owner}`
        const body = yield* page
        assert.include(body, "wants to see “Profile”")
        assert.isUndefined(developerOn(body))
        assert.notInclude(body, owner)
      }))

    it.effect.each(
      [
        [{}, "365 days", "60 days", ["30 days", "1 day"]],
        [
          { GRANT_IDLE_LIFETIME: "36 hours", GRANT_LIFETIME: "48 hours" },
          "2 days",
          "36 hours",
          ["1 day"]
        ],
        [{ GRANT_IDLE_LIFETIME: "90 days", GRANT_LIFETIME: "90 days" }, "90 days", undefined, ["30 days", "1 day"]],
        [{ GRANT_IDLE_LIFETIME: "60 days", GRANT_LIFETIME: "90 minutes" }, "90 minutes", undefined, []]
      ] as const
    )(
      "says how long the access lasts, and offers ends before that (%j)",
      ([env, latest, unused, sooner]) =>
        Effect.gen(function*() {
          const { request, user } = yield* requestingApp()
          const tab = yield* browser(user).pipe(Effect.provide(AppConfig.layerTest(env)))
          const { body } = yield* tab.get(authorizePath(request))
          const ends = [...body.matchAll(/name="end" value="\w+"(?: checked)?> (.*?)<\/label>/g)].map(([, label]) =>
            label
          )
          assert.deepStrictEqual(ends, [`until I end it, ${latest} at most`, ...sooner])
          assert.strictEqual(/has not used it for (.*?),/.exec(body)?.[1], unused)
        })
    )
  })
})

const rename = Effect.fnUntraced(function*(id: UserId, name: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE accounts SET name = ${name} WHERE id = ${id}`
})

const developerOn = (body: string): string | undefined => /Developer: <strong><bdi>(.*?)<\/bdi>/.exec(body)?.[1]
