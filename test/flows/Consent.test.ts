import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { networkInterfaces } from "node:os"
import type { Page } from "playwright-core"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import type { Client } from "../../src/core/clients/records/Client.ts"
import { Grants } from "../../src/core/grants/Grants.ts"
import { challenge } from "../core/consent/Fixture.ts"
import { grant } from "../doors/consent/Scenario.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as Live from "../support/LiveServer.ts"

const Journey = Layer.mergeAll(
  Live.layer(),
  // The apps' names do not resolve, so that no request leaves this machine.
  Browser.layer("--host-resolver-rules=MAP *.example ~NOTFOUND")
)

const authorizeUrl = (client: Client, redirectUri: string, more: Record<string, string> = {}) =>
  Effect.map(Live.LiveServer, ({ url }) =>
    `${url}/auth/oauth2/authorize?${new URLSearchParams({
      client_id: client.id,
      redirect_uri: redirectUri,
      scope: client.scopes.join(" "),
      state: "a b+c",
      code_challenge: challenge,
      ...more
    })}`)

/** A browser at the consent page, signed in on the way there. */
const consentPage = Effect.fnUntraced(function*(
  url: string,
  options: { readonly user?: Account; readonly dark?: boolean; readonly width?: number } = {}
) {
  const page = yield* (yield* Browser).newPage(options)
  const user = options.user ?? (yield* Live.newAccount())
  yield* Effect.promise(async () => {
    await page.goto(url)
    await signIn(page, user)
    await page.waitForSelector(".consent")
  })
  return { page, user }
})

const signIn = async (page: Page, user: Account) => {
  await page.fill("[name=email]", user.email)
  await page.fill("[name=password]", Live.password)
  await page.click("main button")
}

/** Parameters of the address that an action sends the browser to, even if no server answers there. */
const sentTo = (page: Page, start: string, act: () => Promise<unknown>) =>
  Effect.promise(async () => {
    const request = page.waitForRequest((request) => request.url().startsWith(start), { timeout: 60_000 })
    await act()
    return new URL((await request).url()).searchParams
  })

const allow = (page: Page) => () => page.click("button[value=allow]", { noWaitAfter: true })

/** A program on this computer that receives the code and then redirects the browser to its own page. */
const program = Effect.fnUntraced(function*(host: string, next: string) {
  const visits: Array<string> = []
  const server = createServer((request, response) => {
    visits.push(request.url ?? "")
    // The answer takes longer than a double click: until it comes, the browser stays on the consent page.
    setTimeout(() => response.writeHead(302, { location: next }).end(), 500)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, host, () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close())
  )
  return { visits, port: (server.address() as AddressInfo).port }
})

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1") ?? false)

