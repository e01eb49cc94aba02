import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { Connections } from "../../src/core/consent/Connections.ts"
import { usual } from "../../src/doors/consent/ConnectionsAddress.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import { connectApps, nameOf, useApps } from "../support/ConnectedApps.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { tooWide } from "../support/Overflow.ts"
import { signIn } from "../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

/** A user with so many connected apps, and the list of them in a browser. */
const connected = Effect.fnUntraced(function*(
  count: number,
  look: Parameters<Browser["Service"]["newPage"]>[0] = {}
) {
  const { url } = yield* LiveServer.LiveServer
  const user = yield* LiveServer.newAccount()
  const ids = yield* connectApps(user.id, count)
  yield* useApps(user.id)
  const page = yield* open(user, look)
  return { ids, page, url, user }
})

const open = Effect.fnUntraced(function*(user: Account, look: Parameters<Browser["Service"]["newPage"]>[0]) {
  const { url } = yield* LiveServer.LiveServer
  const page = yield* (yield* Browser).newPage(look)
  yield* signIn(page, user)
  yield* Effect.promise(() => page.goto(`${url}/connections`))
  return page
})

const rows = (page: Page) => page.locator("table.apps tbody tr")

/** What a browser evaluates, for pages have no scripts of ours. */
const focused = (page: Page) => page.evaluate<string>("document.activeElement.className")

layer(Live, { excludeTestServices: true, timeout: "2 minutes" })("Connected apps", (it) => {
  it.effect.skipIf(!isAvailable)(
    "end one of 92 with four letters and two clicks, without scripts",
    () =>
      Effect.gen(function*() {
        const { page } = yield* connected(92, { javaScriptEnabled: false })
        const clicks = { count: 0 }
        const click = async (role: "link" | "button", name: string) => {
          clicks.count += 1
          await page.getByRole(role, { name }).click()
        }
        const name = nameOf(33)
        yield* Effect.promise(async () => {
          await page.getByRole("searchbox").focus()
          await page.keyboard.type(name.slice(-4))
          await page.keyboard.press("Enter")
          await click("link", `End access of ${name}`)
          await click("button", "End access")
          await page.getByRole("status").waitFor()
          assert.strictEqual(clicks.count, 2)
          assert.include(await page.getByRole("status").innerText(), `The access of ${name} has ended.`)
          assert.match(page.url(), new RegExp(`[?]search=${name.slice(-4)}$`))
          assert.match(await focused(page), /notice/)
          assert.strictEqual(await page.getByRole("link", { name, exact: true }).count(), 0)
        })
      })
  )

  it.effect.skipIf(!isAvailable)(
    "end several by the keyboard, on the second page, and stay there",
    () =>
      Effect.gen(function*() {
        const { page, url, user } = yield* connected(80)
        yield* Effect.promise(async () => {
          await page.goto(`${url}/connections?sort=name&page=2`)
          const names = await rows(page).locator("th a").allInnerTexts()
          for (const name of names.slice(0, 2)) {
            await page.getByRole("checkbox", { name: `Choose ${name}` }).focus()
            await page.keyboard.press("Space")
          }
          await page.getByRole("button", { name: "End access of the chosen apps" }).focus()
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: "End the access of these 2 apps?" }).waitFor()
          await page.getByRole("button", { name: "End access of 2 apps" }).focus()
          await page.keyboard.press("Enter")
          await page.getByRole("status").waitFor()
          assert.include(await page.getByRole("status").innerText(), `${names[0]} and ${names[1]} has ended`)
          assert.strictEqual(page.url(), `${url}/connections?sort=name&page=2`)
          assert.deepStrictEqual(await rows(page).locator("th a").allInnerTexts(), names.slice(2))
        })
        const { total } = yield* (yield* Connections).list(user.id, usual)
        assert.strictEqual(total, 78)
      })
  )

  it.effect.skipIf(!isAvailable)(
    "are one line of 56 pixels each, and 25 of them at most 30 kB",
    () =>
      Effect.gen(function*() {
        const { page, user } = yield* connected(25)
        const heights = yield* Effect.promise(() =>
          page.evaluate<ReadonlyArray<number>>(
            `[...document.querySelectorAll("table.apps tbody tr")].map((row) => Math.round(row.getBoundingClientRect().height))`
          )
        )
        assert.deepStrictEqual([...new Set(heights)], [56])
        assert.isAtMost(Buffer.byteLength(yield* Effect.promise(() => page.content())), 30_000)
        const phone = yield* open(user, { width: 390 })
        assert.isAtMost(
          yield* Effect.promise(() => phone.evaluate<number>("document.documentElement.scrollHeight")),
          4_000
        )
      })
  )

  it.effect.each(isAvailable ? [0, 1, 80, 1000] : [])(
    "of a user with %s have no fault of accessibility and fit any window",
    (count) =>
      Effect.gen(function*() {
        const { ids, page, url, user } = yield* connected(count)
        const dark = yield* open(user, { dark: true, width: 320 })
        const paths = [
          "/connections",
          ...ids.length === 0 ? [] : [`/connections/apps/${ids[0]}`, `/connections/disconnect?client_id=${ids[0]}`],
          ...ids.length < 80 ? [] : [
            "/connections/unused",
            "/connections?show=changes&page=2",
            "/connections/disconnect?all=on&search=owl"
          ]
        ]
        for (const path of paths) {
          for (const one of [page, dark]) {
            yield* Effect.promise(() => one.goto(url + path))
            assert.deepStrictEqual([path, ...(yield* violations(one)), ...(yield* tooWide(one))], [path])
          }
        }
      }),
    120_000
  )
})
