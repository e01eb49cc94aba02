import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "node-html-parser"
import { TestServer } from "../../src/testing.ts"
import type { TestSession, TestUser } from "../../src/testing/Fixtures.ts"

/** An app that waits, with its owner, two reviewers, an administrator and a stranger, each with a browser. */
const scene = Effect.gen(function*() {
  const kit = yield* TestServer
  yield* kit.reset
  const ada = yield* kit.user({ role: "reviewer", name: "Ada" })
  const bob = yield* kit.user({ role: "reviewer", name: "Bob" })
  const admin = yield* kit.user({ role: "admin" })
  const stranger = yield* kit.user()
  const app = yield* kit.app({ name: "Door Display", status: "pending" })
  const browser = (user: TestUser) =>
    Effect.map(kit.session(user), (session: TestSession) => ({
      ...session,
      get: Effect.fnUntraced(function*(path: string) {
        const response = yield* kit.fetch(path, { headers: { cookie: session.cookie } })
        return { status: response.status, text: yield* Effect.promise(() => response.text()) }
      }),
      submit: Effect.fnUntraced(function*(path: string, fields: Readonly<Record<string, string>> = {}) {
        const response = yield* kit.submit(session, path, fields)
        return { status: response.status, text: yield* Effect.promise(() => response.text()) }
      }),
      call: Effect.fnUntraced(function*(method: string, path: string, body?: object) {
        const response = yield* kit.fetch(path, {
          method,
          headers: { cookie: session.cookie, "x-csrf-token": session.csrf, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        return { status: response.status, text: yield* Effect.promise(() => response.text()) }
      })
    }))
  yield* kit.mails
  return {
    kit,
    ada: yield* browser(ada),
    adaId: ada.id,
    bob: yield* browser(bob),
    admin: yield* browser(admin),
    owner: yield* browser(app.owner),
    stranger: yield* browser(stranger),
    mailsTo: (user: TestUser) => Effect.map(kit.mails, (mails) => mails.filter(({ to }) => to.address === user.email)),
    people: { ada, bob, owner: app.owner },
    review: `/review/${app.clientId}`,
    page: `/settings/apps/${app.clientId}`,
    api: `/v2/oauth-clients/${app.clientId}`,
    reviewApi: `/v2/admin/oauth-clients/${app.clientId}`
  }
})

layer(TestServer.layer(), { timeout: "1 minute" })("Reviewers and the owner of an app", (it) => {
  it.effect("talk by a question and an answer: the clock stops, mails lead there, and the app comes back on top", () =>
    Effect.gen(function*() {
      const { ada, bob, kit, mailsTo, owner, page, people, review } = yield* scene
      const asked = yield* ada.submit(`${review}/ask`, { template: "Please say more.", text: "Whose door is it?" })
      assert.strictEqual(asked.status, 303)
      const mail = (yield* mailsTo(people.owner)).at(-1)
      assert.strictEqual(mail?.subject, "A question about \u201cDoor Display\u201d")
      for (const part of ["Please say more.", "Whose door is it?", `${page}#thread`]) assert.include(mail?.text, part)
      for (const part of ["Whose door is it?", `${page}#thread`]) assert.include(mail?.html, part)
      assert.notInclude(`${mail?.text}${mail?.html}`, "Ada")

      assert.notInclude((yield* bob.get("/review")).text, "Door Display")
      assert.include((yield* bob.get("/review?state=asked")).text, "Door Display")
      yield* kit.advance("10 days")
      yield* kit.runScheduledJobs("review-reminders")
      yield* kit.runScheduledJobs("review-digests")
      assert.deepStrictEqual((yield* kit.webhooks).map(({ type }) => type), ["client.submitted", "client.asked"])
      assert.lengthOf(yield* mailsTo(people.bob), 0, "neither news nor a reminder while the owner is asked")

      const shown = yield* owner.get(page)
      assert.include(shown.text, "Whose door is it?")
      assert.notInclude(shown.text, "Ada")
      const form = parse(shown.text).querySelector(`form[action="${page}/answer"]`)
      assert.isNotNull(form?.querySelector("textarea[name=text]"))
      assert.strictEqual((yield* owner.submit(`${page}/answer`, {})).status, 400, "an empty answer comes back")
      assert.strictEqual((yield* owner.submit(`${page}/answer`, { text: "Mine: see https://d.example" })).status, 303)
      assert.include((yield* owner.get(page)).text, "You have nothing to answer.")

      assert.include((yield* bob.get("/review")).text, "Door Display")
      assert.include((yield* ada.get(review)).text, "Mine: see https://d.example")
      yield* kit.runJobs
      yield* kit.runScheduledJobs("review-digests")
      for (const reviewer of [people.ada, people.bob]) {
        assert.strictEqual(
          (yield* mailsTo(reviewer)).at(-1)?.subject,
          "The owner of \u201cDoor Display\u201d has answered"
        )
      }

      yield* owner.submit(`${page}/answer`, { text: "And one more thing." })
      yield* ada.submit(`${review}/ask`, { text: "Really?" })
      assert.strictEqual((yield* ada.submit(`${review}/approve`, { version: "1" })).status, 303)
      const decided = yield* owner.get(page)
      assert.include(decided.text, "And one more thing.")
      assert.notInclude(decided.text, `${page}/answer`)
      const late = yield* owner.submit(`${page}/answer`, { text: "Yes, really." })
      assert.include(late.text, "No question about this app is open any more")
    }))

  it.effect("see each what they may: notes are for reviewers, and nothing of an app for strangers", () =>
    Effect.gen(function*() {
      const { ada, adaId, admin, api, kit, owner, page, people, review, reviewApi, stranger } = yield* scene
      const { status } = yield* ada.submit(`${review}/note`, { text: "Smells of spam." })
      assert.strictEqual(status, 303)
      yield* ada.call("POST", `${reviewApi}/notes`, { text: "Spammer's brother." })
      yield* ada.call("POST", `${reviewApi}/questions`, { text: "Who are you?" })
      for (const reviewer of [ada, admin]) {
        const { text } = yield* reviewer.get(review)
        for (const part of ["Smells of spam.", "Spammer&#39;s brother.", "Who are you?", "Ada"]) {
          assert.include(text, part)
        }
        assert.include((yield* reviewer.call("GET", `${reviewApi}/messages`)).text, "Smells of spam.")
      }
      const seen = [
        yield* owner.get(page),
        ...yield* Effect.forEach(
          [api, `${api}/messages`, "/v2/oauth-clients"],
          (path) => owner.call("GET", path)
        )
      ]
      const ofOwner = (yield* kit.mails).filter(({ to }) => to.address === people.owner.email)
      const everything = [
        ...seen.map(({ text }) => text),
        ...ofOwner.flatMap(({ html, text }) => [html, text]),
        JSON.stringify(yield* kit.webhooks)
      ].join("\n")
      assert.include(everything, "Who are you?")
      for (const hidden of ["spam", "Spammer", adaId]) assert.notInclude(everything, hidden)

      for (const nobody of [owner, stranger]) {
        assert.strictEqual((yield* nobody.call("GET", `${reviewApi}/messages`)).status, 403)
        for (const action of ["note", "ask", "claim", "release"]) {
          assert.strictEqual((yield* nobody.submit(`${review}/${action}`, { text: "Hi." })).status, 403)
        }
      }
      assert.strictEqual((yield* stranger.call("GET", `${api}/messages`)).status, 404)
      assert.strictEqual((yield* stranger.call("POST", `${api}/answers`, { text: "Me." })).status, 404)
      assert.strictEqual((yield* stranger.submit(`${page}/answer`, { text: "Me." })).status, 404)
    }))

  it.effect("know who has claimed an app, and take it over deliberately", () =>
    Effect.gen(function*() {
      const { ada, adaId, bob, kit, review } = yield* scene
      yield* ada.submit(`${review}/claim`)
      assert.include((yield* ada.get(review)).text, "You have claimed this app")
      const seen = parse((yield* bob.get(review)).text)
      assert.include(seen.textContent, "Ada has claimed this app")
      assert.strictEqual(seen.querySelector("input[name=from]")?.getAttribute("value"), adaId)
      const late = yield* bob.submit(`${review}/claim`)
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "Another reviewer has claimed this app meanwhile")
      assert.strictEqual((yield* bob.submit(`${review}/claim`, { from: adaId })).status, 303)
      assert.include((yield* ada.get(review)).text, "Bob</bdi> has claimed this app")
      yield* kit.advance("1 hour")
      assert.notInclude((yield* ada.get(review)).text, "has claimed this app")
    }))

  it.effect("find the notes of a reviewer whose account was deleted without an author, and the app unclaimed", () =>
    Effect.gen(function*() {
      const { ada, adaId, bob, people, review, reviewApi } = yield* scene
      yield* ada.submit(`${review}/claim`)
      yield* ada.submit(`${review}/note`, { text: "Looks fine." })
      assert.strictEqual((yield* ada.submit("/account/close", { current: people.ada.password })).status, 200)
      const { text } = yield* bob.call("GET", `${reviewApi}/messages`)
      assert.include(text, `"author":null,"text":"Looks fine."`)
      assert.include(text, `"claim":null`)
      assert.notInclude(text, adaId)
      assert.include((yield* bob.get(review)).text, "an account that is gone")
    }))

  it.effect("read a usual reason that was chosen without a script, above the reviewer's own words", () =>
    Effect.gen(function*() {
      const { ada, owner, page, review } = yield* scene
      const form = parse((yield* ada.get(review)).text).querySelector(`form[action="${review}/reject"]`)
      const options = form?.querySelectorAll("select[name=template] option") ?? []
      assert.lengthOf(options, 9)
      const template = options.map((option) => option.getAttribute("value") ?? "").find((value) => value !== "") ?? ""
      const late = yield* ada.submit(`${review}/reject`, { version: "7", template, reason: "Look again." })
      assert.include(late.text, `${template}\n\nLook again.</textarea>`)
      assert.strictEqual((yield* ada.submit(`${review}/reject`, { version: "1" })).status, 400, "without any reason")
      yield* ada.submit(`${review}/reject`, { version: "1", template, reason: "Look again." })
      const { text } = yield* owner.get(page)
      assert.include(text, `<blockquote>${template}\n\nLook again.</blockquote>`)
    }))
})
