import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SetupLinks } from "../../src/core/accounts/local/SetupLinks.ts"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

layer(Live, { excludeTestServices: true })("in a browser", (it) => {
  it.effect.skipIf(!isAvailable)(
    "a new server is set up, and its administrator makes an API key and signs in again",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const page = yield* (yield* Browser).newPage({ width: 400 })
        const link = Redacted.value(Option.getOrThrow(yield* (yield* SetupLinks).mint))
        const check = Effect.fnUntraced(function*() {
          assert.deepStrictEqual(yield* violations(page), [])
        })

        yield* Effect.promise(async () => {
          await page.goto(link)
          await page.getByLabel("Your name").fill("Root")
          await page.getByLabel("Email address").fill("root@example.test")
          await page.getByLabel("Password", { exact: true }).fill(LiveServer.password)
          await page.getByLabel("The same password again").fill("something else here")
          await page.getByRole("button", { name: "Create the administrator" }).click()
        })
        yield* check()
        yield* Effect.promise(async () => {
          await page.getByLabel("Password", { exact: true }).fill(LiveServer.password)
          await page.getByLabel("The same password again").fill(LiveServer.password)
          await page.getByRole("button", { name: "Create the administrator" }).click()
          await page.waitForURL(`${url}/what-next`)
        })
        yield* check()

        const key = yield* Effect.promise(async () => {
          await page.goto(`${url}/account`)
          await page.getByLabel("What the new key is for").fill("deploy")
          await page.getByRole("button", { name: "Create an API key" }).click()
          return (await page.locator(".secret").textContent()) ?? ""
        })
        assert.isTrue(Option.isSome(yield* (yield* ApiKeys).verify(key)))
        yield* check()

        yield* Effect.promise(async () => {
          await page.goto(`${url}/account`)
          await page.getByRole("link", { name: "Revoke deploy" }).click()
          await page.getByRole("button", { name: "Revoke the key" }).click()
          await page.getByRole("status").waitFor()
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.waitForURL(`${url}/sign-in`)
        })
        assert.isTrue(Option.isNone(yield* (yield* ApiKeys).verify(key)))
        yield* check()

        yield* Effect.promise(async () => {
          await page.goto(`${url}/account`)
          await page.getByLabel("Email address").fill("root@example.test")
          await page.getByLabel("Password").fill("not this password")
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("alert").waitFor()
        })
        yield* check()
        yield* Effect.promise(async () => {
          await page.getByLabel("Password").fill(LiveServer.password)
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.waitForURL(`${url}/account`)
        })
      }),
    120_000
  )

  it.effect.skipIf(!isAvailable)(
    "a page offers its times in the time zone of the browser, until the user has chosen",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const user = yield* LiveServer.newAccount()
        yield* (yield* ApiKeys).create(user.id, "deploy", user.id)
        const open = Effect.fnUntraced(function*(timeZone: string, javaScriptEnabled = true) {
          const page = yield* (yield* Browser).newPage({ timeZone, javaScriptEnabled, width: 400 })
          yield* signIn(page, user)
          yield* Effect.promise(() => page.goto(`${url}/account?from=here`))
          return {
            page,
            offer: page.getByRole("button", { name: "Show them in" }),
            time: page.locator("#api-keys time").first()
          }
        })
        const berlin = yield* open("Europe/Berlin")
        yield* Effect.promise(async () => {
          assert.match((await berlin.time.textContent()) ?? "", / UTC$/)
          await berlin.offer.waitFor()
        })
        assert.deepStrictEqual(yield* violations(berlin.page), [])
        yield* Effect.promise(async () => {
          await berlin.page.getByRole("button", { name: "Keep UTC" }).click()
          await berlin.page.reload({ waitUntil: "load" })
          assert.isFalse(await berlin.offer.isVisible())
        })
        const without = yield* open("Asia/Tokyo", false)
        assert.isFalse(yield* Effect.promise(() => without.offer.isVisible()))
        const tokyo = yield* open("Asia/Tokyo")
        yield* Effect.promise(async () => {
          await tokyo.page.getByRole("button", { name: "Show them in Asia/Tokyo" }).click()
          await tokyo.page.locator("#api-keys time", { hasText: "UTC+9" }).first().waitFor()
          assert.strictEqual(tokyo.page.url(), `${url}/account?from=here`)
          assert.isFalse(await tokyo.offer.isVisible())
        })
      }),
    120_000
  )

  it.effect.skipIf(!isAvailable)(
    "an app that has consent already gets its code right after the sign-in",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const page = yield* (yield* Browser).newPage()
        const user = yield* LiveServer.newAccount()
        const { client } = yield* LiveServer.newApp()
        const sql = yield* SqlClient.SqlClient
        const now = yield* DateTime.now
        yield* sql`INSERT INTO grants ${
          sql.insert({
            id: crypto.randomUUID(),
            handleDigest: Buffer.alloc(32),
            clientId: client.id,
            userId: user.id,
            scopes: ["PROFILE_READ"],
            rotatedAt: DateTime.toDateUtc(now),
            createdAt: DateTime.toDateUtc(now),
            expiresAt: DateTime.toDateUtc(DateTime.add(now, { hours: 1 }))
          })
        }`
        const landed = yield* Effect.promise(async () => {
          const query = new URLSearchParams({
            client_id: client.id,
            redirect_uri: "https://buddy.example/callback",
            scope: "PROFILE_READ",
            state: "a \"state\" & more"
          })
          // No server answers at that address; it is enough that the browser requests it.
          const arrival = page.waitForRequest("https://buddy.example/**", { timeout: 30_000 })
          await page.goto(`${url}/auth/oauth2/authorize?${query}`)
          await page.getByLabel("Email address").fill(user.email)
          await page.getByLabel("Password").fill(LiveServer.password)
          await page.getByRole("button", { name: "Sign in" }).click()
          return new URL((await arrival).url())
        })
        assert.match(landed.searchParams.get("code") ?? "", /^slk_code_/)
        assert.strictEqual(landed.searchParams.get("state"), "a \"state\" & more")
      }),
    120_000
  )
})