describe.skipIf(!isAvailable)("In a browser", () => {
  layer(Journey, { excludeTestServices: true })("from sign-in by consent to the app", (it) => {
    it.effect("at an https address", () =>
      Effect.gen(function*() {
        const { client } = yield* Live.newApp()
        const { page } = yield* consentPage(yield* authorizeUrl(client, "https://buddy.example/callback"))
        const answer = yield* sentTo(page, "https://buddy.example/callback", allow(page))
        assert.match(answer.get("code") ?? "", /^slk_code_/)
        assert.strictEqual(answer.get("state"), "a b+c")
        assert.strictEqual(answer.get("iss"), (yield* Live.LiveServer).url)
      }))

    it.effect.each(hasIpv6 ? ["127.0.0.1", "[::1]"] : ["127.0.0.1"])(
      "at a program on %s, which leads on to a page elsewhere",
      (host) =>
        Effect.gen(function*() {
          const { client } = yield* Live.newApp({ kind: "public", redirectUris: [`http://${host}/cb?keep=1`] })
          const next = "https://buddy.example/done"
          const { port, visits } = yield* program(host.replace(/[[\]]/g, ""), next)
          const url = yield* authorizeUrl(client, `http://${host}:${port}/cb?keep=1`)
          const { page } = yield* consentPage(url)
          yield* sentTo(page, next, allow(page))
          assert.match(visits[0] ?? "", /^\/cb\?keep=1&code=slk_code_\w+&state=a(\+|%20)b%2Bc&iss=/)
        })
    )

    it.effect("at the app behind a private-use scheme", () =>
      Effect.gen(function*() {
        const { client } = yield* Live.newApp({ kind: "public", redirectUris: ["com.example.app:/cb"] })
        const { page } = yield* consentPage(yield* authorizeUrl(client, "com.example.app:/cb"))
        const answer = yield* sentTo(page, "com.example.app:/cb", allow(page))
        assert.match(answer.get("code") ?? "", /^slk_code_/)
      }))

    it.effect("after a double click as after a click", () =>
      Effect.gen(function*() {
        const { client } = yield* Live.newApp({ redirectUris: ["http://127.0.0.1/cb"] })
        const next = "https://buddy.example/done"
        const { port, visits } = yield* program("127.0.0.1", next)
        const { page } = yield* consentPage(yield* authorizeUrl(client, `http://127.0.0.1:${port}/cb`))
        const decisions: Array<string> = []
        page.on("request", (request) => {
          if (request.method() === "POST") decisions.push(request.url())
        })
        // The clicks of a user's double click are some 100 ms apart.
        yield* sentTo(page, next, () =>
          page.evaluate(`{
            const allow = document.querySelector("button[value=allow]")
            allow.click()
            setTimeout(() => allow.click(), 100)
          }`))
        assert.lengthOf(decisions, 1)
        assert.lengthOf(visits, 1)
      }))

    it.effect("with the refusal, by keyboard alone", () =>
      Effect.gen(function*() {
        const { client } = yield* Live.newApp()
        const { page } = yield* consentPage(yield* authorizeUrl(client, "https://buddy.example/callback"))
        const answer = yield* sentTo(page, "https://buddy.example/callback", async () => {
          for (let i = 0; i < 20 && await page.locator("button[value=deny]:focus").count() === 0; i++) {
            await page.keyboard.press("Tab")
          }
          await page.keyboard.press("Enter")
        })
        assert.strictEqual(answer.get("error"), "access_denied")
      }))

    it.effect("straight on after the sign-in, if the access was given before", () =>
      Effect.gen(function*() {
        const { client } = yield* Live.newApp()
        const user = yield* Live.newAccount()
        yield* grant(user.id, client.id, client.scopes)
        const page = yield* (yield* Browser).newPage()
        const url = yield* authorizeUrl(client, "https://buddy.example/callback")
        yield* Effect.promise(() => page.goto(url))
        const answer = yield* sentTo(page, "https://buddy.example/callback", () => signIn(page, user))
        assert.match(answer.get("code") ?? "", /^slk_code_/)
      }))

    it.effect("with another account", () =>
      Effect.gen(function*() {
        const { client } = yield* Live.newApp()
        const [first, second] = [yield* Live.newAccount(), yield* Live.newAccount()]
        const { page } = yield* consentPage(yield* authorizeUrl(client, "https://buddy.example/callback"), {
          user: first
        })
        const text = yield* Effect.promise(async () => {
          await page.click("text=Use another account")
          await signIn(page, second)
          await page.waitForSelector(".consent")
          return page.innerText(".who")
        })
        assert.include(text, second.email)
      }))
  })

  layer(Journey, { excludeTestServices: true })("the pages", (it) => {
    it.effect.each([[false, 1280], [true, 390]] as const)(
      "have no barrier (dark: %s, width: %s)",
      ([dark, width]) =>
        Effect.gen(function*() {
          const { client } = yield* Live.newApp({ scopes: ["PROFILE_READ", "TEAM_BOOKING_WRITE", "ORG_BOOKING_READ"] })
          const user = yield* Live.newAccount()
          yield* grant(user.id, client.id, ["PROFILE_READ"])
          const redirectUri = "https://buddy.example/callback"
          const { page } = yield* consentPage(yield* authorizeUrl(client, redirectUri), { user, dark, width })
          assert.deepStrictEqual(yield* violations(page), [])
          const { url } = yield* Live.LiveServer
          yield* Effect.promise(() => page.goto(`${url}/connections`))
          assert.deepStrictEqual(yield* violations(page), [])
          const broken = yield* authorizeUrl(client, "https://evil.example/")
          yield* Effect.promise(() => page.goto(broken))
          assert.deepStrictEqual(yield* violations(page), [])
        })
    )

    it.effect("disconnect an app", () =>
      Effect.gen(function*() {
        const { client } = yield* Live.newApp()
        const { page, user } = yield* consentPage(yield* authorizeUrl(client, "https://buddy.example/callback"))
        yield* grant(user.id, client.id, client.scopes)
        const { url } = yield* Live.LiveServer
        const text = yield* Effect.promise(async () => {
          await page.goto(`${url}/connections`)
          await page.getByRole("link", { name: `End access of ${client.name}` }).click()
          await page.getByRole("heading", { name: `End the access of ${client.name}?` }).waitFor()
          await page.getByRole("button", { name: "End access" }).click()
          await page.waitForSelector("[role=status]")
          return page.innerText("main")
        })
        assert.include(text, "No app has access to your account.")
        assert.deepStrictEqual(yield* (yield* Grants).listLive(user.id, client.id), [])
      }))
  })
})
