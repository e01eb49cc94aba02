import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { ReviewWishes } from "../../../src/core/clients/review/ReviewWishes.ts"
import { decisionPath } from "../../../src/doors/consent/ConsentView.ts"
import { answer, managed, newAddress, serve, sound } from "../../core/clients/documents/Documents.ts"
import { challenge } from "../../core/consent/Fixture.ts"
import * as Host from "../../support/PictureHost.ts"
import { authorizePath, browser, codesOf, newAccount, Services } from "./Scenario.ts"

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

  it.effect("gets nothing of who stands at consent when its approval is taken back, and they read why", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const admin = yield* newAccount("admin", "admin")
      const address = newAddress()
      yield* serve(address)
      const tab = yield* browser(yield* newAccount("user"))
      yield* tab.get(requestOf(address))
      const { version } = yield* managed(address)
      const approved = yield* Effect.orDie(review.approve(admin, address, version))
      const asked = yield* tab.get(requestOf(address))
      assert.notStrictEqual(asked.question, "")
      const allow = () => tab.post(decisionPath, { csrf: tab.csrf, request: asked.question, decision: "allow" })
      const undone = yield* Effect.orDie(review.undo(admin, address, approved.version))
      for (let n = 0; n < 2; n++) {
        const refused = yield* allow()
        // The app is not led to: nobody has approved it.
        assert.deepStrictEqual([refused.status, refused.location], [403, null])
        assert.include(refused.body, "This app is waiting for review.")
        assert.deepStrictEqual(yield* codesOf(address), [])
      }
      assert.match((yield* tab.get(requestOf(address))).location ?? "", /^\/auth\/oauth2\/waiting\//)

      // Where an earlier approval counts still, the app hears what it may not ask for.
      yield* Effect.orDie(review.approve(admin, address, undone.version))
      const wishes = yield* ReviewWishes
      const user = tab.session.userId
      yield* Effect.orDie(wishes.ask(user, approved.id, ["BOOKING_WRITE"], "For my rota."))
      const wider = yield* Effect.orDie(review.approve(admin, address, (yield* managed(address)).version))
      const more = yield* tab.get(requestOf(address, { scope: "BOOKING_READ BOOKING_WRITE" }))
      assert.notStrictEqual(more.question, "")
      yield* Effect.orDie(review.undo(admin, address, wider.version))
      const sent = yield* tab.post(decisionPath, { csrf: tab.csrf, request: more.question, decision: "allow" })
      assert.include(sent.location, "error=invalid_scope")
      assert.deepStrictEqual(yield* codesOf(address), [])
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
