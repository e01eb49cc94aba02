import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { nobody } from "../../src/core/clients/records/Nobody.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { registration } from "../core/clients/Fixture.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

layer(Live, { excludeTestServices: true, timeout: "2 minutes" })("The page of who waits for a review", (it) => {
  it.effect.skipIf(!isAvailable)("goes on to consent by itself, without a script", () =>
    Effect.gen(function*() {
      const { url } = yield* LiveServer.LiveServer
      const sql = yield* SqlClient.SqlClient
      const review = yield* ClientReview
      const [admin, user] = [yield* LiveServer.newAccount("admin"), yield* LiveServer.newAccount()]
      const { client } = yield* Effect.orDie((yield* ClientRegistry).register(user.id, registration))
      yield* sql`UPDATE clients SET origin = 'dynamic', owner_id = ${nobody} WHERE id = ${client.id}`
      const request = new URLSearchParams({
        client_id: client.id,
        redirect_uri: client.redirectUris[0] ?? "",
        scope: "PROFILE_READ"
      })
      const page = yield* (yield* Browser).newPage({ javaScriptEnabled: false })
      yield* signIn(page, user)
      yield* Effect.promise(async () => {
        await page.goto(`${url}/auth/oauth2/authorize?${request}`)
        await page.getByLabel("What do you want to use it for?").fill("For my rota.")
        await page.getByRole("button", { name: "Ask for the review" }).click()
        await page.getByText("Reviewers know that you are waiting").waitFor()
      })
      yield* Effect.orDie(review.approve(admin.id, client.id, (yield* review.get(client.id)).version))
      yield* Effect.promise(() => page.getByRole("button", { name: "Allow" }).waitFor({ timeout: 60_000 }))
      assert.include(page.url(), "/auth/oauth2/authorize?")
    }))
})
