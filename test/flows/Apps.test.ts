import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import type { Role } from "../../src/core/accounts/people/Account.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { SecretVault } from "../../src/core/clients/secrets/SecretVault.ts"
import * as Clients from "../core/clients/Scenario.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

/** A signed-in browser. `go` takes steps on the page and then checks it for accessibility. */
const signIn = Effect.fnUntraced(function*(
  role: Role,
  options: { readonly dark?: boolean; readonly width?: number }
) {
  const { url } = yield* LiveServer.LiveServer
  const account = yield* LiveServer.newAccount(role)
  const page = yield* (yield* Browser).newPage(options)
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text())
  })
  const go = (steps: (page: Page) => Promise<unknown>) =>
    Effect.gen(function*() {
      yield* Effect.promise(() => steps(page))
      assert.deepStrictEqual(yield* violations(page), [])
    })
  yield* go(async (page) => {
    await page.goto(`${url}/sign-in`)
    await page.getByLabel("Email address").fill(account.email)
    await page.getByLabel("Password").fill(LiveServer.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("button", { name: "Sign out" }).waitFor()
  })
  return { account, go, complaints, url }
})

const fold = (page: Page, name: string) => page.locator("summary", { hasText: name }).click()
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true })
const tab = (page: Page, name: string) => page.locator("nav.tabs").getByRole("link", { name }).click()
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

