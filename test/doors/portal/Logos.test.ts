import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { MissingLogos } from "../../../src/core/clients/logos/MissingLogos.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { SharpModule } from "../../../src/foundation/pictures/Pictures.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import * as Host from "../../support/PictureHost.ts"
import { filled } from "./Fixture.ts"
import { newAccount, Services, visitor } from "./Scenario.ts"

const logoUrl = "https://pictures.example/logo"
const red = await Host.picture("#ff0000")
const blue = await Host.picture("#0000ff")
const edited = { ...filled, "scope:PROFILE_READ": "on" }

layer(Services.pipe(Layer.provideMerge(Host.layer)))("The form of an app", (it) => {
  it.effect("says at the field why a logo cannot be fetched, and keeps what was entered", () =>
    Effect.gen(function*() {
      const dev = yield* visitor()
      const answer = yield* dev.post("/settings/apps", { ...filled, logoUrl: "https://pictures.example/none" })
      assert.strictEqual(answer.status, 400)
      assert.include(answer.text, "Logo cannot be fetched: <bdi>pictures.example</bdi> answers with status 404.")
      assert.include(answer.text, `value="https://pictures.example/none"`)
      assert.isEmpty(yield* (yield* ClientRegistry).listOwned(dev.account.id))
    }))

  it.effect("shows the picture of the version, and fetches it again when it is told to", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const review = yield* ClientReview
      host.serve("/logo", red)
      const dev = yield* visitor()
      const admin = yield* newAccount("admin")
      assert.notInclude((yield* dev.get("/settings/apps/new")).text, "refetchLogo")
      const client = yield* Clients.approvedClient(dev.account.id, admin.id, { logoUrl })
      const path = `/settings/apps/${client.id}`
      const form = { ...edited, logoUrl, version: String(client.version), refreshGrace: "until-used" }
      const shown = (yield* dev.get(`${path}/settings`)).text
      assert.include(shown, `src="/logos/${client.logoDigest}"`)
      assert.include(shown, `name="refetchLogo"`)
      const wrong = yield* dev.post(path, { ...form, name: "", logoUrl: "https://pictures.example/none" })
      assert.include(wrong.text, "Logo cannot be fetched: <bdi>pictures.example</bdi> answers with status 404.")
      assert.match(wrong.text, /aria-invalid="true"[^>]*name="name"|name="name"[^>]*aria-invalid="true"/)
      host.serve("/logo", blue)
      yield* dev.post(path, form)
      const same = yield* review.get(client.id)
      assert.strictEqual((same.change ?? same).logoDigest, client.logoDigest)
      yield* dev.post(path, { ...form, version: String(same.version), refetchLogo: "on" })
      const { change } = yield* review.get(client.id)
      assert.notStrictEqual(change?.logoDigest, client.logoDigest)
      const { text } = yield* dev.get(path)
      assert.include(text, `<del><img class="logo" src="/logos/${client.logoDigest}"`)
      assert.include(text, `<ins><img class="logo" src="/logos/${change?.logoDigest}"`)
    }))

  it.effect("tells the owner why an imported app has no logo", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const dev = yield* visitor()
      const admin = yield* newAccount("admin")
      const client = yield* Clients.approvedClient(dev.account.id, admin.id)
      const path = `/settings/apps/${client.id}/settings`
      yield* sql`UPDATE clients SET logo_url = 'https://pictures.example/none' WHERE id = ${client.id}`
      assert.include((yield* dev.get(path)).text, "The logo has not been fetched yet.")
      yield* (yield* MissingLogos).fetchDue
      const { text } = yield* dev.get(path)
      assert.include(text, "cannot be fetched: pictures.example answers with status 404</span>.")
      assert.include(text, "This server will try again by itself.")
      yield* sql`UPDATE logo_failures SET retry_at = NULL`
      assert.include((yield* dev.get(path)).text, "This server does not try again by itself:")
    }))
})

layer(Services.pipe(
  Layer.provide(Layer.succeed(SharpModule, () => Promise.reject(new Error("Cannot find package 'sharp'")))),
  Layer.provideMerge(Host.layer)
))("The form of an app without sharp", (it) => {
  it.effect("says that the server shows no logos, and keeps the address of one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const review = yield* ClientReview
      const dev = yield* visitor()
      const empty = (yield* dev.get("/settings/apps/new")).text
      assert.include(empty, "Logo: this server shows no logos.")
      assert.notInclude(empty, `name="logoUrl"`)
      const refused = yield* dev.post("/settings/apps", { ...filled, logoUrl })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "Logo must stay empty: this server shows no logos")
      const { client } = yield* Clients.newClient(dev.account.id)
      yield* sql`UPDATE clients SET logo_url = ${logoUrl} WHERE id = ${client.id}`
      const path = `/settings/apps/${client.id}`
      const { text } = yield* dev.get(`${path}/settings`)
      assert.include(text, `<input type="hidden" name="logoUrl" value="${logoUrl}">`)
      assert.notInclude(text, "The logo has not been fetched yet.")
      const saved = yield* dev.post(path, {
        ...edited,
        logoUrl,
        version: String(client.version),
        refreshGrace: "short"
      })
      assert.strictEqual(saved.status, 303)
      assert.deepInclude(yield* review.get(client.id), { logoUrl, logoDigest: null })
    }))
})
