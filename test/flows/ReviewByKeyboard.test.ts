import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../../src/core/clients/life/Registration.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { nameOf } from "../core/clients/Fixture.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"
import { accented, mirrored } from "../support/StrayTexts.ts"

const Live = Layer.merge(
  LiveServer.layer().pipe(Layer.provide(Layer.succeed(Languages, [english, accented, mirrored]))),
  Browser.layer()
)

/** Folder for pictures, to be looked at. */
const pictures = process.env["REVIEW_PICTURES"]

let registered = 0

layer(Live, { excludeTestServices: true, timeout: "5 minutes" })("At the review desk, in a browser", (it) => {
  const register = Effect.fnUntraced(function*(input: Partial<RegistrationInput> = {}) {
    const owner = yield* LiveServer.newAccount()
    const { client } = yield* Effect.orDie((yield* ClientRegistry).register(owner.id, {
      kind: "confidential",
      name: nameOf("Door Display", registered++),
      purpose: "Shows bookings on a wall display.",
      website: "https://buddy.example",
      redirectUris: ["https://buddy.example/callback"],
      scopes: ["PROFILE_READ", "BOOKING_READ"],
      ...input
    }))
    return client
  })

  /** Empties the queue, whatever other tests have left in it. */
  const emptyQueue = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM client_changes`
    yield* sql`UPDATE clients SET status = 'suspended' WHERE status = 'pending'`
  })

  /** A browser of a reviewer that counts the keys it presses and the pages it loads. */
  const reviewing = Effect.fnUntraced(
    function*(options: { width?: number; height?: number; javaScriptEnabled?: boolean; dark?: boolean } = {}) {
      const { url } = yield* LiveServer.LiveServer
      const page = yield* (yield* Browser).newPage(options)
      const reviewer = yield* LiveServer.newAccount("reviewer")
      yield* signIn(page, reviewer)
      const counted = { keys: 0, loads: 0 }
      page.on("domcontentloaded", () => counted.loads++)
      const press = (key: string) =>
        Effect.promise(async () => {
          counted.keys++
          await page.keyboard.press(key)
        })
      /** Presses a key that leads to another page. */
      const pressOn = (key: string) =>
        Effect.promise(async () => {
          counted.keys++
          const before = counted.loads
          await Promise.all([
            page.waitForEvent("domcontentloaded"),
            page.keyboard.press(key)
          ])
          assert.strictEqual(counted.loads, before + 1)
          await page.waitForLoadState()
        })
      const open = (path: string) => Effect.promise(() => page.goto(`${url}${path}`))
      return { counted, open, page, press, pressOn, reviewer, url }
    }
  )

  const heading = (page: Page) => Effect.promise(() => page.locator("h1").innerText())

  it.effect.skipIf(!isAvailable)(
    "fifty approvals take a hundred keys and fifty loads, and none leaves the keyboard",
    () =>
      Effect.gen(function*() {
        yield* emptyQueue
        const apps = yield* Effect.forEach(Array.from({ length: 50 }), () => register())
        const { counted, open, page, press, pressOn } = yield* reviewing()
        yield* open(`/review/${apps[0]?.id}`)
        Object.assign(counted, { keys: 0, loads: 0 })
        for (const [at, { name }] of apps.entries()) {
          assert.strictEqual(yield* heading(page), name)
          yield* press("a")
          yield* pressOn("Enter")
          assert.include(
            yield* Effect.promise(() => page.locator(".notice.done").innerText()),
            `“${name}” is approved.`,
            String(at)
          )
        }
        assert.deepStrictEqual(counted, { keys: 100, loads: 50 })
        assert.strictEqual(new URL(page.url()).pathname, "/review")
        const review = yield* ClientReview
        for (const { id } of apps) assert.strictEqual((yield* review.get(id)).status, "approved")

        // The last one is undone from there.
        yield* press("u")
        yield* pressOn("Enter")
        const last = apps.at(-1)
        assert.strictEqual(new URL(page.url()).pathname, `/review/${last?.id}`)
        assert.strictEqual((yield* review.get(last?.id ?? "")).status, "pending")
      })
  )

  it.effect.skipIf(!isAvailable)(
    "keys reach the other decisions, and one alone decides nothing",
    () =>
      Effect.gen(function*() {
        yield* emptyQueue
        const [one, two, three] = [yield* register(), yield* register(), yield* register()]
        const review = yield* ClientReview
        const { open, page, press, pressOn } = yield* reviewing()
        yield* open(`/review/${one.id}`)
        for (const key of ["a", "r", "Escape"]) yield* press(key)
        // In the choice of a reason letters choose.
        assert.strictEqual(yield* Effect.promise(() => page.locator(":focus").getAttribute("id")), "reject-template")
        yield* press("a")
        assert.strictEqual(yield* Effect.promise(() => page.locator(":focus").getAttribute("id")), "reject-template")
        yield* Effect.promise(() => page.locator("#reject-template").selectOption({ index: 1 }))
        yield* press("Tab")
        yield* press("j")
        assert.strictEqual(yield* Effect.promise(() => page.locator("#reject-reason").inputValue()), "j")
        yield* press("Tab")
        yield* pressOn("Enter")
        assert.match((yield* review.get(one.id)).rejectionReason ?? "", /^The purpose does not say[^]*j$/)
        assert.strictEqual(yield* heading(page), two.name)

        yield* pressOn("j")
        assert.strictEqual(yield* heading(page), three.name)
        yield* pressOn("k")
        assert.strictEqual(yield* heading(page), two.name)
        for (const [key, field] of [["q", "ask-template"], ["n", "without:"], ["c", "note-text"]] as const) {
          yield* Effect.promise(() => page.locator("h1").click())
          yield* press(key)
          const focused = page.locator(":focus")
          const name = yield* Effect.promise(() =>
            focused.evaluate((at) => at.getAttribute("id") ?? at.getAttribute("name"))
          )
          assert.isTrue(name?.startsWith(field), `${key}: ${name}`)
        }
        yield* Effect.promise(() => page.keyboard.type("Looks fine."))
        yield* press("Tab")
        yield* pressOn("Enter")
        assert.include(yield* Effect.promise(() => page.locator(".timeline").innerText()), "Looks fine.")
        yield* press("Control+a")
        assert.notStrictEqual(
          yield* Effect.promise(() => page.locator(":focus").innerText().catch(() => "")),
          "Approve"
        )

        // They can be turned off, and stay off.
        yield* press("?")
        yield* press("Space")
        yield* Effect.promise(() => page.reload())
        yield* Effect.promise(() => page.locator("h1").click())
        yield* press("j")
        yield* press("a")
        assert.strictEqual(yield* heading(page), two.name)
        assert.strictEqual(yield* Effect.promise(() => page.locator("button:focus").count()), 0)
        assert.strictEqual(yield* Effect.promise(() => page.locator("[aria-keyshortcuts]").count()), 0)
        assert.isTrue((yield* review.get(two.id)).isWaiting)
      })
  )

  it.effect.skipIf(!isAvailable)(
    "two reviewers race at one app: the second learns of the first, and may not undo it",
    () =>
      Effect.gen(function*() {
        yield* emptyQueue
        const [one, two] = [yield* register(), yield* register()]
        const [first, second] = [yield* reviewing(), yield* reviewing()]
        yield* first.open(`/review/${one.id}`)
        yield* second.open(`/review/${one.id}`)
        yield* first.press("a")
        yield* second.press("a")
        yield* first.pressOn("Enter")
        yield* second.pressOn("Enter")
        assert.strictEqual(yield* heading(first.page), two.name)
        assert.strictEqual(yield* heading(second.page), one.name)
        const text = yield* Effect.promise(() => second.page.locator("main").innerText())
        assert.include(text, "Meanwhile:")
        assert.include(text, "approved the app")
        assert.strictEqual(yield* Effect.promise(() => second.page.locator("[data-key=u]").count()), 0)
        // Who undoes loses to what has happened to the app meanwhile.
        const review = yield* ClientReview
        const { version } = yield* review.get(one.id)
        yield* Effect.orDie(review.suspend(second.reviewer.id, one.id, "Abuse.", version))
        yield* first.press("u")
        yield* first.pressOn("Enter")
        assert.strictEqual((yield* review.get(one.id)).status, "suspended")
        assert.include(yield* Effect.promise(() => first.page.locator("main").innerText()), "suspended the app")
      })
  )

  it.effect.skipIf(!isAvailable)(
    "without scripts the buttons do the same, and no key is shown",
    () =>
      Effect.gen(function*() {
        yield* emptyQueue
        const [one, two, three] = [yield* register(), yield* register(), yield* register()]
        const { open, page } = yield* reviewing({ javaScriptEnabled: false })
        yield* open(`/review/${one.id}`)
        assert.isFalse(yield* Effect.promise(() => page.locator(".keys-fold").isVisible()))
        const press = (steps: () => Promise<unknown>) =>
          Effect.promise(() => Promise.all([page.waitForNavigation(), steps()]))
        yield* press(() => page.click("text=Approve the app"))
        assert.strictEqual(yield* heading(page), two.name)
        yield* press(() => page.click("text=Undo"))
        assert.strictEqual(yield* heading(page), one.name)
        yield* press(() => page.click("text=Next:"))
        yield* Effect.promise(() => page.click("summary:has-text('Reject the app')"))
        yield* Effect.promise(() => page.locator("#reject-template").selectOption({ index: 2 }))
        yield* press(() => page.click("button:has-text('Reject the app')"))
        assert.strictEqual(yield* heading(page), three.name)
        assert.strictEqual((yield* (yield* ClientReview).get(two.id)).status, "rejected")
      })
  )

  it.effect.skipIf(!isAvailable)(
    "the consent page is shown as users will see it, does nothing, and is in no other frame",
    () =>
      Effect.gen(function*() {
        yield* emptyQueue
        const sql = yield* SqlClient.SqlClient
        const client = yield* register({
          scopes: ["PROFILE_READ", "ORG_MEMBERSHIP_WRITE"],
          redirectUris: ["https://buddy.example/callback", "https://collector.elsewhere.example/callback"]
        })
        const { open, page, url } = yield* reviewing()
        const requests: Array<string> = []
        page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
        yield* open(`/review/${client.id}`)
        const frame = page.frameLocator("iframe.preview")
        yield* Effect.promise(async () => {
          await page.locator("iframe.preview").scrollIntoViewIfNeeded()
          await frame.locator("h1").waitFor()
        })
        assert.include(
          yield* Effect.promise(() => frame.locator("article").innerText()),
          "Reaches your whole organization"
        )
        assert.notInclude(yield* Effect.promise(() => frame.locator("article").innerText()), "collector")
        requests.length = 0
        yield* Effect.promise(() => frame.locator("button[value=allow]").click())
        yield* Effect.promise(() => frame.locator("a:has-text('Report')").click())
        yield* Effect.promise(() => page.click(".hosts li:nth-child(2) > a"))
        yield* Effect.promise(() => frame.locator("text=collector.elsewhere.example").first().waitFor())
        assert.deepStrictEqual(requests.filter((one) => !one.startsWith("GET /assets")), [
          `GET /review/${client.id}/consent`
        ])
        assert.lengthOf(yield* sql`SELECT 1 FROM authorization_requests`, 0)

        const policies = yield* Effect.promise(async () => {
          const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
          const policyOf = async (path: string) =>
            (await fetch(`${url}${path}`, { headers: { cookie } })).headers.get("content-security-policy") ?? ""
          return {
            app: await policyOf(`/review/${client.id}`),
            preview: await policyOf(`/review/${client.id}/consent`)
          }
        })
        assert.include(policies.preview, "frame-ancestors 'self'")
        assert.include(policies.preview, "form-action 'none'")
        assert.include(policies.app, "frame-ancestors 'none'")
        assert.include(policies.app, "frame-src 'self'")
        const { hostname, port } = new URL(url)
        const elsewhere = hostname === "localhost" ? `http://127.0.0.1:${port}` : url
        yield* Effect.promise(async () => {
          await page.route(`${elsewhere}/other`, (route) =>
            route.fulfill({
              contentType: "text/html",
              body: `<iframe src="${url}/review/${client.id}/consent"></iframe>`
            }))
          await page.goto(`${elsewhere}/other`)
          await page.waitForLoadState("networkidle")
        })
        assert.strictEqual(yield* Effect.promise(() => page.frameLocator("iframe").locator("article").count()), 0)
      })
  )

  it.effect.skipIf(!isAvailable)(
    "is accessible and fits, in either direction, wide in the light, on the smallest phone in the dark",
    () =>
      Effect.gen(function*() {
        yield* emptyQueue
        const sql = yield* SqlClient.SqlClient
        const review = yield* ClientReview
        const registry = yield* ClientRegistry
        const risky = yield* register({
          name: "People Admin",
          tagline: "Keeps your staff list in step.",
          purpose: "Keeps the people of an organization in step with its staff list.",
          scopes: ["BOOKING_READ", "PROFILE_READ", "ORG_MEMBERSHIP_READ", "ORG_MEMBERSHIP_WRITE", "ORG_WEBHOOK_WRITE"],
          optionalScopes: ["BOOKING_READ"],
          redirectUris: ["https://buddy.example/callback", "https://collector.elsewhere.example/callback"]
        })
        const connected = yield* LiveServer.newConnection(["PROFILE_READ", "BOOKING_READ"])
        yield* Effect.orDie(registry.edit(connected.client.ownerId, connected.client.id, {
          name: nameOf("Round Robin Pro", registered++),
          scopes: ["PROFILE_READ", "BOOKING_READ", "ORG_MEMBERSHIP_WRITE"],
          redirectUris: ["https://buddy.example/callback", "https://pro.buddy.example/callback"],
          version: connected.client.version
        }))
        const legacy = (yield* LiveServer.newApp()).client
        yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${legacy.id}`
        const suspended = yield* LiveServer.newApp()
        yield* Effect.orDie(review.suspend(suspended.admin.id, suspended.client.id, "It reads what nobody allowed."))
        const after = yield* register()
        const cases = {
          new: risky.id,
          change: connected.client.id,
          legacy: legacy.id,
          suspended: suspended.client.id
        }
        for (
          const look of [
            { name: "wide", width: 1280 },
            { name: "smallest", width: 320, dark: true }
          ]
        ) {
          const { open, page, reviewer } = yield* reviewing(look)
          const decided = yield* register()
          yield* Effect.orDie(review.approve(reviewer.id, decided.id, decided.version))
          for (const [name, path] of Object.entries({ ...cases, decided: `${after.id}?from=${decided.id}` })) {
            yield* open(`/review/${path}`)
            yield* Effect.promise(async () => {
              const frame = page.locator("iframe.preview")
              await frame.scrollIntoViewIfNeeded()
              await page.frameLocator("iframe.preview").locator("h1").waitFor()
              await page.evaluate("scrollTo(0, 0)")
            })
            if (pictures !== undefined) {
              yield* Effect.promise(() =>
                page.screenshot({ path: `${pictures}/${name}-${look.name}.png`, fullPage: true })
              )
            }
            assert.deepStrictEqual(yield* violations(page), [], `${name} ${look.name}`)
          }
          for (const { tag } of [accented, mirrored]) {
            yield* open(`/review/${risky.id}?ui_locales=${tag}`)
            assert.isFalse(
              yield* Effect.promise(() => page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")),
              `${tag} ${look.name}`
            )
          }
        }
      })
  )
})
