// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { trustedIssuers } from "../../../../src/core/accounts/linked/TrustedIssuers.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const provider = (issuer: string) => ({ SIGN_IN: "oidc", OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "slotkey" })
const handover = { HANDOVER_URL: "https://platform.example/login", HANDOVER_KEY: "k".repeat(32) }
const proxy = {
  PROXY_HEADER: "x-assertion",
  PROXY_JWKS_URL: "https://proxy.example/keys",
  PROXY_ISSUER: "https://proxy.example",
  PROXY_AUDIENCE: "slotkey"
}

/** What sign-ins call an issuer that is written so, under these settings. */
const found = (env: Record<string, string>, issuer: string) =>
  trustedIssuers.pipe(
    Effect.map(({ find }) => Option.getOrUndefined(find(issuer))),
    Effect.provide(AppConfig.layerTest(env))
  )

layer(TestDatabase.layer)("The trusted issuers", (it) => {
  it.effect("are those of the ways to sign in that are in use", () =>
    Effect.gen(function*() {
      const all = { ...provider("https://id.example/main"), ...handover, ...proxy }
      const names = (ways: string) =>
        trustedIssuers.pipe(
          Effect.map(({ names }) => names),
          Effect.provide(AppConfig.layerTest({ ...all, SIGN_IN: ways }))
        )
      assert.deepStrictEqual(yield* names("local"), [])
      assert.deepStrictEqual(yield* names("oidc"), ["https://id.example/main"])
      assert.deepStrictEqual(yield* names("handover proxy"), ["https://platform.example", "https://proxy.example"])
      assert.isUndefined(yield* found({ ...all, SIGN_IN: "local handover" }, "https://id.example/main"))
      assert.isUndefined(yield* found({ ...all, SIGN_IN: "local handover" }, "https://platform.example/"))
    }))

  it.effect("are called as sign-ins call them, where a slash alone makes the difference", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const env = provider("https://tenant.auth.example")
      // Before anybody has signed in there, the file's own spelling counts.
      assert.strictEqual(yield* found(env, "https://tenant.auth.example/"), "https://tenant.auth.example/")
      assert.strictEqual(yield* found(env, "https://tenant.auth.example"), "https://tenant.auth.example")
      yield* sql`INSERT INTO accounts (id, email, username, name, role, linked, created_at)
        VALUES ('ann', '', 'ann', 'Ann', 'user', true, now())`
      yield* sql`INSERT INTO identities (issuer, subject, account_id) VALUES ('https://tenant.auth.example/', '1', 'ann')`
      assert.strictEqual(yield* found(env, "https://tenant.auth.example"), "https://tenant.auth.example/")
      assert.strictEqual(yield* found(env, "https://tenant.auth.example/"), "https://tenant.auth.example/")
      assert.isUndefined(yield* found(env, "https://tenant.auth.example/other"))
      assert.isUndefined(yield* found(provider("https://id.example/main"), "https://id.example/main/"))
    }))

  it.effect("have a name for each directory of Entra ID, where users of all of them sign in", () =>
    Effect.gen(function*() {
      const directory = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
      const other = "https://login.microsoftonline.com/00000000-6c67-4c5b-b112-36a304b66dad/v2.0"
      for (const users of ["common", "organizations", "platform.example"]) {
        assert.strictEqual(
          yield* found(provider(`https://login.microsoftonline.com/${users}/v2.0`), directory),
          directory
        )
      }
      assert.isUndefined(yield* found(provider(directory), other))
      assert.isUndefined(yield* found(provider("https://login.example/common/v2.0"), directory))
    }))
})
