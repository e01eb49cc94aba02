// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { LinkedAccounts } from "../../src/core/accounts/linked/LinkedAccounts.ts"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import * as Testing from "../../src/testing.ts"
import { password } from "../core/accounts/Scenario.ts"
import { visitor } from "../core/legacy/Scenario.ts"
import { registeredRoutes } from "../support/Routes.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const issuer = "https://id.platform.test"

const Server = Testing.layer({ SIGN_IN: "local oidc", OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "slotkey" }).pipe(
  Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer))
)

/** Forms of the account page for everybody; all others, and each that is added, are for local accounts alone. */
const forAll = new Set([
  "/account/api-keys",
  "/account/api-keys/revoke",
  "/account/sessions/end",
  "/account/sessions/end-others",
  // Few providers say where their users live.
  "/account/language",
  "/account/time-zone"
])

const accountForms = Effect.map(
  registeredRoutes,
  (routes) => routes.flatMap((route) => route.startsWith("POST /account") ? [route.slice("POST ".length)] : [])
)

/** What the database keeps of people and of their mails, but for trails of use. */
const state = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT (SELECT json_agg(a ORDER BY id) FROM accounts a) AS accounts,
    (SELECT json_agg(m) FROM mailed_links m) AS links, (SELECT json_agg(o.payload ORDER BY o.id) FROM outbox o) AS jobs,
    (SELECT json_agg(l ORDER BY id) FROM audit_log l) AS trail, (SELECT count(*)::int FROM rate_limits) AS attempts`
})

layer(Server, { timeout: 60_000 })("A linked account", (it) => {
  it.effect("changes nothing by any form for local accounts, with the password of the local account of its address", () =>
    Effect.gen(function*() {
      const email = "boss@slotkey.test"
      yield* (yield* Accounts).create({ email, name: "Boss", password, role: "admin" })
      const { id } = yield* (yield* LinkedAccounts).signIn({
        issuer,
        subject: "mallory",
        profile: { email, name: "Mallory" },
        roles: {}
      })
      const mallory = yield* visitor(id, { identity: { way: "oidc", issuer, subject: "mallory" } })
      const secret = Redacted.value(password)
      const fields = {
        name: "Slotkey Security Team",
        username: "slotkey-security",
        bio: "",
        timeFormat: "24",
        weekStart: "Monday",
        timeZone: "Europe/Rome",
        current: secret,
        password: "rain on the roof at noon",
        repeated: "rain on the roof at noon",
        keys: "on",
        apps: "on",
        email: "mallory@elsewhere.test"
      }
      const before = yield* state
      const forms = (yield* accountForms).filter((path) => !forAll.has(path))
      assert.includeMembers(forms, ["/account/profile", "/account/password", "/account/email", "/account/close"])
      for (const path of forms) {
        const { status, text } = yield* mallory.post(path, fields)
        assert.deepStrictEqual([path, status, text.includes("Kept by the platform")], [path, 403, true])
        assert.deepStrictEqual([path, yield* state], [path, before])
      }
    }))
})
