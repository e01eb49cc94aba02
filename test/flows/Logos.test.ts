import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { challenge } from "../core/consent/Fixture.ts"
import { grant } from "../doors/consent/Scenario.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as Live from "../support/LiveServer.ts"
import * as Host from "../support/PictureHost.ts"
import { signIn } from "../support/SignedInPage.ts"

// The browser reaches the host of the picture, too: if it asked, the host would know.
const Journey = Layer.unwrap(Effect.map(
  Host.PictureHost,
  ({ port }) => Layer.merge(Live.layer(), Browser.layer(`--host-resolver-rules=MAP pictures.example 127.0.0.1:${port}`))
)).pipe(Layer.provideMerge(Host.layer))

/** Colour in the middle of the picture of the app, or "broken". */
const colourOn = (page: Page) =>
  page.locator("img.app-logo, img.logo").first().evaluate((element) => {
    const image = element as unknown as { naturalWidth: number; naturalHeight: number; ownerDocument: Drawing }
    if (image.naturalWidth === 0) return "broken"
    const canvas = image.ownerDocument.createElement("canvas")
    const context = canvas.getContext("2d")
    context.drawImage(image, 0, 0)
    const [red = 0, , blue = 0] = context.getImageData(image.naturalWidth / 2, image.naturalHeight / 2, 1, 1).data
    return red > blue ? "red" : "blue"
  })

interface Drawing {
  createElement(name: "canvas"): {
    getContext(kind: "2d"): {
      drawImage(image: unknown, x: number, y: number): void
      getImageData(x: number, y: number, width: number, height: number): { readonly data: ReadonlyArray<number> }
    }
  }
}

layer(Journey, { excludeTestServices: true })("the logo of an app", (it) => {
  it.effect.skipIf(!isAvailable)(
    "stays the one that was approved when its host shows another, and the host hears of no user",
    () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const host = yield* Host.PictureHost
        const review = yield* ClientReview
        const logoUrl = "https://pictures.example/logo.png"
        host.serve("/logo.png", yield* Effect.promise(() => Host.picture("#ff0000")))
        const { admin, client, owner } = yield* Live.newApp({ logoUrl })
        host.serve("/logo.png", yield* Effect.promise(() => Host.picture("#0000ff")))
        assert.deepStrictEqual(host.requests(), ["pictures.example/logo.png"])

        const page = yield* (yield* Browser).newPage()
        const user = yield* Live.newAccount()
        const consent = `${url}/auth/oauth2/authorize?${new URLSearchParams({
          client_id: client.id,
          redirect_uri: client.redirectUris[0] ?? "",
          scope: client.scopes.join(" "),
          code_challenge: challenge
        })}`
        const colourAt = Effect.fnUntraced(function*(page: Page, address: string) {
          yield* Effect.promise(() => page.goto(address))
          assert.deepStrictEqual(yield* violations(page), [], address)
          return yield* Effect.promise(() => colourOn(page))
        })
        yield* signIn(page, user)
        assert.strictEqual(yield* colourAt(page, consent), "red")
        assert.strictEqual(yield* colourAt(page, consent), "red")

        // The owner asks for the other one: it waits, and the reviewer sees both.
        const developer = yield* (yield* Browser).newPage()
        yield* signIn(developer, owner)
        assert.strictEqual(yield* colourAt(developer, `${url}/settings/apps/${client.id}/settings`), "red")
        yield* Effect.promise(() => developer.locator("summary", { hasText: "Website, logo" }).click())
        yield* Effect.promise(() => developer.getByLabel("Fetch the picture again").check())
        yield* Effect.promise(() => developer.getByRole("button", { name: "Save" }).click())
        yield* Effect.promise(() => developer.getByText("Saved.").waitFor())
        assert.deepStrictEqual(host.requests(), ["pictures.example/logo.png"])
        assert.strictEqual(yield* colourAt(page, consent), "red")
        const reviewer = yield* (yield* Browser).newPage()
        yield* signIn(reviewer, admin)
        assert.strictEqual(yield* colourAt(reviewer, `${url}/review/${client.id}`), "red")
        yield* Effect.promise(() => reviewer.locator("ins img.logo").waitFor())
        const { version } = yield* review.get(client.id)
        yield* Effect.orDie(review.approve(admin.id, client.id, version))
        assert.strictEqual(yield* colourAt(page, consent), "blue")
        // Connected apps show it, too.
        yield* grant(user.id, client.id, client.scopes)
        assert.strictEqual(yield* colourAt(page, `${url}/connections`), "blue")
        assert.isEmpty(host.requests())
      }),
    120_000
  )
})
