import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { registration } from "../core/clients/Fixture.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { openSignedIn } from "../support/SignedInPage.ts"

layer(Layer.merge(LiveServer.layer(), Browser.layer()), { excludeTestServices: true })("in a browser", (it) => {
  it.effect.skipIf(!isAvailable)(
    "an imposter is seen with the app that it passes for, and approved with the reviewer's word alone",
    () =>
      Effect.gen(function*() {
        const registry = yield* ClientRegistry
        const review = yield* ClientReview
        const { admin, client: known, owner } = yield* LiveServer.newApp({ name: "Calendar Sync" })
        const imposter = yield* LiveServer.newAccount()
        const { client } = yield* Effect.orDie(
          registry.register(imposter.id, {
            ...registration,
            name: "Саlеndar Sуnc",
            redirectUris: ["https://collect.example/cb"]
          })
        )
        const { go, page } = yield* openSignedIn(admin, `/review/${client.id}`, { width: 400 })
        const approve = page.getByRole("button", { name: "Approve the app", exact: true })
        const box = page.getByLabel("users cannot tell it from “Calendar Sync”")
        yield* go(async () => {
          await page.getByText("Users cannot tell its name from the name of another app.").waitFor()
          await page.getByText("“Саlеndar” mixes letters of scripts").waitFor()
          await page.getByText("The website is at app.example, but codes go to collect.example.").waitFor()
          await page.getByText(`Owner: ${owner.name}`).waitFor()
          await page.getByRole("link", { name: "Calendar Sync", exact: true }).click()
          await page.getByRole("heading", { name: "Calendar Sync", level: 1 }).waitFor()
          await page.goBack()
          await approve.click()
          await page.getByRole("alert").getByText("Users cannot tell its name from the name of an approved app")
            .waitFor()
        })
        assert.strictEqual((yield* review.get(client.id)).status, "pending")
        yield* go(async () => {
          await box.check()
          await approve.click()
          await page.getByRole("status").getByText("Approved").waitFor()
        })
        assert.strictEqual((yield* review.get(client.id)).status, "approved")
        const [entry] = yield* (yield* AuditLog).list({ clientId: client.id, actions: ["client.approved"], limit: 1 })
        assert.deepInclude(entry?.details, { acceptedTwins: known.id })
      }),
    60_000
  )
})
