import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import type { RegistrationInput } from "../../src/core/clients/life/Registration.ts"
import { builtIn } from "../../src/domain/catalogue/Catalogue.ts"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { pseudoLanguage } from "../support/PseudoLanguage.ts"
import { signIn } from "../support/SignedInPage.ts"

const languages = [pseudoLanguage("en-XA"), pseudoLanguage("ar-XB")]

const Live = Layer.merge(
  LiveServer.layer().pipe(Layer.provide(Layer.succeed(Languages, [english, ...languages]))),
  Browser.layer()
)

const { names } = builtIn()

/** Apps as users may meet them, by what is hard about them; `scopes: null` is a legacy app, which gets everything. */
const cases: Readonly<Record<string, Partial<RegistrationInput> & { readonly legacy?: true }>> = {
  one: { scopes: ["PROFILE_READ"] },
  six: {
    tagline: "Keeps your staff list in step.",
    privacyUrl: "https://buddy.example/privacy",
    termsUrl: "https://buddy.example/terms",
    contact: "help@buddy.example",
    scopes: [
      "BOOKING_READ",
      "PROFILE_READ",
      "ORG_BOOKING_WRITE",
      "ORG_MEMBERSHIP_READ",
      "ORG_MEMBERSHIP_WRITE",
      "ORG_WEBHOOK_WRITE"
    ],
    optionalScopes: ["BOOKING_READ", "ORG_WEBHOOK_WRITE"],
    redirectUris: ["https://collector.elsewhere.example/callback"]
  },
  all: { scopes: names },
  seeing: { scopes: ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"], optionalScopes: ["BOOKING_WRITE"] },
  partly: {
    scopes: ["BOOKING_READ", "PROFILE_READ", "ORG_BOOKING_WRITE", "ORG_MEMBERSHIP_WRITE"],
    optionalScopes: ["BOOKING_READ", "ORG_BOOKING_WRITE", "ORG_MEMBERSHIP_WRITE"]
  },
  legacy: { legacy: true }
}

/** Folder for pictures of all cases, to be looked at. */
const pictures = process.env["CONSENT_PICTURES"]

layer(Live, { excludeTestServices: true, timeout: "4 minutes" })("The consent page", (it) => {
  /** An app, a user, and the address of its request. */
  const asking = Effect.fnUntraced(function*({ legacy, ...input }: (typeof cases)[string]) {
    const { url } = yield* LiveServer.LiveServer
    const { client } = yield* LiveServer.newApp(input)
    const user = yield* LiveServer.newAccount()
    const sql = yield* SqlClient.SqlClient
    if (legacy) {
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${client.id}`
    }
    const request = (scopes: ReadonlyArray<string> = legacy ? [] : client.scopes) =>
      `${url}/auth/oauth2/authorize?${new URLSearchParams({
        client_id: client.id,
        redirect_uri: client.redirectUris[0] ?? "",
        ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") })
      })}`
    return { client, user, request }
  })

  const isInView = (page: Page, selector: string) =>
    page.evaluate<boolean>(`{
      const { top, bottom, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      height > 0 && top >= 0 && bottom <= innerHeight;
    }`)

  /** Question where it is answered from, without the code that a redirect of it would take elsewhere. */
  const answer = (page: Page, button: string) =>
    Effect.promise(async () => {
      const answered = page.waitForRequest((request) => /[?&](code|error)=/.test(request.url()))
      await page.getByRole("button", { name: button, exact: true }).click()
      return new URL((await answered).url()).searchParams
    })

  for (const [name, input] of Object.entries(cases)) {
    it.effect.skipIf(!isAvailable)(
      `keeps Allow and what is most dangerous in view, has no faults, and is at most 30 kB (${name})`,
      () =>
        Effect.gen(function*() {
          const { request, user } = yield* asking(input)
          for (const [look, options] of Object.entries(looks)) {
            const page = yield* (yield* Browser).newPage(options)
            yield* signIn(page, user)
            const size = yield* Effect.promise(async () => {
              const response = await page.goto(request())
              return (await response?.body())?.length ?? 0
            })
            assert.isAtMost(size, 30_000)
            if (pictures !== undefined) {
              yield* Effect.promise(() => page.screenshot({ path: `${pictures}/${name}-${look}.png` }))
              yield* Effect.promise(() =>
                page.screenshot({ path: `${pictures}/${name}-${look}-full.png`, fullPage: true })
              )
            }
            for (const selector of ["[name=decision][value=allow]", ".decide .danger", "[name=decision][value=deny]"]) {
              assert.isTrue(yield* Effect.promise(() => isInView(page, selector)), `${look}: ${selector}`)
            }
            assert.isTrue(
              yield* Effect.promise(() => page.evaluate<boolean>("document.activeElement === document.body"))
            )
            assert.deepStrictEqual(yield* violations(page), [], look)
          }
        })
    )
  }

  it.effect.skipIf(!isAvailable)(
    "does nothing by the Enter key, gives what is ticked, and works without scripts",
    () =>
      Effect.gen(function*() {
        const { request, user } = yield* asking(cases["six"] ?? {})
        const page = yield* (yield* Browser).newPage({ javaScriptEnabled: false })
        yield* signIn(page, user)
        yield* Effect.promise(async () => {
          await page.goto(request())
          await page.getByLabel("30 days").focus()
          await page.keyboard.press("Enter")
          assert.strictEqual(page.url(), request())
          assert.isTrue(await page.locator("[name='scope:BOOKING_READ']").isChecked())
          assert.isFalse(await page.locator("[name='scope:ORG_WEBHOOK_WRITE']").isChecked())
          await page.getByLabel("30 days").check()
        })
        assert.isTrue((yield* answer(page, "Allow")).has("code"))
        const sql = yield* SqlClient.SqlClient
        const [code] = yield* sql<{ days: number; declined: ReadonlyArray<string> }>`
          SELECT round(extract(epoch FROM grant_expires_at - created_at) / 86400)::int AS days, declined
          FROM codes WHERE user_id = ${user.id}`
        assert.deepStrictEqual(code, { days: 30, declined: ["ORG_WEBHOOK_WRITE"] })
      })
  )

  it.effect.skipIf(!isAvailable)(
    "lets an app only see in one click, and says in its title that nothing was ticked",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { request, user } = yield* asking(cases["seeing"] ?? {})
        const page = yield* (yield* Browser).newPage()
        yield* signIn(page, user)
        yield* Effect.promise(() => page.goto(request(["BOOKING_WRITE"])))
        yield* Effect.promise(async () => {
          await page.locator("[name='scope:BOOKING_WRITE']").uncheck()
          await page.getByRole("button", { name: "Allow", exact: true }).click()
          await page.waitForURL(/decision$/)
          assert.match(await page.title(), /^1 error/)
          assert.strictEqual(
            await page.evaluate<string>("document.activeElement.lastChild.textContent"),
            "Tick at least one thing that the app may do, or deny."
          )
        })
        yield* Effect.promise(() => page.goto(request()))
        assert.isTrue((yield* answer(page, "Only let it see")).has("code"))
        const codes = yield* sql<{ scopes: ReadonlyArray<string> }>`SELECT scopes FROM codes WHERE user_id = ${user.id}`
        assert.deepStrictEqual(codes, [{ scopes: ["BOOKING_READ", "PROFILE_READ"] }])
      })
  )

  it.effect.skipIf(!isAvailable)(
    "keeps Deny and what is most dangerous in view where others decide for the organization",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        for (const name of ["six", "all", "legacy", "partly"]) {
          const { request, user } = yield* asking(cases[name] ?? {})
          yield* sql`UPDATE accounts SET organization_name = 'Acme', decides_for_organization = false
            WHERE id = ${user.id}`
          for (const [look, options] of Object.entries(looks)) {
            const page = yield* (yield* Browser).newPage({ ...options, javaScriptEnabled: false })
            yield* signIn(page, user)
            yield* Effect.promise(() => page.goto(request()))
            if (pictures !== undefined) {
              const path = `${pictures}/withheld-${name}-${look}`
              yield* Effect.promise(() => page.screenshot({ path: `${path}.png` }))
              yield* Effect.promise(() => page.screenshot({ path: `${path}-full.png`, fullPage: true }))
            }
            const allow = name === "partly" ? ["[name=decision][value=allow]"] : []
            for (const selector of [".decide .danger", "[name=decision][value=deny]", ...allow]) {
              assert.isTrue(yield* Effect.promise(() => isInView(page, selector)), `${name} ${look}: ${selector}`)
            }
            const allows = yield* Effect.promise(() => page.locator("[name=decision][value=allow]").count())
            assert.strictEqual(allows, allow.length)
          }
          const page = yield* (yield* Browser).newPage()
          yield* signIn(page, user)
          yield* Effect.promise(() => page.goto(request()))
          assert.deepStrictEqual(yield* violations(page), [], name)
        }
      })
  )

  it.effect.skipIf(!isAvailable)(
    "asks a second time about what is new alone, and may keep things as they are",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { client, request, user } = yield* asking(cases["seeing"] ?? {})
        yield* sql`INSERT INTO grants
          (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
          VALUES (${crypto.randomUUID()}, ''::bytea, ${client.id}, ${user.id}, ${["BOOKING_READ", "PROFILE_READ"]},
            now(), now(), now() + interval '1 year')`
        const page = yield* (yield* Browser).newPage({ width: 390, height: 844 })
        yield* signIn(page, user)
        yield* Effect.promise(async () => {
          await page.goto(request())
          assert.deepStrictEqual(await page.locator(".rights summary strong").allTextContents(), ["Bookings"])
          assert.isFalse(await page.getByText("See your profile").isVisible())
          await page.getByText("Already allowed: 2").click()
          assert.isTrue(await page.getByText("See your profile").isVisible())
          if (pictures !== undefined) await page.screenshot({ path: `${pictures}/more.png`, fullPage: true })
          assert.isTrue(await page.getByRole("button", { name: "Allow 1 more" }).isVisible())
          // All that is new changes something, so that to let it only see is to keep it as it is.
          assert.strictEqual(await page.getByRole("button", { name: "Only let it see" }).count(), 0)
        })
        assert.deepStrictEqual(yield* violations(page), [])
        assert.isTrue((yield* answer(page, "Keep as it is")).has("code"))
        const codes = yield* sql<{ scopes: ReadonlyArray<string>; declined: ReadonlyArray<string> }>`
          SELECT scopes, declined FROM codes WHERE user_id = ${user.id}`
        assert.deepStrictEqual(codes, [{ scopes: ["BOOKING_READ", "PROFILE_READ"], declined: ["BOOKING_WRITE"] }])
      })
  )

  it.effect.skipIf(!isAvailable)(
    "tells read from change, Allow from Deny, and ticked from unticked, where the colours are the user's",
    () =>
      Effect.gen(function*() {
        const { request, user } = yield* asking(cases["six"] ?? {})
        const page = yield* (yield* Browser).newPage()
        yield* signIn(page, user)
        const [rows, buttons] = yield* Effect.promise(async () => {
          await page.emulateMedia({ forcedColors: "active" })
          await page.goto(request())
          if (pictures !== undefined) await page.screenshot({ path: `${pictures}/forced.png`, fullPage: true })
          return page.evaluate<[ReadonlyArray<string>, ReadonlyArray<string>]>(`[
            [".right.reads", ".right.writes"].map((one) => getComputedStyle(document.querySelector(one)))
              .map(({ borderInlineStartStyle, borderInlineStartWidth }) => borderInlineStartStyle + borderInlineStartWidth),
            ["deny", "allow"].map((one) => getComputedStyle(document.querySelector("[name=decision][value=" + one + "]")))
              .map(({ backgroundColor, borderWidth }) => backgroundColor + borderWidth)
          ]`)
        })
        assert.strictEqual(new Set(rows).size, 2)
        assert.strictEqual(new Set(buttons).size, 2)
        const box = page.locator("[name='scope:ORG_WEBHOOK_WRITE']")
        const boxes = yield* Effect.promise(async () => {
          const seen: Array<string> = []
          for (const ticked of [true, false]) {
            await box.setChecked(ticked)
            await box.blur()
            await page.mouse.move(0, 0)
            seen.push((await box.screenshot({ animations: "disabled" })).toString("base64"))
          }
          return seen
        })
        assert.strictEqual(new Set(boxes).size, 2)
      })
  )

  it.effect.skipIf(!isAvailable)(
    "fits a window of 320 px in a language that takes half as much room again",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { request, user } = yield* asking(cases["six"] ?? {})
        for (const { tag } of languages) {
          yield* sql`UPDATE accounts SET locale = ${tag} WHERE id = ${user.id}`
          const page = yield* (yield* Browser).newPage({ width: 320, height: 700 })
          yield* signIn(page, user)
          yield* Effect.promise(() => page.goto(request()))
          if (pictures !== undefined) {
            yield* Effect.promise(() => page.screenshot({ path: `${pictures}/pseudo-${tag}.png` }))
          }
          assert.deepStrictEqual(yield* violations(page), [], tag)
          assert.isTrue(yield* Effect.promise(() => isInView(page, "[name=decision][value=allow]")), tag)
        }
      })
  )
})

const looks = {
  "wide-dark": { width: 1280, height: 844, dark: true },
  phone: { width: 390, height: 844 },
  "phone-dark": { width: 390, height: 844, dark: true },
  narrow: { width: 320, height: 700 },
  wide: { width: 1280, height: 844 }
}