layer(Live, { excludeTestServices: true })("in a browser", (it) => {
  it.effect.skipIf(!isAvailable)(
    "an app is registered, reviewed, changed, given a new secret and deleted",
    () =>
      Effect.gen(function*() {
        const registry = yield* ClientRegistry
        const review = yield* ClientReview
        const vault = yield* SecretVault
        const dev = yield* signIn("user", { width: 400 })
        const admin = yield* signIn("admin", { dark: true })

        yield* dev.go((page) => page.goto(`${dev.url}/settings/apps`))
        yield* dev.go((page) => page.getByRole("link", { name: "Register an app" }).click())
        yield* dev.go(async (page) => {
          await field(page, "Name").fill("Wall Display")
          await field(page, "Website").fill("https://wall.example")
          await button(page, "Next")
          await page.locator(".error").first().waitFor()
          assert.strictEqual(await field(page, "Name").inputValue(), "Wall Display")
        })
        yield* dev.go(async (page) => {
          await field(page, "Purpose").fill("Shows bookings on a wall.")
          await button(page, "Next")
          await field(page, "Redirect address 1").fill("http://wall.example/callback")
          await button(page, "Next")
          await page.getByText("Redirect address 1 must be https").waitFor()
        })
        yield* dev.go(async (page) => {
          await field(page, "Redirect address 1").fill("https://wall.example/callback")
          await button(page, "Next")
          await page.getByLabel("See your bookings").check()
          await button(page, "Register the app")
          assert.match((await page.locator(".secret").first().textContent()) ?? "", /^slk_secret_/)
        })
        const [registered] = yield* registry.listOwned(dev.account.id)
        const id = registered?.id ?? ""
        yield* dev.go(async (page) => {
          await page.getByRole("link", { name: "Go to the app" }).click()
          await page.getByText("This app has been waiting for review").waitFor()
        })

        yield* admin.go((page) => page.goto(`${admin.url}/review`))
        yield* admin.go((page) => page.getByRole("link", { name: "Wall Display" }).click())
        yield* admin.go(async (page) => {
          await fold(page, "Reject the app…")
          await button(page, "Reject the app")
          await page.getByText("must have 1 to 1,000 characters").waitFor()
        })
        yield* admin.go(async (page) => {
          await field(page, "Reason for the rejection").fill("Which wall?")
          await button(page, "Reject the app")
          await page.getByRole("status").waitFor()
        })
        yield* dev.go(async (page) => {
          await page.reload()
          await page.getByText("Which wall?").waitFor()
          await tab(page, "Settings")
          await field(page, "Purpose").fill("Shows bookings on the wall of our office.")
          await button(page, "Save and submit again")
          await page.getByText("Submitted again").waitFor()
        })
        yield* admin.go(async (page) => {
          await page.goto(`${admin.url}/review/${id}`)
          await button(page, "Approve the app")
          await page.getByText("“Wall Display” is approved. The owner gets an email.").waitFor()
        })

        yield* dev.go(async (page) => {
          await page.goto(`${dev.url}/settings/apps/${id}`)
          await tab(page, "Scopes")
          await page.getByLabel("Manage your bookings").check()
          await button(page, "Save")
          await tab(page, "Overview")
          await page.getByText("A change has been waiting for review").waitFor()
        })
        assert.deepStrictEqual((yield* review.get(id)).scopes, ["BOOKING_READ"])
        yield* admin.go(async (page) => {
          await page.goto(`${admin.url}/review/${id}`)
          await page.getByText("+ BOOKING_WRITE").or(page.locator("ins", { hasText: "BOOKING_WRITE" })).first()
            .waitFor()
          await fold(page, "Suspend the app…")
        })
        yield* admin.go(async (page) => {
          await button(page, "Approve the change")
          await page.getByRole("status").waitFor()
        })
        assert.deepStrictEqual((yield* review.get(id)).scopes, ["BOOKING_READ", "BOOKING_WRITE"])
        yield* admin.go(async (page) => {
          await page.goto(`${admin.url}/review/${id}`)
          await fold(page, "Suspend the app…")
          await field(page, "Reason for the suspension").fill("It shows too much.")
          await button(page, "Suspend the app")
          await button(page, "Resume the app")
          await page.getByText("Resumed. The app works again").waitFor()
        })

        yield* dev.go(async (page) => {
          await tab(page, "Credentials")
          await button(page, "Generate a second secret")
          assert.match((await page.locator(".secret").first().textContent()) ?? "", /^slk_secret_/)
          await page.getByRole("link", { name: "Go to the app" }).click()
        })
        yield* dev.go((page) => page.getByRole("link", { name: /^Revoke …/ }).first().click())
        yield* dev.go(async (page) => {
          await page.getByRole("button", { name: /^Revoke …/ }).click()
          await page.getByText("The client secret was revoked").waitFor()
        })
        assert.lengthOf(yield* vault.list(registered!.id), 1)

        yield* dev.go(async (page) => {
          await tab(page, "Settings")
          await page.getByLabel("Type the name of the app").fill("Wall")
          await button(page, "Delete the app")
          await page.getByText("Nothing was deleted").waitFor()
        })
        yield* dev.go(async (page) => {
          await page.getByLabel("Type the name of the app").fill("Wall Display")
          await button(page, "Delete the app")
          await page.getByText("The app Wall Display was deleted").waitFor()
        })
        assert.isEmpty(yield* registry.listOwned(dev.account.id))
        // Chromium also logs the answers 400 that the journey provokes; only violations of the page's policy matter.
        assert.deepStrictEqual([...dev.complaints, ...admin.complaints].filter((text) => text.includes("Policy")), [])
      }),
    180_000
  )

  it.effect.skipIf(!isAvailable)(
    "the second of two reviewers keeps the reason and sees who decided, and what was done is told once",
    () =>
      Effect.gen(function*() {
        const review = yield* ClientReview
        const { id: owner } = yield* LiveServer.newAccount()
        const app = (name: string) => Effect.map(Clients.newClient(owner, { name }), ({ client }) => client.id)
        const id = yield* app("Wanted by two")
        yield* app("Next in line")
        const first = yield* signIn("admin", {})
        const second = yield* signIn("admin", { width: 400, dark: true })
        for (const { go, url } of [first, second]) yield* go((page) => page.goto(`${url}/review/${id}`))

        yield* first.go(async (page) => {
          await button(page, "Approve the app")
          await page.getByText("“Wanted by two” is approved. The owner gets an email.").waitFor()
          await page.getByRole("heading", { name: "Next in line", level: 1 }).waitFor()
        })
        yield* second.go(async (page) => {
          await fold(page, "Reject the app…")
          await field(page, "Reason for the rejection").fill("The website is empty.")
          await button(page, "Reject the app")
          await page.getByText("Ada Admin · approved the app").first().waitFor()
          assert.strictEqual(await field(page, "The reason that you wrote").inputValue(), "The website is empty.")
        })
        assert.strictEqual((yield* review.get(id)).status, "approved")

        const notice = (page: Page) => page.getByText("is approved. The owner gets an email.").count()
        yield* first.go(async (page) => {
          await page.reload()
          assert.strictEqual(await notice(page), 0)
          await page.goto(`${first.url}/review/${id}?done=approve`)
          assert.strictEqual(await notice(page), 0)
          await page.getByRole("link", { name: "Next: Next in line" }).click()
          await fold(page, "Reject the app…")
          await field(page, "Reason for the rejection").fill("Too soon.")
          await button(page, "Reject the app")
          await button(page, "Undo")
          await page.getByText("Undone. The app is as it was before.").waitFor()
        })
      }),
    60_000
  )
})
