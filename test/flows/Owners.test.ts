import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { parse } from "node-html-parser"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { SecretVault } from "../../src/core/clients/secrets/SecretVault.ts"
import { appPath, ownersPath, reviewPath } from "../../src/doors/parts/Paths.ts"
import { newClient } from "../core/clients/Scenario.ts"
import * as Live from "../support/LiveServer.ts"

/** A browser of a signed-in user, which sends forms that its pages have, and such as it made up. */
const browser = Effect.fnUntraced(function*({ id }: Account) {
  const { url } = yield* Live.LiveServer
  const sessions = yield* Sessions
  const token = Redacted.value(yield* sessions.start(id))
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const headers = { cookie: `slotkey=${token}` }
  const load = (path: string, init: RequestInit = {}) =>
    Effect.promise(async () => {
      const response = await fetch(new URL(path, url), { headers, ...init })
      const text = await response.text()
      return { status: response.status, text, main: parse(text).querySelector("main")?.textContent ?? "" }
    })
  const post = (path: string, fields: Record<string, string>) =>
    load(path, {
      method: "POST",
      headers: { ...headers, origin: url },
      body: new URLSearchParams({ csrf, ...fields })
    })
  /** Sends the form of a page whose action ends so, with what is entered; answers the page that it leads to. */
  const send = Effect.fnUntraced(function*(page: string, end: string, entered: Record<string, string> = {}) {
    const { text } = yield* load(page)
    const form = parse(text).querySelectorAll("main form").find((one) => one.getAttribute("action")?.endsWith(end))
    assert.isDefined(form, `${page} has a form for ${end}`)
    const fields = form?.querySelectorAll("input[type=hidden]").map((one) => [
      one.getAttribute("name") ?? "",
      one.getAttribute("value") ?? ""
    ])
    return yield* post(form?.getAttribute("action") ?? "", { ...Object.fromEntries(fields ?? []), ...entered })
  })
  const api = (method: string, path: string, body?: object) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, "x-csrf-token": csrf, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { code: response.status, error: (await response.json()).error?.code }
    })
  return { load, post, send, api }
})

/** Id that no app has. */
const nobody = "slk_client_of_nobody"

const scene = Effect.gen(function*() {
  const [first, partner] = [yield* Live.newAccount(), yield* Live.newAccount()]
  const admin = yield* Live.newAccount("admin")
  const { client } = yield* newClient(first.id)
  yield* Effect.orDie((yield* ClientReview).approve(admin.id, client.id, 1))
  return { admin, app: client, first, partner, pages: yield* browser(first), asked: yield* browser(partner) }
})

