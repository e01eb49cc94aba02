import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assertRefused, layer as scenes } from "../../../support/Scenario.ts"
import { legacyApp } from "../Scenario.ts"

layer(scenes({ SESSION_LIFETIME: "400 days" }), { timeout: 60_000 })(
  "A legacy client (specification §5.6)",
  (it) => {
    describe("in the right order", () => {
      it.effect("moves to scopes without breaking anybody", () =>
        Effect.gen(function*() {
          const app = yield* legacyApp
          const [ann, ben] = [yield* app.user, yield* app.user]

          // Before: a token without restriction.
          const annOld = yield* app.connect(ann)
          const benOld = yield* app.connect(ben)
          assert.strictEqual(annOld.json["scope"], "")
          assert.strictEqual((yield* app.me(annOld.json["access_token"])).status, 200)

          // First the URL: the new token carries only its scopes, though the client is legacy still.
          assert.strictEqual((yield* app.authorize(ann, "PROFILE_READ NONSENSE")).get("error"), "invalid_scope")
          const carol = yield* app.user
          const scoped = yield* app.connect(carol, "BOOKING_READ")
          assert.strictEqual(scoped.json["scope"], "BOOKING_READ")
          assert.strictEqual((yield* app.me(scoped.json["access_token"])).status, 403)

          // A month later nobody opens the old URL.
          yield* TestClock.adjust("25 days")
          const annRefreshed = yield* app.refresh(annOld.json["refresh_token"])
          yield* app.connect(carol, "PROFILE_READ")
          yield* TestClock.adjust("6 days")
          const state = yield* app.owner.call("GET", `${app.path}/migration`)
          assert.include(state.text, "safe-to-save")
          const saved = yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ", "BOOKING_READ"] })
          assert.strictEqual(saved.status, 200)
          assert.include(saved.text, "\"legacy\":false")

          // After it: the old URL is refused with the cure, tokens from before keep working and refreshing.
          const refused = yield* app.authorize(ann)
          assert.strictEqual(refused.get("error"), "invalid_scope")
          assert.match(refused.get("error_description") ?? "", /add it to the authorization URL/)
          assert.strictEqual((yield* app.authorize(ann, "WEBHOOK_READ")).get("error"), "invalid_scope")
          const annAgain = yield* app.refresh(annRefreshed.json["refresh_token"])
          assert.deepStrictEqual([annAgain.status, annAgain.json["scope"]], [200, ""])

          // Until that user authorizes again, and not before the new code was exchanged.
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

          // Asked before and decided after counts, too; what is wrong otherwise does not.
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
        // A change that waits when all is taken back must not save scopes again.
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

    it.effect("stands on the board, and its owner is written to once a week at most", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const app = yield* legacyApp
        const ann = yield* app.user
        yield* app.connect(ann)
        yield* TestClock.adjust("1 day")
        yield* app.authorize(ann)
        yield* app.connect(yield* app.user, "PROFILE_READ")
        const mails = Effect.map(
          sql`SELECT 1 FROM outbox WHERE queue = 'review-notices' AND payload->>'clientId' = ${app.id}`,
          (rows) => rows.length
        )
        const board = (yield* app.admin.get("/review/migration")).text
        assert.include((yield* app.admin.get("/review/migration?page=9")).text, "Old Timer")
        assert.include(board, "Old Timer")
        assert.include(board, "URL still without scope: do not save scopes yet")
        assert.match(
          board,
          /<svg class="trend" role="img"[^>]*aria-label="0 of 0 requests without scope, then 2 of 3 requests without scope"/
        )
        assert.notInclude(board, "style=")
        assert.match((yield* app.admin.post("/review/migration/mail", {})).headers.get("location") ?? "", /asked=[1-9]/)
        assert.strictEqual(yield* mails, 1)
        assert.strictEqual(
          (yield* app.admin.post("/review/migration/mail", {})).headers.get("location"),
          "/review/migration?asked=0"
        )
        yield* TestClock.adjust("8 days")
        yield* app.admin.post("/review/migration/mail", {})
        assert.strictEqual(yield* mails, 2)
        yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
        yield* TestClock.adjust("8 days")
        yield* app.admin.post("/review/migration/mail", {})
        assert.strictEqual(yield* mails, 2)
        assert.include((yield* app.admin.get("/review/migration?state=migrated")).text, app.id.slice(0, 8))
      }))

    it.effect(
      "no order of steps makes an old token fail before its user has authorized again, or a new one too wide",
      () =>
        Effect.gen(function*() {
          let ended = 0
          for (let seed = 1; seed <= 10; seed++) ended += yield* walk(seed)
          // Otherwise the walks would not have come to where old tokens end.
          assert.isAbove(ended, 3)
        }),
      120_000
    )
  }
)

interface Held {
  readonly user: number
  /** The requested scopes; the empty string asks for everything. */
  readonly scope: string
  token: string
  /** True once its user has authorized the app anew since the scopes were saved. */
  superseded: boolean
}

/** Random steps of everybody concerned, in any order, and the promises checked after each of them. */
const walk = Effect.fnUntraced(function*(seed: number) {
  const random = randomOf(seed)
  const app = yield* legacyApp
  const users = [yield* app.user, yield* app.user]
  const held: Array<Held> = []
  const trace: Array<string> = []
  const some = (): ReadonlyArray<string> => choices[random(choices.length)]!
  const save = Effect.gen(function*() {
    const wanted = some()
    trace.push(`save ${wanted}`)
    yield* app.owner.call("PATCH", app.path, { scopes: wanted, breakOldUrls: random(5) > 0 })
  })
  const act = {
    connect: Effect.gen(function*() {
      const [user, scope] = [random(2), random(3) === 0 ? "" : some().join(" ")]
      trace.push(`connect ${user} ${scope}`)
      const before = yield* app.client
      const code = (yield* app.authorize(users[user]!, scope === "" ? undefined : scope)).get("code")
      if (code === null) return assert.isFalse(before.legacy, trace.join("\n"))
      // Between the code and its exchange the owner may act.
      if (random(3) === 0) yield* save
      const answer = yield* app.exchange(code)
      assert.strictEqual(answer.status, 200, trace.join("\n"))
      const granted = String(answer.json["scope"])
      assert.strictEqual(granted, scopesInOrder(scope), trace.join("\n"))
      const { legacy } = yield* app.client
      if (!legacy && scope !== "") {
        for (const one of held) if (one.user === user && one.scope === "") one.superseded = true
      }
      held.push({ user, scope, token: String(answer.json["refresh_token"]), superseded: false })
    }),
    save,
    undo: Effect.suspend(() => {
      trace.push("undo")
      return app.owner.call("POST", `${app.path}/migration/undo`, {})
    }),
    approve: Effect.suspend(() => {
      trace.push("approve")
      return Effect.ignore(app.approve)
    }),
    reject: Effect.suspend(() => {
      trace.push("reject")
      return Effect.ignore(app.reject)
    }),
    wait: Effect.suspend(() => {
      trace.push("wait")
      return TestClock.adjust(`${random(4)} days`)
    })
  }
  yield* Effect.repeat(act.connect, { times: 1 })
  const steps = [
    act.connect,
    act.connect,
    act.connect,
    act.connect,
    save,
    save,
    act.undo,
    act.approve,
    act.reject,
    act.wait
  ]
  for (let step = 0; step < 16; step++) {
    yield* steps[random(steps.length)]!
    for (const one of held) {
      const answer = yield* app.refresh(one.token)
      const told = `${JSON.stringify(one)} after\n${trace.join("\n")}`
      assert.strictEqual(answer.status, one.superseded ? 400 : 200, told)
      if (answer.status !== 200) continue
      assert.strictEqual(answer.json["scope"], scopesInOrder(one.scope), told)
      one.token = String(answer.json["refresh_token"])
    }
  }
  return held.filter(({ superseded }) => superseded).length
})

const choices = [
  ["PROFILE_READ"],
  ["PROFILE_READ"],
  ["PROFILE_READ", "BOOKING_READ"],
  ["PROFILE_READ", "TEAM_BOOKING_READ"]
]

const scopesInOrder = (scope: string) =>
  ["BOOKING_READ", "PROFILE_READ", "TEAM_BOOKING_READ"].filter((one) => scope.split(" ").includes(one)).join(" ")

/** Numerical Recipes' generator: the same walk for the same seed. */
const randomOf = (seed: number) => {
  let state = Math.imul(seed, 0x9e3779b1)
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const assertRefusedWith = ({ status, text }: { readonly status: number; readonly text: string }, code: string) => {
  assert.strictEqual(status, 409)
  assert.include(text, `"code":"${code}"`)
}
