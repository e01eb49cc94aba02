// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { Agreement } from "../../src/core/catalogue/Agreement.ts"
import { Catalogues } from "../../src/core/catalogue/Catalogues.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { MigrationAudits } from "../../src/core/legacy/migration/MigrationAudits.ts"
import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import { catalogue } from "../../src/domain/catalogue/BuiltInScope.ts"
import { TestServer } from "../../src/testing.ts"
import { registeredRoutes } from "../support/Routes.ts"

/** A scope that a later release has given out, before it was rolled back. */
const later = "TIME_TRAVEL_WRITE"

/** Adds the scope to every row that has scopes. */
const addEverywhere = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql<{ table: string }>`SELECT table_name AS "table" FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'scopes' ORDER BY 1`
  const tables = columns.map(({ table }) => table)
  yield* Effect.forEach(
    tables,
    (table) => sql`UPDATE ${sql(table)} SET scopes = array_append(scopes, ${later}) WHERE scopes <> '{}'`
  )
  return tables
})

layer(TestServer.layer(), { timeout: "2 minutes" })("A scope that this release does not know", (it) => {
  it.effect("is shown where rows have it, and breaks no page and no call", () =>
    Effect.gen(function*() {
      const kit = yield* TestServer
      const sql = yield* SqlClient.SqlClient
      const registry = yield* ClientRegistry
      const admin = yield* kit.user({ role: "admin" })
      const owner = yield* kit.user()
      const app = yield* kit.app({ owner, scopes: ["PROFILE_READ", "BOOKING_READ"] })
      const changed = yield* kit.app({ owner, scopes: ["PROFILE_READ"] })
      yield* registry.edit(owner.id, changed.clientId, { scopes: ["PROFILE_READ", "APPS_READ"] })
      const old = yield* kit.app({ legacy: true, owner })
      const tokens = yield* kit.tokens({ app, user: owner })
      yield* kit.tokens({ app: old, user: owner })
      yield* (yield* MigrationAudits).run("test", () => Effect.void)
      yield* sql`UPDATE migration_audits SET scopes = ${["PROFILE_READ"]}`
      yield* sql`UPDATE legacy_authorizations SET scope = ${later} WHERE scope <> '' AND scope <> '*'`
      const browser = yield* kit.session(owner)
      const asking = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: app.redirectUri,
        scope: "PROFILE_READ",
        prompt: "consent"
      })
      const asked = yield* kit.fetch(`/auth/oauth2/authorize?${asking}`, { headers: { cookie: browser.cookie } })
      const question = /name="request" value="([^"]*)"/.exec(yield* Effect.promise(() => asked.text()))?.[1] ?? ""
      assert.deepStrictEqual(yield* addEverywhere, [
        "authorization_requests",
        "client_changes",
        "clients",
        "codes",
        "grants",
        "migration_audits",
        "resources",
        "review_wishes"
      ])

      const keys = yield* ApiKeys
      const shownTo = Effect.fnUntraced(function*(visitor: typeof admin, clientId: string) {
        const { cookie } = yield* kit.session(visitor)
        const { key } = yield* keys.create(visitor.id, "script", visitor.id)
        const paths = (yield* registeredRoutes).filter((route) => route.startsWith("GET ")).map((route) =>
          route.slice(4)
        )
        assert.isAbove(paths.length, 50)
        const shown: Array<string> = []
        for (const path of paths) {
          const headers = path.startsWith("/v2/") ? { authorization: `Bearer ${Redacted.value(key)}` } : { cookie }
          const address = path.replace(":id", path.includes("/users/") ? owner.id : clientId)
          const answer = yield* kit.fetch(`${address}${path === "/playground" ? `?app=${clientId}` : ""}`, { headers })
          assert.isBelow(answer.status, 500, path)
          if ((yield* Effect.promise(() => answer.text())).includes(later)) shown.push(path)
        }
        return shown
      })
      assert.includeMembers(yield* shownTo(owner, app.clientId), [
        "/connections",
        "/settings/apps/:id/scopes",
        "/v2/oauth-clients",
        "/v2/oauth-clients/:id"
      ])
      assert.includeMembers(yield* shownTo(admin, changed.clientId), [
        "/review/:id",
        "/v2/admin/oauth-clients",
        "/v2/admin/oauth-clients/:id"
      ])
      yield* shownTo(owner, old.clientId)
      yield* shownTo(admin, old.clientId)

      // The grant keeps it for the release that knows it, and lets nothing pass by it here.
      const refreshed = yield* kit.refresh(tokens)
      assert.sameMembers([...refreshed.scopes], ["PROFILE_READ", "BOOKING_READ", later])
      // Some apps name all of their scopes at each refresh.
      const naming = (refreshToken: string, scope: string) =>
        Effect.gen(function*() {
          const response = yield* kit.fetch("/v2/auth/oauth2/token", {
            method: "POST",
            body: new URLSearchParams({
              grant_type: "refresh_token",
              client_id: app.clientId,
              client_secret: app.clientSecret ?? "",
              refresh_token: refreshToken,
              scope
            })
          })
          return [response.status, yield* Effect.promise(() => response.text())] as const
        })
      const [refused, why] = yield* naming(refreshed.refreshToken, "PROFILE_READ SPACE_TRAVEL_WRITE")
      assert.deepStrictEqual([refused, why.includes("does not exist: SPACE_TRAVEL_WRITE")], [400, true])
      const [named, tokensOfIt] = yield* naming(refreshed.refreshToken, `PROFILE_READ ${later}`)
      assert.deepStrictEqual([named, tokensOfIt.includes(`"scope":"PROFILE_READ ${later}"`)], [200, true])
      const me = yield* kit.fetch("/v2/me", { headers: { authorization: `Bearer ${refreshed.accessToken}` } })
      assert.strictEqual(me.status, 200)

      // A page of consent is answered as ever, though the app and a grant of the user have the scope.
      const { error } = yield* kit.authorize({ app, user: owner, scopes: ["BOOKING_READ"] })
      assert.isUndefined(error)

      // The question was asked by the later release: the person who answers it here did not read what the scope means.
      const decided = yield* kit.submit(browser, "/auth/oauth2/decision", { request: question, decision: "allow" })
      assert.strictEqual(decided.status, 303)
      const answered = new URL(decided.headers.get("location") ?? "")
      assert.strictEqual(answered.searchParams.get("error"), "invalid_scope")

      // A form without a box for it takes it away from nobody.
      const edited = yield* registry.edit(owner.id, app.clientId, { scopes: ["PROFILE_READ"] })
      assert.sameMembers([...edited.scopes], ["PROFILE_READ", later])

      // The change that waits can be decided.
      const { version } = yield* registry.getOwned(owner.id, changed.clientId)
      const approved = yield* kit.submit(yield* kit.session(admin), `/review/${changed.clientId}/approve`, {
        version: String(version)
      })
      assert.strictEqual(approved.status, 303)
      assert.sameMembers(
        [...(yield* registry.getOwned(owner.id, changed.clientId)).scopes],
        ["PROFILE_READ", "APPS_READ", later]
      )
    }))

  it.effect("is decided about where the catalogue is announced that has it: another node asked by that one", () =>
    Effect.gen(function*() {
      const kit = yield* TestServer
      const sql = yield* SqlClient.SqlClient
      const { refresh } = yield* Agreement
      const catalogues = yield* Catalogues
      const user = yield* kit.user()
      const app = yield* kit.app({ scopes: ["PROFILE_READ"] })
      const browser = yield* kit.session(user)
      /** Asks by this node, which is made the question of one that knows the scope, and allows it here. */
      const decide = Effect.gen(function*() {
        const query = new URLSearchParams({
          client_id: app.clientId,
          redirect_uri: app.redirectUri,
          scope: "PROFILE_READ"
        })
        const asked = yield* kit.fetch(`/auth/oauth2/authorize?${query}`, { headers: { cookie: browser.cookie } })
        const question = /name="request" value="([^"]*)"/.exec(yield* Effect.promise(() => asked.text()))?.[1] ?? ""
        yield* sql`UPDATE authorization_requests SET scopes = ${["PROFILE_READ", later]}`
        const decided = yield* kit.submit(browser, "/auth/oauth2/decision", { request: question, decision: "allow" })
        return new URL(decided.headers.get("location") ?? "").searchParams
      })
      yield* sql`UPDATE clients SET scopes = ${["PROFILE_READ", later]} WHERE id = ${app.clientId}`
      assert.strictEqual((yield* decide).get("error"), "invalid_scope")

      const file = builtInFile()
      const entry = {
        name: later,
        level: "user",
        access: "write",
        title: "Travel",
        covers: "Travels in time."
      } as const
      const { inForce } = yield* catalogues.current
      const proposed = { file: { ...file, scopes: [...file.scopes, entry] }, isBuiltIn: false }
      yield* catalogues.announce(proposed, inForce?.id ?? "", { actor: "test" })
      yield* refresh
      assert.isNotNull((yield* decide).get("code"))
      yield* catalogues.withdraw({ actor: "test" })
      yield* refresh
      assert.strictEqual((yield* decide).get("error"), "invalid_scope")
    }).pipe(Effect.provide(Catalogues.layer)))

  it.effect("is named in a mail that was under way", () =>
    Effect.gen(function*() {
      const kit = yield* TestServer
      const sql = yield* SqlClient.SqlClient
      const { app, user } = yield* kit.authorize()
      yield* sql`UPDATE outbox SET payload = jsonb_set(payload, '{scopes}', ${JSON.stringify([later])}::text::jsonb)
        WHERE queue = 'new-connections'`
      const mails = yield* kit.mails
      const mail = mails.find(({ subject, to }) => to.address === user.email && subject.includes(app.name))
      assert.include(mail?.text, later)
    }))

  it("is none of this release, or the tests above would say nothing", () => {
    assert.notInclude<string>([...catalogue], later)
  })
})
