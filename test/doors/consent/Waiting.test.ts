import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { answer, managed, newAddress, serve, sound } from "../../core/clients/documents/Documents.ts"
import { challenge } from "../../core/consent/Fixture.ts"
import * as Host from "../../support/PictureHost.ts"
import { authorizePath, browser, newAccount, Services } from "./Scenario.ts"

const requestOf = (address: string, more: Readonly<Record<string, string>> = {}) =>
  authorizePath({
    client_id: address,
    redirect_uri: "http://127.0.0.1:8123/callback",
    scope: "BOOKING_READ",
    state: "secret-of-the-app",
    code_challenge: challenge,
    ...more
  })

layer(Services.pipe(Layer.provideMerge(Host.layer)))("An app that describes itself by a document", (it) => {
  it.effect("is read for signed-in people alone, waits with its host named first, and goes on to consent", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const review = yield* ClientReview
      const address = newAddress()
      yield* serve(address)
      host.requests()
      const signedOut = yield* (yield* browser()).get(requestOf(address))
      assert.include(signedOut.location, "/sign-in?")
      assert.lengthOf(host.requests(), 0)

      const tab = yield* browser(yield* newAccount("user"))
      const { location } = yield* tab.get(requestOf(address))
      assert.match(location ?? "", /^\/auth\/oauth2\/waiting\/[\w-]{22}$/)
      const page = location ?? ""
      const { body } = yield* tab.get(page)
      assert.isBelow(body.indexOf("pictures.example"), body.indexOf("It calls itself"))
      assert.include(body, "a program on this computer")
      yield* tab.post(`${page}/ask`, { csrf: tab.csrf, reason: "For my rota." })
      assert.strictEqual((yield* tab.get(page)).headers.get("refresh"), "10")
      // A look asks the host for nothing.
      assert.lengthOf(host.requests(), 1)
      const { version } = yield* managed(address)
      yield* Effect.orDie(review.approve(yield* newAccount("admin", "admin"), address, version))
      const on = yield* tab.get(page)
      assert.strictEqual(on.location, `${requestOf(address)}&prompt=consent`)
      const asked = yield* tab.get(on.location ?? "")
      assert.strictEqual(asked.status, 200)
      assert.notStrictEqual(asked.question, "")
    }))

  it.effect("whose document or request has a mistake is told on the page alone", () =>
    Effect.gen(function*() {
      const tab = yield* browser(yield* newAccount("user"))
      const wrong = newAddress()
      yield* answer(wrong, sound("https://other.example/client.json"))
      const refused = yield* tab.get(requestOf(wrong))
      assert.deepStrictEqual([refused.status, refused.location], [400, null])
      assert.include(refused.body, "must be the address of the document, character by character")

      const address = newAddress()
      yield* serve(address)
      for (
        const [more, cause] of [
          [{ scope: "NO_SUCH" }, "scope is missing, or names what does not exist"],
          [{ code_challenge: "" }, "a public client must send code_challenge"],
          [{ redirect_uri: "https://attacker.example/" }, "redirect_uri is not registered"]
        ] as const
      ) {
        const { body, location, status } = yield* tab.get(requestOf(address, more))
        assert.deepStrictEqual([status, location], [400, null])
        assert.include(body, cause)
      }
    }))
})
