import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { appTabPath, appTabs } from "../../src/doors/parts/Paths.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { covered, tooWide } from "../support/Overflow.ts"
import { signIn } from "../support/SignedInPage.ts"
import { longTexts } from "./LongTexts.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

layer(Live, { excludeTestServices: true })("names that are long, or written from the right,", (it) => {
  it.effect.skipIf(!isAvailable)(
    "leave all columns of a table on the screen, and no page wider than its window",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const browser = yield* Browser
        const { admin, client, user } = yield* longTexts
        const pages = [
          [admin, "/users"],
          [admin, "/users/invitations"],
          [admin, `/users/${user.id}`],
          [admin, `/users/${user.id}/role?role=reviewer`],
          [admin, "/review?state=all"],
          [admin, `/review/${client.id}`],
          [admin, "/review/migration"],
          [user, "/account"],
          ...appTabs.map((tab) => [user, appTabPath(client.id, tab)] as const)
        ] as const
        const page = yield* browser.newPage()
        for (const [account, path] of pages) {
          yield* signIn(page, account)
          yield* Effect.promise(() => page.goto(`${url}${path}`))
          for (const width of [320, 641, 680, 720, 820, 1280]) {
            yield* Effect.promise(() => page.setViewportSize({ width, height: 900 }))
            assert.deepStrictEqual(yield* tooWide(page), [], `${path} at ${width}`)
          }
        }
      }),
    120_000
  )

  it.effect.skipIf(!isAvailable)(
    "lie under no button that copies them, where they are code",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const browser = yield* Browser
        const admin = yield* LiveServer.newAccount("admin")
        const { client, owner } = yield* LiveServer.newApp()
        const pages = [[admin, "/what-next"], [owner, `/settings/apps/${client.id}/credentials`], [
          admin,
          "/docs"
        ]] as const
        const page = yield* browser.newPage()
        for (const [account, path] of pages) {
          yield* signIn(page, account)
          yield* Effect.promise(() => page.goto(`${url}${path}`))
          for (const width of [320, 700, 1280]) {
            yield* Effect.promise(() => page.setViewportSize({ width, height: 900 }))
            assert.deepStrictEqual(yield* covered(page), [], `${path} at ${width}`)
          }
        }
      }),
    60_000
  )

  it.effect.skipIf(!isAvailable)(
    "begin at their own side in the navigation and in sentences",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const admin = yield* LiveServer.newAccount("admin")
        const reader = yield* (yield* Accounts).create({
          email: "rania@example.com",
          name: "\u0631\u0627\u0646\u064a\u0627",
          password: Redacted.make(LiveServer.password)
        })
        const page = yield* (yield* Browser).newPage()
        yield* signIn(page, reader)
        yield* Effect.promise(async () => {
          await page.goto(url)
          const direction = await page.getByRole("link", { name: reader.name }).evaluate((link) =>
            link.ownerDocument.defaultView?.getComputedStyle(link).direction
          )
          assert.strictEqual(direction, "rtl")
        })
        yield* signIn(page, admin)
        yield* Effect.promise(async () => {
          await page.goto(`${url}/users/${reader.id}/role?role=reviewer`)
          assert.strictEqual(await page.locator("h1 bdi").textContent(), reader.name)
        })
      })
  )
})
