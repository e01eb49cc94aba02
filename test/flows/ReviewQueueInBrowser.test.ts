import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../../src/core/clients/life/Registration.ts"
import { ReviewDesk } from "../../src/core/clients/review/ReviewDesk.ts"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { registration } from "../core/clients/Fixture.ts"
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

const inputs: ReadonlyArray<Partial<RegistrationInput>> = [
  {
    name: "People Admin",
    scopes: ["ORG_MEMBERSHIP_WRITE", "ORG_MEMBERSHIP_READ", "ORG_BOOKING_WRITE", "PROFILE_READ"]
  },
  { name: "Door Display of the Longest Corridor", scopes: ["BOOKING_WRITE", "BOOKING_READ"] },
  { name: "Pаypal Sync", redirectUris: ["https://collector.elsewhere.example/callback"] },
  { name: "Wall Clock", scopes: ["PROFILE_READ"] },
  { name: "مزامنة التقويم", scopes: ["TEAM_BOOKING_WRITE", "WEBHOOK_WRITE", "PROFILE_READ"] }
]

layer(Live, { excludeTestServices: true, timeout: "5 minutes" })("The list of the review, in a browser", (it) => {
  const register = Effect.fnUntraced(function*(count: number) {
    const registry = yield* ClientRegistry
    return yield* Effect.forEach(
      Array.from({ length: count }, (_, at) => at),
      Effect.fnUntraced(function*(at) {
        const owner = yield* LiveServer.newAccount()
        const { name = "", ...input } = inputs[at % inputs.length] ?? {}
        const numbered = at < inputs.length ? name : `${name} ${at}`
        const registered = { ...registration, ...input, name: numbered }
        return (yield* Effect.orDie(registry.register(owner.id, registered))).client
      })
    )
  })

  const look = Effect.fnUntraced(function*(page: Page, name: string) {
    assert.deepStrictEqual([name, ...yield* violations(page)], [name])
    const wide = yield* Effect.promise(() =>
      page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )
    assert.strictEqual(wide, 0, name)
    if (pictures === undefined) return
    yield* Effect.promise(() => page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true }))
  })

  it.effect.skipIf(!isAvailable)(
    "says what to do next, on every screen, for none, one and many apps",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const sql = yield* SqlClient.SqlClient
        const reviewer = yield* LiveServer.newAccount("reviewer")
        const looks = [
          { dark: false, width: 1280 },
          { dark: true, width: 1280 },
          { dark: false, width: 390 },
          { dark: true, width: 390 },
          { dark: false, width: 320 }
        ]
        const lookAll = Effect.fnUntraced(function*(name: string, path: string) {
          for (const { dark, width } of looks) {
            const page = yield* (yield* Browser).newPage({ dark, width })
            yield* signIn(page, reviewer)
            yield* Effect.promise(() => page.goto(`${url}${path}`))
            yield* look(page, `${name}-${width}${dark ? "-dark" : ""}`)
          }
        })
        yield* lookAll("queue-0", "/review")
        const [first] = yield* register(1)
        yield* lookAll("queue-1", "/review")
        yield* register(24)
        yield* sql`UPDATE clients SET submitted_at = submitted_at - interval '5 days' WHERE id = ${first?.id ?? ""}`
        yield* (yield* ReviewDesk).claim(reviewer.id, first?.id ?? "")
        yield* lookAll("queue-25", "/review")
        const page = yield* (yield* Browser).newPage({ width: 390 })
        yield* signIn(page, reviewer)
        yield* Effect.promise(() => page.goto(`${url}/review?ui_locales=qps`))
        yield* look(page, "queue-accented")
      }).pipe(Effect.scoped)
  )

  it.effect.skipIf(!isAvailable)(
    "rejects the apps that are chosen by keys, and without a script",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const apps = yield* register(3)
        for (const javaScriptEnabled of [true, false]) {
          const page = yield* (yield* Browser).newPage({ javaScriptEnabled })
          yield* signIn(page, yield* LiveServer.newAccount("reviewer"))
          const text = yield* Effect.promise(async () => {
            await page.goto(`${url}/review?search=${encodeURIComponent("Door Display")}`)
            if (javaScriptEnabled) {
              await page.keyboard.press("j")
              await page.keyboard.press("x")
            } else await page.locator("[data-row] input").first().check()
            await page.getByRole("button", { name: "Reject or claim the chosen apps…" }).click()
            await page.getByLabel("A usual reason").selectOption({ label: "The purpose says too little" })
            if (pictures !== undefined) await page.screenshot({ path: `${pictures}/chosen-${javaScriptEnabled}.png` })
            await page.getByRole("button", { name: "Reject one app" }).click()
            return page.locator("main").innerText()
          })
          assert.include(text, "One app was rejected.")
        }
        assert.strictEqual(apps.length, 3)
      }).pipe(Effect.scoped)
  )
})
