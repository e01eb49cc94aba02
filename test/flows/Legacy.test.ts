import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as oidc from "openid-client"
import { LegacyImport } from "../../src/legacy/LegacyImport.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as Live from "../support/LiveServer.ts"
import { decide } from "../support/User.ts"

const Journey = Layer.mergeAll(Live.layer(), Browser.layer("--host-resolver-rules=MAP *.example ~NOTFOUND"))

const redirectUri = "https://old.example/callback"
const secret = "old+secret/of%20before=="

/** An app of the server before, imported with the token of a user who has it installed, and openid-client in it. */
const imported = Effect.gen(function*() {
  const { url } = yield* Live.LiveServer
  const owner = yield* Live.newAccount()
  const user = yield* Live.newAccount()
  const id = `old.app:${crypto.randomUUID()}`
  const refreshToken = `rt/${crypto.randomUUID()}+==`
  const record = {
    client_id: id,
    owner: owner.email,
    name: "Old Timer",
    redirect_uris: [redirectUri],
    secrets: [{ secret, algorithm: "clear" }],
    refresh_tokens: [{ token: refreshToken, algorithm: "clear", user: user.email }]
  }
  yield* (yield* LegacyImport).apply(JSON.stringify(record), "cli")
  const config = yield* Effect.promise(() =>
    oidc.discovery(new URL(url), id, secret, oidc.ClientSecretBasic(), {
      algorithm: "oauth2",
      execute: [oidc.allowInsecureRequests]
    })
  )
  const authorizationUrl = (scope?: string) =>
    oidc.buildAuthorizationUrl(config, { redirect_uri: redirectUri, ...(scope === undefined ? {} : { scope }) })
  return { url, owner, user, id, refreshToken, config, authorizationUrl }
})

const refused = (attempt: () => Promise<unknown>) =>
  Effect.promise(() =>
    attempt().then(
      () => "not refused",
      (error: unknown) =>
        error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError
          ? error.error
          : String(error)
    )
  )

describe.skipIf(!isAvailable)("A legacy client", () => {
  layer(Journey, { excludeTestServices: true })("on its way to scopes", (it) => {
    it.effect(
      "keeps installed apps of openid-client working while its owner clicks through the migration",
      () =>
        Effect.gen(function*() {
          const { authorizationUrl, config, id, owner, refreshToken, url, user } = yield* imported
          const admin = yield* Live.newAccount("admin")

          // The installed app comes with the token of the server before.
          const first = yield* Effect.promise(() => oidc.refreshTokenGrant(config, refreshToken))
          assert.match(first.refresh_token ?? "", /^slk_refresh_/)
          // Somebody still opens the URL without scope, somebody already the new one.
          const other = yield* Live.newAccount()
          const unscoped = yield* decide(other, authorizationUrl(), "allow")
          yield* Effect.promise(() => oidc.authorizationCodeGrant(config, unscoped))
          yield* decide(yield* Live.newAccount(), authorizationUrl("PROFILE_READ"), "allow")

          const page = yield* (yield* Browser).newPage({ width: 400 })
          const go = (steps: () => Promise<unknown>) =>
            Effect.gen(function*() {
              yield* Effect.promise(steps)
              assert.deepStrictEqual(yield* violations(page), [])
            })
          yield* go(async () => {
            await page.goto(`${url}/settings/apps/${encodeURIComponent(id)}`)
            await page.fill("[name=email]", owner.email)
            await page.fill("[name=password]", Live.password)
            await page.click("main button")
            await page.getByRole("link", { name: "Move it to scopes" }).waitFor()
            assert.strictEqual(await page.getByLabel("View your profile").count(), 0)
          })
          yield* go(async () => {
            await page.getByRole("link", { name: "Move it to scopes" }).click()
            await page.getByText("URLs without scope are still in use.").waitFor()
            // What requests have named is chosen already.
            assert.isTrue(await page.locator("[name='scope:PROFILE_READ']").isChecked())
            assert.isFalse(await page.locator("[name='scope:BOOKING_READ']").isChecked())
          })
          yield* go(async () => {
            await page.getByRole("button", { name: "Save scopes" }).click()
            await page.getByRole("alert").waitFor()
          })
          yield* go(async () => {
            await page.getByText("I know that URLs without scope will stop working.").click()
            await page.getByRole("button", { name: "Save scopes" }).click()
            await page.getByRole("status").waitFor()
            await page.getByRole("heading", { name: "Take it back" }).waitFor()
          })

          const callback = yield* decide(other, authorizationUrl(), "allow")
          assert.strictEqual(yield* refused(() => oidc.authorizationCodeGrant(config, callback)), "invalid_scope")
          const second = yield* Effect.promise(() => oidc.refreshTokenGrant(config, first.refresh_token!))
          assert.strictEqual(second.scope, "")

          yield* go(async () => {
            await page.getByRole("button", { name: "Take saved scopes back" }).click()
            await page.getByText("Taken back: URLs without scope work again.").waitFor()
          })
          assert.isTrue((yield* decide(other, authorizationUrl(), "allow")).searchParams.has("code"))

          yield* go(async () => {
            await page.locator("[name='scope:BOOKING_READ']").check()
            await page.getByText("I know that URLs without scope will stop working.").click()
            await page.getByRole("button", { name: "Save scopes" }).click()
            await page.getByRole("status").waitFor()
          })
          // The user authorizes again: the new token is narrow, and the old grant ends.
          const again = yield* decide(user, authorizationUrl("PROFILE_READ"), "allow")
          const third = yield* Effect.promise(() => oidc.refreshTokenGrant(config, second.refresh_token!))
          const narrow = yield* Effect.promise(() => oidc.authorizationCodeGrant(config, again))
          assert.strictEqual(narrow.scope, "PROFILE_READ")
          assert.strictEqual(
            yield* refused(() => oidc.refreshTokenGrant(config, third.refresh_token!)),
            "invalid_grant"
          )

          const board = yield* (yield* Browser).newPage({ dark: true })
          yield* Effect.promise(async () => {
            await board.goto(`${url}/review/migration?state=migrated`)
            await board.fill("[name=email]", admin.email)
            await board.fill("[name=password]", Live.password)
            await board.click("main button")
            await board.getByText("Old Timer").waitFor()
            assert.strictEqual(await board.locator("svg.trend path").count(), 2)
          })
          assert.deepStrictEqual(yield* violations(board), [])
          yield* Effect.promise(() => board.setViewportSize({ width: 400, height: 900 }))
          assert.deepStrictEqual(yield* violations(board), [])
          const sql = yield* SqlClient.SqlClient
          const superseded = yield* sql`SELECT 1 FROM audit_log WHERE client_id = ${id} AND action = 'grant.superseded'`
          assert.strictEqual(superseded.length, 1)
        }),
      120_000
    )
  })
})
