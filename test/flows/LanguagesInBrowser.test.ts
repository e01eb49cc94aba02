import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { appTabPath, appTabs } from "../../src/doors/parts/Paths.ts"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { covered, tooWide } from "../support/Overflow.ts"
import { pseudoLanguage } from "../support/PseudoLanguage.ts"
import { signIn } from "../support/SignedInPage.ts"
import { longTexts } from "./LongTexts.ts"

const languages = [pseudoLanguage("en-XA"), pseudoLanguage("ar-XB")]

const Live = Layer.merge(
  LiveServer.layer().pipe(Layer.provide(Layer.succeed(Languages, [english, ...languages]))),
  Browser.layer()
)

layer(Live, { excludeTestServices: true })("texts of a language that takes half as much room again", (it) => {
  it.effect.skipIf(!isAvailable)(
    "make no page of a developer wider than a narrow window, nor cover code",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const sql = yield* SqlClient.SqlClient
        const { client, user } = yield* longTexts
        const [legacy] = yield* sql<{ id: string }>`SELECT id FROM clients WHERE legacy AND owner_id = ${user.id}`
        const rejected = yield* LiveServer.newApp({ name: "Wall Display" })
        yield* sql`UPDATE clients SET owner_id = ${user.id}, status = 'rejected', rejection_reason = 'Why?'
          WHERE id = ${rejected.client.id}`
        const page = yield* (yield* Browser).newPage({ width: 320 })
        yield* signIn(page, user)
        for (const { direction, tag } of languages) {
          yield* sql`UPDATE accounts SET locale = ${tag} WHERE id = ${user.id}`
          const open = Effect.fnUntraced(function*(path: string, hasCode = false) {
            yield* Effect.promise(() => page.goto(`${url}${path}`))
            assert.strictEqual(yield* Effect.promise(() => page.evaluate<string>("document.dir")), direction, path)
            assert.deepStrictEqual(yield* tooWide(page), [], `${tag} ${path}`)
            if (hasCode) assert.deepStrictEqual(yield* covered(page), [], `${tag} ${path}`)
          })
          for (const path of ["/", "/what-next", "/settings/apps", "/settings/apps/new"]) yield* open(path)
          for (const tab of appTabs) yield* open(appTabPath(client.id, tab), tab === "credentials")
          yield* open(`/settings/apps/${rejected.client.id}`)
          yield* open(`/settings/apps/${legacy?.id}/migration`)
          yield* open("/playground")
          yield* Effect.promise(() => page.locator("article.demo button").click())
          yield* Effect.promise(() => page.waitForURL(/app=/))
          yield* open(page.url().slice(url.length), true)
        }
      }),
    120_000
  )
})

layer(Live, { excludeTestServices: true })("texts of a language that runs from right to left, or is longer", (it) => {
  it.effect.skipIf(!isAvailable)(
    "make no page of a user wider than a narrow window, cut no item of its navigation, and keep it accessible",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const { client, user } = yield* longTexts
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE accounts SET locale = '' WHERE id = ${user.id}`
        const authorize = `/auth/oauth2/authorize?${new URLSearchParams({
          client_id: client.id,
          redirect_uri: client.redirectUris[0] ?? "",
          scope: client.scopes.join(" "),
          prompt: "consent"
        })}`
        for (const [dark, { direction, tag }] of languages.entries()) {
          const page = yield* (yield* Browser).newPage({ width: 320, dark: dark === 1 })
          const open = Effect.fnUntraced(function*(path: string) {
            yield* Effect.promise(() => page.goto(`${url}${path}`))
            assert.strictEqual(yield* Effect.promise(() => page.evaluate<string>("document.dir")), direction, path)
            assert.deepStrictEqual(yield* tooWide(page), [], `${tag} ${path}`)
            const cut = page.locator("header.site a:not([dir=auto])").evaluateAll((all) =>
              all.filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth).map(({ textContent }) =>
                textContent
              )
            )
            assert.deepStrictEqual(yield* Effect.promise(() => cut), [], `${tag} ${path}`)
            assert.deepStrictEqual(yield* violations(page), [], `${tag} ${path}`)
          })
          yield* Effect.promise(() => page.setExtraHTTPHeaders({ "accept-language": tag }))
          for (const path of ["/", authorize, "/forgotten-password", "/nowhere"]) yield* open(path)
          yield* Effect.promise(() => page.setExtraHTTPHeaders({}))
          yield* signIn(page, user)
          yield* Effect.promise(() => page.setExtraHTTPHeaders({ "accept-language": tag }))
          for (
            const path of ["/account", authorize, "/connections", "/account/email", "/account/close", "/review"]
          ) yield* open(path)
        }
      }),
    120_000
  )
})
