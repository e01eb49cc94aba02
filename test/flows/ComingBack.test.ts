// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type HTMLElement, parse } from "node-html-parser"
import { Routes } from "../../src/app/Routes.ts"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { deactivation } from "../../src/core/accounts/local/Deactivation.ts"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { maxForms } from "../../src/core/accounts/people/Continuations.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { StoredGrants } from "../../src/core/grants/GrantServices.ts"
import { catalogue } from "../../src/domain/catalogue/BuiltInScope.ts"
import * as Testing from "../../src/testing.ts"
import { password } from "../core/accounts/Scenario.ts"
import * as Clients from "../core/clients/Scenario.ts"
import { challenge } from "../core/consent/Fixture.ts"
import { type Answer, browse } from "../doors/account/Scenario.ts"
import { useUp } from "../support/LimitedSubject.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const Server = StoredGrants.pipe(
  Layer.provideMerge(Layer.mergeAll(Testing.layer(), HttpServer.layerServices)),
  Layer.provideMerge(TestDatabase.layer)
)

const newUser = Effect.fnUntraced(function*(role: "user" | "admin" = "user", name = "Uma User") {
  const email = `${crypto.randomUUID()}@example.test`
  return yield* (yield* Accounts).create({ email, name, password, role })
})

/** A browser that signs in, ends its sessions, and sends forms with what stands in them. */
const visitor = Effect.gen(function*() {
  const { get, post, send } = yield* browse(Routes)
  const signIn = Effect.fnUntraced(function*({ email }: Account, path = "/sign-in") {
    const fields = inForm(yield* get(path), "/sign-in")
    return yield* post("/sign-in", { ...fields, email, password: Redacted.value(password) })
  })
  /** Follows redirects, by headers and by pages, on this server. */
  const follow = Effect.fnUntraced(function*(first: Answer) {
    let answer = first
    for (let next = nextOf(answer); next?.startsWith("/") === true; next = nextOf(answer)) answer = yield* get(next)
    return answer
  })
  return { get, post, send, signIn, follow }
})

const nextOf = ({ headers, text }: Answer): string | undefined =>
  headers.get("location") ?? parse(text).querySelector("meta[http-equiv=refresh]")?.getAttribute("content")?.slice(6)

const formOn = ({ text }: Pick<Answer, "text">, action: string): HTMLElement => {
  const form = parse(text).querySelectorAll("main form").find((one) => one.getAttribute("action") === action)
  if (form === undefined) throw new Error(`No form ${action} on ${text}`)
  return form
}

/** Fields that a browser would send. */
const inForm = (answer: Pick<Answer, "text">, action: string): Record<string, string> =>
  Object.fromEntries(
    formOn(answer, action).querySelectorAll("input, textarea, select").flatMap((one) => {
      const name = one.getAttribute("name") ?? ""
      if (one.tagName === "TEXTAREA") return [[name, one.text.replace(/^\n/, "")]]
      if (one.tagName === "SELECT") {
        return [[name, one.querySelector("option[selected]")?.getAttribute("value") ?? ""]]
      }
      if (["checkbox", "radio"].includes(one.getAttribute("type") ?? "") && !one.hasAttribute("checked")) return []
      return [[name, one.getAttribute("value") ?? "on"]]
    })
  )

const endSessions = ({ id }: Account) => Effect.flatMap(Sessions, (sessions) => sessions.endAll(id))

const kept = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ fields: Record<string, string> | null }>`SELECT fields FROM continuations`
)

const restoredText = "this form was not sent"

/** An approved app and the address at which it asks. */
const asking = Effect.fnUntraced(function*(state = "xyz") {
  const owner = yield* Clients.newAccount("owner")
  const admin = yield* Clients.newAccount("admin", "admin")
  const client = yield* Clients.approvedClient(owner, admin)
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: client.redirectUris[0] ?? "",
    scope: client.scopes.join(" "),
    code_challenge: challenge,
    code_challenge_method: "S256",
    state
  })
  return { admin, client, path: `/auth/oauth2/authorize?${query}` }
})

