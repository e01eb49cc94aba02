import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { appPath, migrationPath } from "../../src/doors/parts/Paths.ts"
import { ShiftedClock } from "../../src/testing/ShiftedClock.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as Live from "../support/LiveServer.ts"
import { openSignedIn } from "../support/SignedInPage.ts"
import { installedApp } from "./Scenario.ts"

const Journey = Layer.mergeAll(
  Live.layer({ SESSION_LIFETIME: "400 days" }),
  Browser.layer("--host-resolver-rules=MAP *.example ~NOTFOUND")
).pipe(Layer.provideMerge(ShiftedClock.layer))

const cure = "invalid_scope: scope is missing: add it to the authorization URL with the scopes that the app needs"

const save = (page: Page) => page.getByRole("button", { name: "Save scopes" }).click()
const confirm = (page: Page) => page.getByText("Save anyway: I know what may stop working.").click()
const takeBack = (page: Page) => page.getByRole("button", { name: "Take back the saved scopes" }).click()
const refusals = (page: Page) =>
  page.getByRole("row", { name: /Refused since scopes were saved/ }).getByRole("cell").innerText()
const chosen = (page: Page, scope: string) => page.locator(`[name='scope:${scope}']`).isChecked()

describe.skipIf(!isAvailable)("A legacy client", () => {
  layer(Journey, { excludeTestServices: true })("on its way to scopes", (it) => {
    it.effect(
      "in the right order: the URL first, then the scopes, and no installed app of openid-client notices",
      () =>
        Effect.gen(function*() {
          const clock = yield* ShiftedClock
          const app = yield* installedApp
          const admin = yield* Live.newAccount("admin")
          const other = yield* Live.newAccount()

          // The installed app uses its token from the old server, and a user opens the URL without scope.
          const first = yield* app.refresh(app.refreshToken)
          assert.match(first.refresh_token ?? "", /^slk_refresh_/)
          assert.strictEqual(yield* app.call(first.access_token), 200)
          yield* app.connect(other)

          // The access token expires; refreshing still works.
          yield* clock.forward("31 minutes")
          assert.strictEqual(yield* app.call(first.access_token), 401)
          const second = yield* app.refresh(first.refresh_token)
          assert.strictEqual(second.scope, "")
          assert.strictEqual(yield* app.call(second.access_token), 200)

          // The administrator writes to the owner, at most once a week.
          const board = yield* openSignedIn(admin, "/review/migration", { dark: true })
          const write = () => board.page.getByRole("link", { name: "Write to the owners…" }).click()
          const send = board.page.getByRole("button", { name: "Send one email" })
          yield* board.go(async () => {
            await board.page.getByRole("searchbox", { name: "Search" }).fill("no such app")
            await board.page.getByRole("button", { name: "Show" }).click()
            await board.page.getByRole("link", { name: "Show all that have yet to move" }).click()
            await write()
            await send.click()
            await board.page.getByText("One owner gets an email.").waitFor()
          })
          yield* clock.forward("6 days")
          yield* board.go(async () => {
            await write()
            await board.page.getByText("There is nobody to write to").waitFor()
            await board.page.goBack()
          })
          yield* clock.forward("1 day")
          yield* board.go(async () => {
            await write()
            await send.waitFor()
          })

          // The URL names scopes now; a month later, no URL without scopes is in use.
          const { go, page } = yield* openSignedIn(app.owner, migrationPath(app.id), { width: 400 })
          yield* go(() => page.getByText("URLs without scope are still in use.").waitFor())
          const scoped = yield* app.connect(yield* Live.newAccount(), "PROFILE_READ")
          assert.strictEqual(scoped.scope, "PROFILE_READ")
          yield* clock.forward("25 days")
          const third = yield* app.refresh(second.refresh_token)
          yield* go(async () => {
            await page.reload()
            await page.getByText("safe to save scopes", { exact: true }).waitFor()
            assert.strictEqual(await page.locator("[name=breakOldUrls]").count(), 0)
            // The scopes that requests have named are preselected.
            assert.deepStrictEqual([await chosen(page, "PROFILE_READ"), await chosen(page, "BOOKING_READ")], [
              true,
              false
            ])
            await save(page)
            await page.getByRole("status").waitFor()
            assert.strictEqual(await refusals(page), "0")
          })

          // An old URL is still opened: the user reads the remedy, and the owner sees the request.
          assert.strictEqual(yield* app.refusedUrl(other), cure)
          yield* clock.forward("6 days")
          yield* go(async () => {
            await page.reload()
            assert.match(await refusals(page), /^1, the last on /)
            await page.getByRole("heading", { name: "Undo the move" }).waitFor()
          })
          yield* clock.forward("1 day")
          yield* go(async () => {
            await takeBack(page)
            await page.getByRole("alert").getByText("is over").waitFor()
            assert.strictEqual(await page.getByRole("heading", { name: "Undo the move" }).count(), 0)
          })

          // The old token works until its user authorizes again: the new one has fewer scopes, and the old grant ends.
          const fourth = yield* app.refresh(third.refresh_token)
          assert.strictEqual(yield* app.call(fourth.access_token), 200)
          const again = yield* app.authorize(app.user, "PROFILE_READ")
          const fifth = yield* app.refresh(fourth.refresh_token)
          assert.strictEqual((yield* app.exchange(again)).scope, "PROFILE_READ")
          assert.match(yield* app.refusedToken(fifth.refresh_token), /^invalid_grant/)
          assert.strictEqual(yield* app.call(fifth.access_token), 401)
          const sql = yield* SqlClient.SqlClient
          const ended = yield* sql`SELECT 1 FROM audit_log WHERE client_id = ${app.id} AND action = 'grant.superseded'`
          assert.strictEqual(ended.length, 1)
        }),
      120_000
    )

    it.effect(
      "in the wrong order: its owner is warned, has to confirm, sees whom it breaks and takes it back",
      () =>
        Effect.gen(function*() {
          const clock = yield* ShiftedClock
          const app = yield* installedApp
          const other = yield* Live.newAccount()
          const first = yield* app.refresh(app.refreshToken)
          yield* app.connect(other)

          const { go, page } = yield* openSignedIn(app.owner, appPath(app.id), { width: 400 })
          yield* go(async () => {
            assert.strictEqual(await page.getByLabel("View your profile").count(), 0)
            await page.getByRole("link", { name: "Move it to scopes" }).click()
            await page.getByText("URLs without scope are still in use.").waitFor()
            await page.locator("[name='scope:PROFILE_READ']").check()
            await save(page)
            await page.getByRole("alert").waitFor()
          })
          yield* go(async () => {
            await confirm(page)
            await save(page)
            await page.getByRole("status").waitFor()
          })
          assert.strictEqual(yield* app.refusedUrl(other), cure)
          assert.strictEqual(yield* app.refusedUrl(yield* Live.newAccount()), cure)

          // Existing connections keep working, even after the access token has expired.
          yield* clock.forward("31 minutes")
          assert.strictEqual(yield* app.call(first.access_token), 401)
          const second = yield* app.refresh(first.refresh_token)
          assert.strictEqual(yield* app.call(second.access_token), 200)

          // The owner undoes the migration in the last hour in which it is possible.
          yield* clock.forward("167 hours")
          yield* go(async () => {
            await page.reload()
            assert.match(await refusals(page), /^2, the last on /)
            await takeBack(page)
            await page.getByText("Taken back: URLs without scope work again.").waitFor()
          })
          assert.strictEqual((yield* app.connect(other)).scope, "")

          // The scopes are saved again: refused requests are counted from zero, and after a week there is no undo.
          yield* go(async () => {
            await page.locator("[name='scope:BOOKING_READ']").check()
            await confirm(page)
            await save(page)
            await page.getByRole("status").waitFor()
            assert.strictEqual(await refusals(page), "0")
          })
          yield* clock.forward("7 days")
          yield* go(async () => {
            await page.reload()
            assert.strictEqual(await page.getByRole("button", { name: "Take back the saved scopes" }).count(), 0)
          })
          assert.strictEqual(yield* app.refusedUrl(other), cure)
          assert.strictEqual((yield* app.refresh(second.refresh_token)).scope, "")

          const admin = yield* Live.newAccount("admin")
          const board = yield* openSignedIn(admin, "/review/migration?state=migrated", { dark: true })
          yield* board.go(async () => {
            await board.page.getByText("Old Timer").first().waitFor()
            assert.isAbove(await board.page.locator("svg.trend path").count(), 0)
            await board.page.setViewportSize({ width: 400, height: 900 })
          })
        }),
      120_000
    )
  })
})