layer(Live.layer(), { timeout: 60_000 })("An app", (it) => {
  it.effect("goes to a co-owner when a reviewer has approved it, who reads whose it was and whose it is to be", () =>
    Effect.gen(function*() {
      const { admin, app, asked, first, pages, partner } = yield* scene
      const path = ownersPath(app.id)
      const answers = [
        yield* pages.send(path, "/owners", { person: partner.email, role: "developer" }),
        yield* pages.send(path, "/owners", { person: "nobody@example.com", role: "developer" })
      ]
      for (const { main } of answers) assert.include(main, "The invitation is there if there is such an account.")
      assert.strictEqual((yield* asked.load(path)).status, 404)
      const offer = yield* asked.load("/settings/apps")
      assert.include(offer.main, `${first.name} wants to share ${app.name} with you as a developer`)
      const joined = yield* asked.send("/settings/apps", "/accept")
      assert.include(joined.main, `You have a part in ${app.name} now.`)
      assert.include(joined.main, "shared with you as developer")

      const waits = yield* pages.send(path, "/transfer", { person: partner.id })
      assert.include(waits.main, `${first.name} gives this app to ${partner.name}.`)
      const desk = yield* browser(admin)
      const { main } = yield* desk.load(reviewPath(app.id))
      assert.include(main, `The app is to belong to ${partner.name} instead of ${first.name}.`)
      // Nothing has changed yet: the partner has no form for secrets, and the owner has.
      assert.strictEqual((yield* asked.post(`${appPath(app.id)}/secrets`, {})).status, 403)
      const rejected = yield* desk.send(reviewPath(app.id), "/reject", { reason: "We do not know that person." })
      assert.strictEqual(rejected.status, 200)
      assert.include((yield* pages.load(path)).main, "We do not know that person.")

      yield* pages.send(path, "/transfer", { person: partner.id })
      yield* pages.send(path, "/transfer/withdraw")
      assert.notInclude((yield* desk.load(reviewPath(app.id))).main, "is to belong to")
      yield* pages.send(path, "/transfer", { person: partner.id })
      yield* desk.send(reviewPath(app.id), "/approve")
      assert.include((yield* asked.load(path)).main, `${partner.name} (you) first owner`)
      assert.strictEqual((yield* pages.post(`${appPath(app.id)}/secrets`, {})).status, 403)
      assert.strictEqual((yield* pages.load(appPath(app.id))).status, 200)
      const left = yield* pages.send(path, `/${first.id}/remove`)
      assert.include(left.main, `You have no part in ${app.name} any more.`)
      assert.strictEqual((yield* pages.load(appPath(app.id))).status, 404)
    }))

  it.effect("shows a developer no form for secrets and deletion, and takes none from them", () =>
    Effect.gen(function*() {
      const { app, asked, pages, partner } = yield* scene
      yield* pages.send(ownersPath(app.id), "/owners", { person: partner.email, role: "developer" })
      yield* asked.send("/settings/apps", "/accept")
      const [secret] = yield* (yield* SecretVault).list(app.id)
      const here = appPath(app.id)
      const secretHere = `${here}/secrets/${secret?.id}`
      const credentials = yield* asked.load(`${here}/credentials`)
      assert.include(credentials.main, "Secrets of this app are for its owners")
      for (const page of ["credentials", "settings", "events", "owners", "test"]) {
        const { status, text } = yield* asked.load(`${here}/${page}`)
        assert.strictEqual(status, 200, page)
        const forms = parse(text).querySelectorAll("main form").map((one) => one.getAttribute("action") ?? "")
        assert.isEmpty(forms.filter((action) => /secret|delete|owners$|invitations|role|transfer|events$/.test(action)))
      }
      for (const page of ["revoke", "end"]) {
        const refused = yield* asked.load(`${secretHere}/${page}`)
        assert.strictEqual(refused.status, 403, page)
        assert.include(refused.main, "Your role in this app does not include this.")
      }
      assert.strictEqual((yield* asked.load(`${here}/events/remove`)).status, 403)
      const forms = [
        `${here}/secrets`,
        `${secretHere}/revoke`,
        `${secretHere}/end`,
        `${secretHere}/reveal`,
        `${here}/delete`,
        `${here}/events`,
        `${here}/events/secret`,
        `${here}/events/remove`,
        `${here}/test`,
        `${here}/test/end`,
        `${here}/owners`,
        `${here}/owners/${partner.id}/role`,
        `${here}/owners/transfer`,
        `${here}/owners/transfer/withdraw`
      ]
      for (const form of forms) {
        const { status } = yield* asked.post(form, {
          url: "https://app.example/events",
          end: "none",
          confirm: app.name
        })
        assert.strictEqual(status, 403, form)
      }
      const api = `/v2/oauth-clients/${app.id}`
      const calls: ReadonlyArray<readonly [string, string, object?]> = [
        ["DELETE", api],
        ["POST", `${api}/secrets`, {}],
        ["PATCH", `${api}/secrets/${secret?.id}`, { endsAt: null }],
        ["DELETE", `${api}/secrets/${secret?.id}`],
        ["PUT", `${api}/endpoint`, { url: "https://app.example/events" }],
        ["POST", `${api}/endpoint/secret`],
        ["DELETE", `${api}/endpoint`],
        ["POST", `${api}/test-app`],
        ["DELETE", `${api}/test-app`],
        ["POST", `${api}/owners/invitations`, { person: "nobody", role: "owner" }],
        ["PUT", `${api}/owners/transfer`, { accountId: partner.id }]
      ]
      for (const [method, path, body] of calls) {
        const answer = yield* asked.api(method, path, body)
        assert.deepStrictEqual(answer, { code: 403, error: "role_insufficient" }, `${method} ${path}`)
      }
      assert.strictEqual((yield* asked.api("PATCH", api, { purpose: "Shows the day at the door." })).code, 200)
    }))

  it.effect("is nothing at all to strangers, the invited among them", () =>
    Effect.gen(function*() {
      const { app, asked, pages, partner } = yield* scene
      yield* pages.send(ownersPath(app.id), "/owners", { person: partner.email, role: "owner" })
      const [stranger, invited] = [yield* browser(yield* Live.newAccount()), asked]
      const ofPage = (text: string, id: string) =>
        text.replaceAll(id, "ID").replaceAll(/<code>[^<]*<\/code>|value="[^"]*"/g, "")
      const pathsOf = (id: string) =>
        ["", "/credentials", "/settings", "/events", "/events/remove", "/owners", "/test", "/lacking", "/secrets/x/end"]
          .map((end) => `${appPath(id)}${end}`)
      const formsOf = (id: string) =>
        ["/secrets", "/delete", "/events", "/test", "/owners", "/owners/x/remove", "/owners/transfer", "/withdraw"]
          .map((end) => `${appPath(id)}${end}`)
      for (const someone of [stranger, invited]) {
        for (const [at, path] of pathsOf(app.id).entries()) {
          const [real, none] = [yield* someone.load(path), yield* someone.load(pathsOf(nobody)[at] ?? "")]
          assert.deepStrictEqual([real.status, ofPage(real.text, app.id)], [404, ofPage(none.text, nobody)], path)
        }
        for (const [at, path] of formsOf(app.id).entries()) {
          const fields = { person: "nobody" }
          const [real, none] = [
            yield* someone.post(path, fields),
            yield* someone.post(formsOf(nobody)[at] ?? "", fields)
          ]
          assert.deepStrictEqual([real.status, ofPage(real.text, app.id)], [404, ofPage(none.text, nobody)], path)
        }
      }
      // Who was not invited answers nothing, whatever they send.
      yield* stranger.post(`${ownersPath(app.id)}/accept`, {})
      assert.strictEqual((yield* stranger.load(appPath(app.id))).status, 404)
    }))
})