layer(Server)("Whoever comes back", (it) => {
  it.effect("to a registration of all scopes finds it as it was, sends it, and gets the app", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const { follow, get, post, signIn } = yield* visitor
      yield* signIn(user)
      const about = {
        name: "Mirror \"<i>&amp;</i>\"",
        purpose: "\n First line.\nSecond </textarea> <b>line</b> & more: é",
        website: "https://mirror.example/?a=1&b=2"
      }
      const draft = crypto.randomUUID()
      const pageOf = (step: string) => `/settings/apps/new${step}?draft=${draft}`
      const send = (step: string, fields: Readonly<Record<string, string>>) =>
        Effect.flatMap(
          get(pageOf(step)),
          (page) => post(`/settings/apps/new${step}`, { ...inForm(page, `/settings/apps/new${step}`), ...fields })
        )
      const entered = Object.fromEntries(catalogue.map((scope) => [`scope:${scope}`, "on"]))
      assert.lengthOf(catalogue, 46)
      const first = inForm(yield* get(pageOf("")), "/settings/apps/new")
      yield* endSessions(user)
      const lost = yield* post("/settings/apps/new", { ...first, ...about })
      const start = inForm(yield* follow(yield* signIn(user, lost.headers.get("location") ?? "")), "/settings/apps/new")
      assert.deepInclude(start, { ...about, draft })
      yield* post("/settings/apps/new", start)
      yield* send("/addresses", { "redirectUris.0": "https://mirror.example/callback", kind: "public" })

      const empty = inForm(yield* get(pageOf("/scopes")), "/settings/apps")
      yield* endSessions(user)
      const refused = yield* post("/settings/apps", { ...empty, ...entered })
      assert.match(refused.headers.get("location") ?? "", /^\/sign-in\?return_to=%2Fcontinue%2F[\w-]{22}$/)
      const asked = yield* get(refused.headers.get("location") ?? "")
      assert.include(asked.text, "Your session has ended. Sign in, and you are back at your form")
      const back = yield* follow(yield* signIn(user, refused.headers.get("location") ?? ""))
      assert.include(back.text, restoredText)
      const found = inForm(back, "/settings/apps")
      assert.deepInclude(found, { ...entered, draft: empty["draft"] })
      assert.notStrictEqual(found["csrf"], empty["csrf"])
      // Nothing was sent by itself, and what is folded away is open where something is chosen.
      assert.lengthOf(yield* (yield* ClientRegistry).listOwned(user.id), 0)
      assert.lengthOf(parse(back.text).querySelectorAll("details:not([open])"), 0)

      const sent = yield* post("/settings/apps", found)
      assert.strictEqual(sent.status, 303)
      const [app] = yield* (yield* ClientRegistry).listOwned(user.id)
      assert.deepInclude(app, { name: about.name, website: about.website })
      assert.include(app?.purpose, "Second </textarea> <b>line</b> & more: é")
      assert.sameMembers([...app?.scopes ?? []], [...catalogue])
      // What was sent is not kept any more.
      assert.lengthOf(yield* kept, 0)
    }))

  it.effect("to a reason half written finds it, in the same version of the app", () =>
    Effect.gen(function*() {
      const admin = yield* newUser("admin")
      const { client } = yield* Clients.newClient((yield* newUser()).id)
      const path = `/review/${client.id}`
      const { follow, get, post, signIn } = yield* visitor
      yield* signIn(admin)
      const fields = inForm(yield* get(path), `${path}/reject`)
      yield* endSessions(admin)
      const lost = yield* post(`${path}/reject`, { ...fields, reason: "The purpose says\nnothing about" })
      const back = yield* follow(yield* signIn(admin, lost.headers.get("location") ?? ""))
      assert.deepInclude(inForm(back, `${path}/reject`), {
        reason: "The purpose says\nnothing about",
        version: String(client.version)
      })
      // The other forms of the page are not touched.
      assert.notInclude(formOn(back, `${path}/approve`).toString(), restoredText)

      // The owner changes the app meanwhile: a form about the version before stays one.
      const here = nextOf(lost)?.replace(/^.*return_to=/, "").replaceAll("%2F", "/") ?? ""
      yield* (yield* ClientRegistry).edit(client.ownerId, client.id, { purpose: "Other.", version: client.version })
      const changed = yield* follow(yield* get(here))
      assert.strictEqual(inForm(changed, `${path}/reject`)["version"], String(client.version))
      assert.strictEqual(inForm(changed, `${path}/approve`)["version"], String(client.version + 1))

      // Another reviewer decides meanwhile: the form is gone, and the words are not.
      yield* (yield* ClientReview).approve((yield* newUser("admin")).id, client.id, client.version + 1)
      const late = yield* follow(yield* get(here))
      assert.include(late.text, restoredText)
      assert.include(parse(late.text).querySelector("#kept-reason")?.text, "The purpose says\nnothing about")
    }))

  it.effect("to the edit of an app finds it, and learns when it is sent that the app has changed meanwhile", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const { client } = yield* Clients.newClient(user.id)
      const path = `/settings/apps/${client.id}`
      const { follow, get, post, signIn } = yield* visitor
      yield* signIn(user)
      const fields = inForm(yield* get(`${path}/settings`), path)
      const entered = { ...fields, name: "Renamed", purpose: "Another line,\nand one more." }
      yield* endSessions(user)
      const lost = yield* post(path, entered)
      yield* (yield* ClientRegistry).edit(user.id, client.id, {
        purpose: "Changed by a script.",
        version: client.version
      })
      const back = yield* follow(yield* signIn(user, nextOf(lost) ?? ""))
      assert.strictEqual(back.status, 200)
      const { csrf, form_page, ...found } = inForm(back, path)
      assert.include(form_page, "?continue=")
      assert.notStrictEqual(csrf, fields["csrf"])
      assert.deepInclude(found, { name: entered.name, purpose: entered.purpose, version: String(client.version) })
      const late = yield* post(path, { ...found, csrf: csrf ?? "", form_page: form_page ?? "" })
      assert.strictEqual(late.status, 409)
      const again = inForm(late, path)
      assert.deepInclude(again, { purpose: entered.purpose, version: String(client.version + 1) })
      assert.strictEqual((yield* post(path, again)).status, 303)
    }))

  it.effect("to an edit of an app that is gone meanwhile finds the words", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const { client } = yield* Clients.newClient(user.id)
      const path = `/settings/apps/${client.id}`
      const { follow, get, post, signIn } = yield* visitor
      yield* signIn(user)
      const entered = { ...inForm(yield* get(`${path}/settings`), path), purpose: "Words of <mine>." }
      yield* endSessions(user)
      const lost = yield* post(path, entered)
      yield* (yield* ClientRegistry).remove(user.id, client.id)
      const back = yield* follow(yield* signIn(user, nextOf(lost) ?? ""))
      assert.strictEqual(back.status, 404)
      assert.include(back.text, "Words of &lt;mine&gt;.</blockquote>")
    }))

  it.effect("to a suspension, an invitation, an API key, a new address or scopes finds what was entered", () =>
    Effect.gen(function*() {
      const admin = yield* newUser("admin")
      const owner = yield* Clients.newAccount("owner")
      const client = yield* Clients.approvedClient(owner, admin.id)
      const { follow, get, post, signIn } = yield* visitor
      const comesBack = Effect.fnUntraced(function*(page: string, action: string, entered: Record<string, string>) {
        const fields = inForm(yield* get(page), action)
        yield* endSessions(admin)
        const lost = yield* post(action, { ...fields, ...entered })
        const back = yield* follow(yield* signIn(admin, nextOf(lost) ?? ""))
        assert.strictEqual(back.status, 200, page)
        // Nothing is wrong with the form, so it does not look as after a mistake.
        assert.include(parse(back.text).querySelector("[role=alert]:not(.error)")?.text, restoredText, page)
        assert.lengthOf(back.text.match(new RegExp(restoredText, "g")) ?? [], 1, page)
        assert.deepInclude(inForm(back, action), entered, page)
        return back
      })
      yield* signIn(admin)
      const reason = { reason: "It sends\nwhat it must not." }
      const suspension = yield* comesBack(`/review/${client.id}`, `/review/${client.id}/suspend`, reason)
      assert.isDefined(formOn(suspension, `/review/${client.id}/suspend`).closest("details")?.getAttribute("open"))
      yield* comesBack("/users/invitations", "/users/invitations", { email: "new@example", role: "reviewer" })
      yield* comesBack("/account/email", "/account/email", { email: "new@example" })
      yield* comesBack("/account", "/account/api-keys", { name: "Nightly", ends: "date", date: "2099-01-01" })
      yield* comesBack("/account", "/account/password", { apps: "on" })
      const { client: own } = yield* Clients.newClient(admin.id)
      yield* (yield* SqlClient.SqlClient)`UPDATE clients SET legacy = true WHERE id = ${own.id}`
      const migration = `/settings/apps/${own.id}/migration`
      yield* comesBack(migration, migration, { "scope:BOOKING_WRITE": "on", version: String(own.version) })
    }))

  it.effect("to a form that is a button finds a notice, and nothing was done", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const { follow, get, post, signIn } = yield* visitor
      const key = yield* (yield* ApiKeys).create(user.id, "a script", user.id)
      const forms = [
        ["/account", "/account/sessions/end-others"],
        [`/account/api-keys/revoke?id=${key.info.id}`, "/account/api-keys/revoke"]
      ] as const
      yield* signIn(user)
      for (const [page, action] of forms) {
        yield* (yield* Sessions).start(user.id)
        const fields = inForm(yield* get(page), action)
        yield* endSessions(user)
        const lost = yield* post(action, fields)
        const back = yield* follow(yield* signIn(user, nextOf(lost) ?? ""))
        assert.strictEqual(back.status, 200, page)
        const notice = parse(back.text).querySelector("main > .notice")
        assert.strictEqual(
          notice?.querySelector(".kind + p")?.text,
          "You are signed in again, and this form was not sent.",
          page
        )
      }
      assert.lengthOf(yield* (yield* ApiKeys).list(user.id), 1)
    }))

  it.effect("to the consent page is asked anew, and the app gets its answer", () =>
    Effect.gen(function*() {
      const { client, path } = yield* asking("a b&c")
      const user = yield* newUser()
      const { follow, get, post, signIn } = yield* visitor
      const first = yield* follow(yield* signIn(user, yield* Effect.map(get(path), (one) => nextOf(one) ?? "")))
      const question = inForm(first, "/auth/oauth2/decision")
      yield* endSessions(user)
      const lost = yield* post("/auth/oauth2/decision", { ...question, decision: "allow" })
      const signInPage = yield* get(nextOf(lost) ?? "")
      assert.include(signInPage.text, client.name)
      const back = yield* follow(yield* signIn(user, nextOf(lost) ?? ""))
      const again = inForm(back, "/auth/oauth2/decision")
      assert.notStrictEqual(again["request"], question["request"])
      const allowed = yield* post("/auth/oauth2/decision", { ...again, decision: "allow" })
      const answer = new URL(allowed.headers.get("location") ?? "")
      assert.strictEqual(`${answer.origin}${answer.pathname}`, client.redirectUris[0])
      assert.strictEqual(answer.searchParams.get("state"), "a b&c")
      assert.isNotNull(answer.searchParams.get("code"))
    }))

  it.effect("by a page of the earlier session, as Back shows it, keeps the text, without another sign-in", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const { follow, get, post, signIn } = yield* visitor
      yield* signIn(user)
      const old = inForm(yield* get("/account"), "/account/profile")
      yield* endSessions(user)
      yield* signIn(user)
      const answer = yield* post("/account/profile", { ...old, bio: "I collect clocks." })
      assert.match(answer.headers.get("location") ?? "", /^\/continue\//)
      const back = yield* follow(answer)
      assert.strictEqual(inForm(back, "/account/profile")["bio"], "I collect clocks.")
      // Nothing was saved, a reload shows it again, and then it is saved.
      assert.isNull(Option.getOrThrow(yield* (yield* Accounts).find(user.id)).bio)
      const again = inForm(yield* follow(answer), "/account/profile")
      const broken = yield* post("/account/profile", { ...again, form_page: "/account?continue=x%00", name: "" })
      assert.strictEqual(broken.status, 400)
      // A form that is refused changes nothing, so the page that it came from still shows what was kept.
      assert.strictEqual((yield* post("/account/profile", { ...again, name: "" })).status, 400)
      assert.strictEqual(inForm(yield* follow(answer), "/account/profile")["bio"], "I collect clocks.")
      const saved = yield* post("/account/profile", again)
      assert.strictEqual(saved.headers.get("location"), "/account")
      assert.strictEqual(Option.getOrThrow(yield* (yield* Accounts).find(user.id)).bio, "I collect clocks.")
      assert.strictEqual((yield* follow(answer)).status, 404)
    }))

  it.effect("as somebody else gets a clear page, never the text", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const other = yield* newUser("admin", "Otto Other")
      const { follow, get, post, signIn } = yield* visitor
      yield* signIn(user)
      const fields = { ...inForm(yield* get("/account"), "/account/profile"), bio: "My own words." }
      yield* endSessions(user)
      const lost = yield* post("/account/profile", fields)
      const theirs = yield* follow(yield* signIn(other, nextOf(lost) ?? ""))
      assert.strictEqual(theirs.status, 403)
      assert.include(theirs.text, "Otto Other")
      assert.notInclude(theirs.text, "My own words.")
      const id = /%2Fcontinue%2F([\w-]+)/.exec(lost.headers.get("location") ?? "")?.[1] ?? ""
      assert.notInclude((yield* get(`/account?continue=${id}`)).text, "My own words.")
      // The page of the first user, sent while the other is signed in, is neither done nor kept.
      const rows = (yield* kept).length
      const sent = yield* post("/account/profile", fields)
      assert.strictEqual(sent.status, 403)
      assert.notInclude(sent.text, "My own words.")
      assert.lengthOf(yield* kept, rows)
      // The button leads to the sign-in, and the first user goes on from there.
      const switched = yield* post("/sign-out", inForm(theirs, "/sign-out"))
      assert.match(nextOf(switched) ?? "", /^\/sign-in\?.*&another=1$/)
      const mine = yield* follow(yield* signIn(user, nextOf(switched) ?? ""))
      assert.strictEqual(inForm(mine, "/account/profile")["bio"], "My own words.")
    }))

  it.effect("within an hour; later, and with an id of another server, gets a clear page", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const { follow, get, post, send, signIn } = yield* visitor
      yield* signIn(user)
      const fields = inForm(yield* get("/account"), "/account/profile")
      yield* endSessions(user)
      const lost = yield* post("/account/profile", { ...fields, bio: "Late." })
      yield* signIn(user)
      const here = decodeURIComponent(/return_to=(.*)/.exec(nextOf(lost) ?? "")?.[1] ?? "")
      // To look is no use.
      assert.strictEqual((yield* send(here, { method: "HEAD" })).status, 303)
      yield* TestClock.adjust("59 minutes")
      assert.include((yield* follow(yield* get(here))).text, "Late.")
      yield* TestClock.adjust("1 minutes")
      for (const path of [here, "/continue/AAAAAAAAAAAAAAAAAAAAAA", "/continue/x%00"]) {
        const answer = yield* get(path)
        assert.strictEqual(answer.status, 404, path)
        assert.include(answer.text, "Front page")
      }
      const late = yield* get(`/account?${new URLSearchParams({ continue: here.slice("/continue/".length) })}`)
      assert.strictEqual(late.status, 200)
      assert.notInclude(late.text, "Late.")
      // Without a session it leads to the sign-in as every page does.
      yield* endSessions(user)
      assert.strictEqual(
        (yield* get(here)).headers.get("location"),
        `/sign-in?${new URLSearchParams({ return_to: here })}`
      )
    }))

  it.effect("finds no password, and none was kept", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const { follow, get, post, signIn } = yield* visitor
      yield* signIn(user)
      const fields = inForm(yield* get("/account"), "/account/password")
      yield* endSessions(user)
      const secrets = { current: "s3cret-current-one", password: "s3cret-new-one-x", repeated: "s3cret-new-one-x" }
      const lost = yield* post("/account/password", { ...fields, ...secrets, secret: "s3cret", token: "s3cret" })
      const back = yield* follow(yield* signIn(user, nextOf(lost) ?? ""))
      assert.include(back.text, "without passwords, secrets and confirmations")
      assert.notInclude(back.text, "s3cret")
      assert.notInclude(JSON.stringify(yield* kept), "s3cret")
      assert.notInclude(JSON.stringify(yield* kept), fields["csrf"] ?? "")
    }))

  it.effect("whose account was closed meanwhile is told so", () =>
    Effect.gen(function*() {
      const { path } = yield* asking()
      const user = yield* newUser()
      const { follow, get, post, signIn } = yield* visitor
      const page = yield* follow(yield* signIn(user, yield* Effect.map(get(path), (one) => nextOf(one) ?? "")))
      yield* (yield* deactivation)(user.id, "cli")
      const rows = (yield* kept).length
      const answer = yield* post("/auth/oauth2/decision", {
        ...inForm(page, "/auth/oauth2/decision"),
        decision: "allow"
      })
      assert.strictEqual(answer.status, 403)
      assert.include(answer.text, "is closed, so nothing was changed")
      assert.lengthOf(yield* kept, rows)
    }))

  it.effect("to an app that was suspended meanwhile is told so, and the app gets nothing", () =>
    Effect.gen(function*() {
      const { admin, client, path } = yield* asking()
      const user = yield* newUser()
      const { follow, get, post, signIn } = yield* visitor
      const page = yield* follow(yield* signIn(user, yield* Effect.map(get(path), (one) => nextOf(one) ?? "")))
      yield* endSessions(user)
      const lost = yield* post("/auth/oauth2/decision", { ...inForm(page, "/auth/oauth2/decision"), decision: "allow" })
      yield* (yield* ClientReview).suspend(admin, client.id, "Because.", client.version)
      const back = yield* follow(yield* signIn(user, nextOf(lost) ?? ""))
      assert.strictEqual(back.status, 403)
      assert.include(back.text, "This app is suspended")
    }))

  it.effect("can come back to every form of these pages", () =>
    Effect.gen(function*() {
      const admin = yield* newUser("admin")
      const { client } = yield* Clients.newClient(admin.id)
      const { path } = yield* asking()
      const { get, signIn } = yield* visitor
      yield* signIn(admin)
      const key = yield* (yield* ApiKeys).create(admin.id, "a script", admin.id)
      const pages = [
        "/account",
        `/account/api-keys/revoke?id=${key.info.id}`,
        ...["", "/addresses", "/scopes"].map((step) => `/settings/apps/new${step}?draft=${crypto.randomUUID()}`),
        `/settings/apps/${client.id}/credentials`,
        `/settings/apps/${client.id}/scopes`,
        `/settings/apps/${client.id}/settings`,
        `/review/${client.id}`,
        "/playground",
        path
      ]
      for (const address of pages) {
        const { status, text } = yield* get(address)
        assert.strictEqual(status, 200, address)
        const forms = parse(text).querySelectorAll("main form[method=post]:not([data-time-zone])")
        assert.isNotEmpty(forms, address)
        for (const form of forms) {
          const field = (name: string) => form.querySelector(`[name=${name}]`)?.getAttribute("value")
          assert.strictEqual(field("form_page"), address, form.toString())
          assert.match(field("form_user") ?? "", /^[\w-]+\.[\w-]{43}$/, form.toString())
        }
      }
    }))

  it.effect("keeps a bounded number of forms, and only of forms that this server has made", () =>
    Effect.gen(function*() {
      const user = yield* newUser()
      const { get, post, signIn } = yield* visitor
      yield* signIn(user)
      const fields = inForm(yield* get("/account"), "/account/profile")
      yield* endSessions(user)
      const before = (yield* kept).length
      for (let i = 0; i < maxForms + 3; i++) yield* post("/account/profile", { ...fields, bio: `Number ${i}` })
      const bios = (yield* kept).map(({ fields }) => fields?.["bio"])
      assert.lengthOf(bios, before + maxForms)
      assert.include(bios, `Number ${maxForms + 2}`)
      const { form_user: mark = "" } = fields
      for (const forged of ["", "x", mark.slice(0, -1), `${mark}x`, mark.replace(/^[^.]+/, "YQ"), "YQ."]) {
        assert.strictEqual((yield* post("/account/profile", { ...fields, form_user: forged })).status, 403, forged)
      }
      const elsewhere = yield* post("/account/profile", fields, { "sec-fetch-site": "cross-site" })
      assert.strictEqual(elsewhere.status, 403)
      assert.lengthOf(yield* kept, before + maxForms)
      // A page of another site, under the name of a page of ours.
      const evil = yield* post("/account/profile", { ...fields, form_page: "https://evil.test/" })
      yield* signIn(user)
      const id = /continue%2F([\w-]+)/.exec(evil.headers.get("location") ?? "")?.[1] ?? ""
      assert.strictEqual((yield* get(`/continue/${id}`)).headers.get("location"), `/?continue=${id}`)
    }))
})

