import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../src/core/clients/life/RefusedRequests.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { SecretVault } from "../../src/core/clients/secrets/SecretVault.ts"
import { appTabPath, appTabs } from "../../src/doors/parts/Paths.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import { eventually } from "../support/Eventually.ts"
import * as LiveServer from "../support/LiveServer.ts"
import * as Host from "../support/PictureHost.ts"
import { signIn } from "../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer()).pipe(Layer.provideMerge(Host.layer))

/** Moves to the element with this name by the Tab key, and presses Enter. */
const reach = async (page: Page, name: RegExp) => {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press("Tab")
    const focused = await page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    )
    if (name.test(focused.trim())) {
      await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")])
      return
    }
  }
  assert.fail(`nothing named ${name} can be reached by keyboard`)
}

const token = (url: string, fields: Record<string, string>) =>
  Effect.promise(() => fetch(`${url}/v2/auth/oauth2/token`, { method: "POST", body: new URLSearchParams(fields) }))

layer(Live, { excludeTestServices: true })("in the settings of an app", (it) => {
  it.effect.skipIf(!isAvailable)(
    "a secret is changed by keyboard alone, and without scripts",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const vault = yield* SecretVault
        const { client, owner, secret } = yield* LiveServer.newApp()
        const page = yield* (yield* Browser).newPage({ javaScriptEnabled: false })
        yield* signIn(page, owner)
        yield* token(url, {
          grant_type: "refresh_token",
          refresh_token: "x",
          client_id: client.id,
          client_secret: secret
        })
        yield* Effect.promise(() => page.goto(`${url}/settings/apps/${client.id}/credentials`))
        yield* Effect.promise(() => reach(page, /^Generate a second secret$/))
        const fresh = yield* Effect.promise(() => page.locator(".secret").first().innerText())
        assert.match(fresh, /^slk_secret_/)
        yield* Effect.promise(() => reach(page, /^Go to the app$/))
        assert.include(
          yield* Effect.promise(() => page.locator(".steps").innerText()),
          "The new secret has not been used yet"
        )
        // Revoking the secret in use shows a warning first.
        yield* Effect.promise(() => reach(page, new RegExp(`^Revoke …${secret.slice(-4)} now$`)))
        yield* Effect.promise(() => page.getByText("Your app still uses this secret").waitFor())
        yield* token(url, {
          grant_type: "refresh_token",
          refresh_token: "x",
          client_id: client.id,
          client_secret: fresh
        })
        yield* Effect.promise(() => reach(page, new RegExp(`^Revoke …${secret.slice(-4)}$`)))
        yield* Effect.promise(() => page.getByText("The client secret was revoked").waitFor())
        const left = yield* vault.list(client.id)
        assert.deepStrictEqual(left.map(({ lastFour }) => lastFour), [fresh.slice(-4)])
      }),
    120_000
  )

  it.effect.skipIf(!isAvailable)("the client ID is copied by a button", () =>
    Effect.gen(function*() {
      const { url } = yield* LiveServer.LiveServer
      const { client, owner } = yield* LiveServer.newApp()
      const page = yield* (yield* Browser).newPage()
      yield* signIn(page, owner)
      yield* Effect.promise(async () => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
        await page.goto(`${url}/settings/apps/${client.id}/credentials`)
        await page.getByRole("button", { name: "Copy Client ID" }).click()
        await page.getByRole("button", { name: "Copied" }).waitFor()
        assert.strictEqual(await page.evaluate<string>("navigator.clipboard.readText()"), client.id)
      })
    }), 60_000)

  it.effect.skipIf(!isAvailable)(
    "what an app calls itself, shows and is refused for is text, and no more",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const registry = yield* ClientRegistry
        const review = yield* ClientReview
        const refusedRequests = yield* RefusedRequests
        const hostile = "\"><img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script>"
        const host = yield* Host.PictureHost
        host.serve("/logo.png?;script-src%20*", yield* Effect.promise(() => Host.picture("red")))
        const { admin, client, owner } = yield* LiveServer.newApp({
          name: hostile.slice(0, 80),
          purpose: `</textarea>${hostile}`,
          website: "https://evil.example/%22%3E%3Cscript%3E",
          logoUrl: "https://pictures.example/logo.png?;script-src%20*"
        })
        const { client: other } = yield* Effect.orDie(registry.register(owner.id, {
          kind: "confidential",
          name: hostile.slice(0, 80),
          purpose: hostile,
          website: "https://evil.example",
          redirectUris: ["https://evil.example/callback"],
          scopes: ["PROFILE_READ"]
        }))
        // Such addresses cannot be registered; apps from before, and imported ones, have them.
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE clients SET redirect_uris = ${["https://evil.example/callback?'\"><script>"]}::text[]
          WHERE id = ${other.id}`
        yield* Effect.orDie(review.reject(admin.id, other.id, `</blockquote>${hostile}`, other.version))
        yield* Effect.promise(() =>
          fetch(`${url}/auth/oauth2/authorize?client_id=${client.id}&redirect_uri=${encodeURIComponent(hostile)}`)
        )
        // The server writes the refused request in the background; then the owner's page shows it.
        yield* eventually(Effect.map(refusedRequests.list(client.id), ({ length }) => length === 1))
        const consent = `/auth/oauth2/authorize?client_id=${client.id}&scope=PROFILE_READ&redirect_uri=${
          encodeURIComponent("https://buddy.example/callback")
        }`
        for (
          const [account, paths] of [
            [owner, [
              "/settings/apps",
              ...appTabs.map((tab) => appTabPath(client.id, tab)),
              `/settings/apps/${other.id}`,
              "/playground",
              consent
            ]],
            [admin, ["/review?state=all", `/review/${client.id}`, `/review/${other.id}`]]
          ] as const
        ) {
          const page = yield* (yield* Browser).newPage()
          const outside: Array<string> = []
          page.on("request", (request) => {
            if (!request.url().startsWith(url)) outside.push(new URL(request.url()).origin)
          })
          yield* signIn(page, account)
          for (const path of paths) {
            yield* Effect.promise(() => page.goto(`${url}${path}`))
            const title = yield* Effect.promise(() => page.title())
            assert.notStrictEqual(title, "pwned", path)
            assert.isAbove(
              yield* Effect.promise(() => page.locator("body", { hasText: "onerror" }).count()),
              0,
              path
            )
            assert.strictEqual(yield* Effect.promise(() => page.locator("main script, main img[src=x]").count()), 0)
            assert.deepStrictEqual(yield* violations(page), [], path)
          }
          assert.isEmpty(outside)
        }
      }),
    120_000
  )
})
