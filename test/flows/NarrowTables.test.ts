import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { Invitations } from "../../src/core/accounts/local/Invitations.ts"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

/** Words in tables that begin on one line and end on another. */
const brokenWords = (page: Page) =>
  Effect.promise(() =>
    page.evaluate<ReadonlyArray<string>>(`{
      const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      const broken = [];
      while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.parentElement.closest("table") === null || text.parentElement.closest(".visually-hidden")) continue;
        for (const word of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word[0]);
        }
      }
      broken;
    }`)
  )

/** Dates in stacked tables that do not say what they are: the head of the table is out of sight there. */
const unlabelled = (page: Page) =>
  Effect.promise(() => page.locator("td:not(:first-child):not([data-label]):has(> time)").allTextContents())

const email = "olga.organiser@scheduling-platform.example"

/** People with an address of usual length, who have a key, an app that changes and one from before scopes. */
const data = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const admin = yield* LiveServer.newAccount("admin")
  const olga = yield* (yield* Accounts).create({
    email,
    name: "Olga Organiser",
    password: Redacted.make(LiveServer.password)
  })
  yield* (yield* Invitations).invite({ email: `new.${email}`, role: "reviewer" }, admin.id)
  yield* (yield* ApiKeys).create(olga.id, "Nightly export", olga.id)
  const { client } = yield* LiveServer.newApp()
  const { client: legacy } = yield* LiveServer.newApp()
  yield* sql`UPDATE clients SET owner_id = ${olga.id}`
  yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = ${legacy.id}`
  yield* (yield* ClientRegistry).edit(olga.id, client.id, {
    redirectUris: ["https://pro.display.example/oauth/callback"],
    version: client.version
  })
  return { admin, olga, client }
}).pipe(Effect.orDie)

layer(Live, { excludeTestServices: true })("a table", (it) => {
  it.effect.skipIf(!isAvailable)(
    "breaks addresses of usual length at their signs, and says on a phone what each date is",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const browser = yield* Browser
        const { admin, client, olga } = yield* data
        const pages = [
          [admin, "/users"],
          [admin, "/users/invitations"],
          [admin, "/review/migration"],
          [admin, `/review/${client.id}`],
          [olga, `/settings/apps/${client.id}`],
          [olga, `/settings/apps/${client.id}/credentials`],
          [olga, "/account"]
        ] as const
        const page = yield* browser.newPage()
        for (const [account, path] of pages) {
          yield* signIn(page, account)
          yield* Effect.promise(() => page.goto(`${url}${path}`))
          for (const width of [390, 641, 680, 720, 820]) {
            yield* Effect.promise(() => page.setViewportSize({ width, height: 900 }))
            assert.deepStrictEqual(yield* brokenWords(page), [], `${path} at ${width}`)
            if (width === 390) assert.deepStrictEqual(yield* unlabelled(page), [], path)
          }
        }
      }),
    120_000
  )
})