layer(Server)("A long authorization request", (it) => {
  it.effect("waits under an id, for whoever signs in, and its state comes back whole", () =>
    Effect.gen(function*() {
      const state = "ü/=".repeat(270)
      assert.isAbove(encodeURIComponent(state).length, 2_400)
      const { client, path } = yield* asking(state)
      const { follow, get, post, signIn } = yield* visitor
      const toSignIn = yield* get(path)
      assert.isBelow(toSignIn.headers.get("location")?.length ?? 0, 100)
      // An address that was kept elsewhere leads to the same.
      assert.match(
        (yield* get(`/sign-in?${new URLSearchParams({ return_to: path })}`)).headers.get("location") ?? "",
        /^\/sign-in\?return_to=%2Fcontinue%2F/
      )
      const page = yield* follow(yield* signIn(yield* newUser(), nextOf(toSignIn)))
      const allowed = yield* post("/auth/oauth2/decision", {
        ...inForm(page, "/auth/oauth2/decision"),
        decision: "allow"
      })
      const answer = new URL(allowed.headers.get("location") ?? "")
      assert.strictEqual(answer.searchParams.get("state"), state)
      assert.strictEqual(`${answer.origin}${answer.pathname}`, client.redirectUris[0])
    }))

  it.effect("leads on by the page's own account switch, too", () =>
    Effect.gen(function*() {
      const { path } = yield* asking("s".repeat(2_000))
      const { follow, get, post, signIn } = yield* visitor
      const first = yield* newUser()
      const page = yield* follow(yield* signIn(first, nextOf(yield* get(path))))
      const fields = inForm(page, "/auth/oauth2/switch-account")
      // With a session and, after it was lost, without one.
      for (const _ of ["with", "without"]) {
        const switched = yield* post("/auth/oauth2/switch-account", fields)
        assert.isBelow(nextOf(switched)?.length ?? 0, 100)
        yield* endSessions(first)
      }
    }))

  it.effect("is refused when it is too long to be kept, or the address keeps too many, and nothing is kept", () =>
    Effect.gen(function*() {
      const { get } = yield* visitor
      const before = (yield* kept).length
      const tooLong = yield* get(`/account?x=${"x".repeat(9_000)}`)
      assert.strictEqual(tooLong.status, 414)
      assert.include(tooLong.text, "Sign in first")
      yield* useUp("budget", "continuation", "address", "unknown")
      const tooMany = yield* get(`/account?x=${"x".repeat(1_000)}`)
      assert.strictEqual(tooMany.status, 429)
      assert.isNotNull(tooMany.headers.get("retry-after"))
      assert.lengthOf(yield* kept, before)
      // A short one needs no room.
      assert.strictEqual((yield* get("/account")).headers.get("location"), "/sign-in?return_to=%2Faccount")
    }))
})
