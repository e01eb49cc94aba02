import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

/** Answer to a request of a caller that accepts every coding, as it came over the wire. */
const ask = Effect.fnUntraced(function*(path: string, method = "GET", headers: Record<string, string> = {}) {
  const { url } = yield* LiveServer.LiveServer
  return yield* Effect.promise(async () => {
    const sent = request(`${url}${path}`, { method, headers: { "accept-encoding": "gzip, deflate, br", ...headers } })
    sent.end()
    const [answer]: Array<IncomingMessage> = await once(sent, "response")
    if (answer === undefined) throw new Error("no answer")
    const body = await text(answer)
    return { status: answer.statusCode, headers: answer.headers, body }
  })
})

layer(Live, { excludeTestServices: true })("the documentation", (it) => {
  it.effect.skipIf(!isAvailable)(
    "loads in less than 300 kB, whole and from this server alone, and the next time in a tenth of that",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const page = yield* (yield* Browser).newPage()
        yield* Effect.promise(async () => {
          const network = await page.context().newCDPSession(page)
          await network.send("Network.enable")
          const hosts = new Set<string>()
          let bytes = 0
          network.on("Network.requestWillBeSent", ({ request }) => {
            // A picture within a stylesheet asks nobody.
            if (!request.url.startsWith("data:")) hosts.add(new URL(request.url).origin)
          })
          network.on("Network.loadingFinished", ({ encodedDataLength }) => bytes += encodedDataLength)
          const visit = async (path: string) => {
            bytes = 0
            await page.goto(`${url}${path}`)
            return bytes
          }
          for (const path of ["/docs", "/docs/scopes"]) {
            const first = await visit(path)
            assert.isBelow(first, 300_000, path)
            // Something has come at all.
            assert.isAbove(first, 3_000, path)
            await visit("/")
            assert.isBelow(await visit(path), 30_000, path)
          }
          assert.deepStrictEqual([...hosts], [url])
        })
      })
  )

  it.effect.skipIf(!isAvailable)(
    "has no fault of accessibility, in the light and on a phone in the dark",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        for (const look of [{ dark: false, width: 1180 }, { dark: true, width: 390 }]) {
          const page = yield* (yield* Browser).newPage(look)
          yield* Effect.promise(async () => {
            await page.goto(`${url}/docs`)
            assert.isFalse(await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth"))
            // All groups and operations are alike, and the examination of all takes most of a minute.
            await page.evaluate(`document.querySelectorAll(
            "article:nth-of-type(n + 2), main > section:nth-of-type(n + 4):not(:last-child), .contents > :nth-child(n + 3)"
          ).forEach((one) => one.remove())`)
            await page.evaluate(
              `document.querySelectorAll("main a[href^='#']").forEach((link) => link.removeAttribute("href"))`
            )
          })
          assert.deepStrictEqual(yield* violations(page), [])
        }
      }),
    60_000
  )

  it.effect("and the assets of all pages are compressed, kept and known again", () =>
    Effect.gen(function*() {
      const { body } = yield* ask("/", "GET", { "accept-encoding": "identity" })
      const assets = Array.from(body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g), ([, path = ""]) => path)
      // These have every operation.
      const whole = new Set(["/docs", "/openapi.json"])
      const large = assets.filter((path) => path.includes("pico") || path.includes("slotkey"))
      assert.lengthOf(large, 2)
      for (const path of ["/docs", "/docs/scopes", "/docs/scopes?q=booking", "/openapi.json", ...large]) {
        const { headers, status } = yield* ask(path)
        assert.deepStrictEqual(
          [status, headers["content-encoding"], headers.vary],
          [200, "br", "accept-encoding"],
          path
        )
        const kept = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache"
        assert.strictEqual(headers["cache-control"], kept, path)

        assert.isBelow(Number(headers["content-length"]), whole.has(path) ? 45_000 : 30_000, path)

        const head = yield* ask(path, "HEAD")
        assert.deepStrictEqual([head.status, head.body], [200, ""], path)
        assert.strictEqual(head.headers["content-length"], headers["content-length"], path)
        assert.strictEqual(head.headers.etag, headers.etag, path)

        const again = yield* ask(path, "GET", { "if-none-match": String(headers.etag) })
        assert.deepStrictEqual([again.status, again.body, again.headers.etag], [304, "", headers.etag], path)
      }
    }))

  it.effect("is all that is compressed: no page of a session and no answer to an app is", () =>
    Effect.gen(function*() {
      const { accessToken, client, user } = yield* LiveServer.newConnection()
      const page = yield* (yield* Browser).newPage()
      yield* signIn(page, user)
      const cookies = yield* Effect.promise(() => page.context().cookies())
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
      const authorize = `/auth/oauth2/authorize?client_id=${client.id}&redirect_uri=https://buddy.example/callback`
      for (const path of ["/", "/connections", "/settings/apps/new", "/account", "/playground", authorize]) {
        const { headers } = yield* ask(path, "GET", { cookie })
        assert.isUndefined(headers["content-encoding"], path)
      }
      for (const path of ["/sign-in", "/setup", "/nowhere"]) {
        assert.isUndefined((yield* ask(path)).headers["content-encoding"], path)
      }
      const authorization = { authorization: `Bearer ${accessToken}` }
      const answers = [
        yield* ask("/v2/me", "GET", authorization),
        yield* ask("/v2/auth/oauth2/token", "POST", { "content-type": "application/x-www-form-urlencoded" }),
        yield* ask("/v2/auth/oauth2/check/nginx", "GET", authorization),
        yield* ask("/.well-known/oauth-authorization-server")
      ]
      for (const { headers } of answers) assert.isUndefined(headers["content-encoding"])
    }))
})
