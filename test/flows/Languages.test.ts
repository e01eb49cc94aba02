import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "node-html-parser"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { TestServer } from "../../src/testing.ts"
import { registeredRoutes } from "../support/Routes.ts"
import { accented, accentedCatalogue, mirrored, strayTexts } from "../support/StrayTexts.ts"

const Server = TestServer.layer({ catalogue: accentedCatalogue }).pipe(
  Layer.provide(Layer.succeed(Languages, [english, accented, mirrored]))
)

/** Names in letters that no English text has. */
const [person, app] = ["Ümýt Ñø", "Þé Åpþ"]

layer(Server, { timeout: "2 minutes" })("A page", (it) => {
  type Page = Effect.Success<ReturnType<Effect.Success<typeof scene>["get"]>>

  /** Texts that are no messages, of pages by their names. */
  const strays = (pages: Readonly<Record<string, Page>>) =>
    Object.entries(pages).map(([name, { response, text }]) => [
      name,
      response.headers.get("content-language"),
      ...strayTexts(text)
    ])
  const noStrays = (pages: object) => Object.keys(pages).map((name) => [name, accented.tag])

  /** A user with apps, and a browser that accepts the pseudo-language. */
  const scene = Effect.gen(function*() {
    const kit = yield* TestServer
    yield* kit.reset
    const user = yield* kit.user({ name: person, role: "admin" })
    const connected = yield* kit.app({ name: app, owner: user, scopes: ["BOOKING_READ", "ORG_MEMBERSHIP_WRITE"] })
    const legacy = yield* kit.app({ name: "Ölð", legacy: true, owner: user })
    const { cookie, csrf } = yield* kit.session(user)
    const ask = (path: string, { headers, ...init }: RequestInit = {}) =>
      Effect.flatMap(
        kit.fetch(path, {
          ...init,
          headers: { "accept-language": accented.tag, "sec-fetch-site": "same-origin", ...Object(headers) }
        }),
        (response) => Effect.map(Effect.promise(() => response.text()), (text) => ({ response, text }))
      )
    const get = (path: string) => ask(path, { headers: { cookie } })
    const post = (path: string, fields: Readonly<Record<string, string>>) =>
      ask(path, { method: "POST", headers: { cookie }, body: new URLSearchParams({ csrf, ...fields }) })
    const authorize = (fields: Readonly<Record<string, string>> = {}) =>
      `/auth/oauth2/authorize?${new URLSearchParams({
        client_id: connected.clientId,
        redirect_uri: connected.redirectUri,
        scope: connected.scopes.join(" "),
        ...fields
      })}`
    return { ask, authorize, connected, cookie, csrf, get, kit, legacy, post, user }
  })

  it.effect("has no text that is no message", () =>
    Effect.gen(function*() {
      const { ask, connected, get, kit, legacy, user } = yield* scene
      yield* Effect.forEach([connected, legacy], (app) => kit.tokens({ app, user }))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET name = ${person}`
      yield* sql`UPDATE clients SET purpose = ${app}`
      const paths = (yield* registeredRoutes).flatMap((route) => route.startsWith("GET ") ? [route.slice(4)] : [])
      const stray: Array<readonly [path: string, texts: ReadonlyArray<string>]> = []
      let read = 0
      for (const path of paths) {
        const address = path.replace(":id", path.includes("/users/") ? user.id : connected.clientId)
        for (const { response, text } of [yield* get(address), yield* ask(address)]) {
          if (response.headers.get("content-language") !== accented.tag) continue
          read += 1
          const texts = strayTexts(text)
          if (texts.length > 0) stray.push([path, texts])
        }
      }
      assert.deepStrictEqual(stray, [])
      assert.isAtLeast(read, 30)
    }))

  it.effect("of a sign-in, a consent or an end of access has no text that is no message", () =>
    Effect.gen(function*() {
      const { ask, authorize, connected, get, kit, legacy, post, user } = yield* scene
      const signIn = { email: user.email, password: "wrong", return_to: authorize() }
      const pending = yield* kit.app({ name: "Ŵåîţ", status: "pending" })
      const suspended = yield* kit.app({ name: "Šţöþ", status: "suspended" })
      const isPublic = yield* kit.app({
        name: "Þüþĺïç",
        owner: user,
        kind: "public",
        redirectUri: "com.example.app:/callback"
      })
      const requestOf = ({ clientId, redirectUri }: typeof connected) => ({
        client_id: clientId,
        redirect_uri: redirectUri
      })
      const pages = [
        yield* ask(`/sign-in?${new URLSearchParams({ return_to: authorize() })}`),
        yield* get("/sign-in?renew=1"),
        yield* ask("/sign-in", { method: "POST", body: new URLSearchParams(signIn) }),
        yield* ask("/sign-in", { method: "POST", headers: { "sec-fetch-site": "cross-site" } }),
        yield* ask("/nowhere"),
        yield* post("/nowhere", {}),
        yield* post("/sign-in/nowhere", {}),
        yield* ask("/connections/disconnect", { method: "POST", body: new URLSearchParams({ csrf: "" }) }),
        yield* post("/connections/disconnect", { csrf: "wrong" }),
        yield* get(authorize()),
        yield* get(authorize({ ...requestOf(legacy), scope: "" })),
        yield* get(authorize({
          ...requestOf(isPublic),
          scope: isPublic.scopes.join(" "),
          code_challenge: "x".repeat(43)
        })),
        yield* get(authorize({ client_id: "nobody" })),
        yield* get(authorize({ redirect_uri: "https://elsewhere.example/" })),
        yield* get(authorize(requestOf(pending))),
        yield* get(authorize(requestOf(suspended))),
        yield* get("/auth/oauth2/authorize"),
        yield* get("/auth/oauth2/authorize?client_id=%ff"),
        yield* get("/connections"),
        yield* post("/auth/oauth2/decision", { request: "closed", decision: "allow" }),
        yield* post("/auth/oauth2/decision", {}),
        yield* Effect.andThen(kit.tokens({ app: connected, user }), get(authorize({ prompt: "consent" }))),
        yield* Effect.andThen(kit.tokens({ app: legacy, user }), get("/connections")),
        yield* get(`/connections/disconnect?client_id=${connected.clientId}`),
        yield* get(`/connections/disconnect?app:${connected.clientId}=on&app:${legacy.clientId}=on`),
        yield* get(`/connections?${new URLSearchParams({ search: "ñöñé" })}`),
        yield* Effect.andThen(get("/connections/disconnect"), get("/connections")),
        yield* Effect.andThen(
          post(`/connections/apps/${connected.clientId}/end`, { end: "month" }),
          get(`/connections/apps/${connected.clientId}`)
        ),
        yield* Effect.andThen(
          post("/connections/disconnect", { client_id: connected.clientId }),
          get("/connections")
        )
      ]
      assert.deepStrictEqual(
        pages.map(({ response, text }) => [response.headers.get("content-language"), ...strayTexts(text)]),
        pages.map(() => [accented.tag])
      )
    }))

  it.effect("of an app's owner has no text that is no message", () =>
    Effect.gen(function*() {
      const { connected, get, kit, legacy, post, user } = yield* scene
      const pathOf = ({ clientId }: typeof connected) => `/settings/apps/${clientId}`
      const path = pathOf(connected)
      const fields = {
        name: app,
        purpose: "Þĺåñš",
        website: "https://app.example",
        redirectUris: connected.redirectUri,
        "scope:BOOKING_READ": "on"
      }
      const waiting = yield* kit.app({ name: "Ŵåîţ", owner: user, status: "pending" })
      const rejected = yield* kit.app({ name: "Ñö", owner: user, status: "rejected" })
      const suspended = yield* kit.app({ name: "Šţöþ", owner: user, status: "suspended" })
      const isPublic = yield* kit.app({
        name: "Þüþĺïç",
        owner: user,
        kind: "public",
        redirectUri: "com.example.app:/callback"
      })
      yield* kit.tokens({ app: connected, user })
      yield* get(`/auth/oauth2/authorize?client_id=${connected.clientId}&redirect_uri=https://elsewhere.example/`)
      const secondSecret = yield* post(`${path}/secrets`, {})
      const [revoke = ""] =
        new RegExp(`${path}/secrets/[^/"]+/revoke`).exec((yield* get(`${path}/credentials`)).text) ?? []
      const pages = {
        registered: yield* post("/settings/apps", { ...fields, kind: "confidential", draft: "1" }),
        again: yield* Effect.andThen(
          post("/settings/apps", { ...fields, kind: "confidential", draft: "1" }),
          get("/settings/apps")
        ),
        faults: yield* post("/settings/apps", { name: "x", redirectUris: "http://a.example", logoUrl: "x" }),
        waiting: yield* get(pathOf(waiting)),
        scopes: yield* get(`${path}/scopes`),
        activity: yield* get(`${path}/activity`),
        settings: yield* get(`${path}/settings`),
        rejectedSettings: yield* get(`${pathOf(rejected)}/settings`),
        rejected: yield* get(pathOf(rejected)),
        resubmitted: yield* Effect.andThen(post(`${pathOf(rejected)}/resubmit`, {}), get(pathOf(rejected))),
        suspended: yield* get(pathOf(suspended)),
        public: yield* get(`${pathOf(isPublic)}/credentials`),
        list: yield* get("/settings/apps"),
        elsewhere: yield* get("/settings/apps/nobody"),
        secondSecret,
        twoSecrets: yield* get(`${path}/credentials`),
        thirdSecret: yield* post(`${path}/secrets`, {}),
        revoke: yield* get(revoke),
        revoked: yield* Effect.andThen(post(revoke, {}), get(`${path}/credentials`)),
        lastSecret: yield* post(revoke, {}),
        stale: yield* post(path, { ...fields, version: "0" }),
        nameless: yield* post(path, { ...fields, name: "", version: "1" }),
        noChange: yield* post(`${path}/withdraw`, {}),
        notRejected: yield* post(`${path}/resubmit`, {}),
        notDeleted: yield* post(`${path}/delete`, { confirm: "x" }),
        deleted: yield* Effect.andThen(
          post(`${pathOf(suspended)}/delete`, { confirm: "Šţöþ" }),
          get("/settings/apps")
        ),
        legacy: yield* get(pathOf(legacy)),
        legacyScopes: yield* get(`${pathOf(legacy)}/scopes`),
        notLegacy: yield* get(`${path}/migration`),
        noMigration: yield* get("/settings/apps/nobody/migration")
      }
      assert.deepStrictEqual(strays(pages), noStrays(pages))
    }))

  it.effect("of the playground has no text that is no message", () =>
    Effect.gen(function*() {
      const { ask, cookie, csrf, get, kit, post, user } = yield* scene
      yield* kit.app({ name: "Ŵåîţ", owner: user, status: "pending" })
      yield* kit.app({ name: "Ñö", owner: user, status: "rejected" })
      yield* kit.app({ name: "Šţöþ", owner: user, status: "suspended" })
      const own = yield* kit.app({ name: app, owner: user, redirectUri: `${kit.url}/playground/callback` })
      let cookies = cookie
      const go = Effect.fnUntraced(function*(path: string, fields?: Readonly<Record<string, string>>) {
        const answer = yield* ask(path, {
          headers: { cookie: cookies },
          ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams({ csrf, ...fields }) })
        })
        const kept = answer.response.headers.get("set-cookie")?.split(";")[0]
        if (kept !== undefined) cookies = `${cookie}; ${kept}`
        return answer
      })
      const start = yield* go(`/playground?app=${own.clientId}`)
      const url = parse(start.text).querySelector("a.button[href*=authorize]")?.getAttribute("href") ?? ""
      const comeBack = (decision: "allow" | "deny") =>
        Effect.flatMap(kit.consent(url, user, decision), ({ pathname, search }) => go(`${pathname}${search}`))
      const run = (step: string) =>
        Effect.andThen(
          go("/playground/run", { step, app: own.clientId, secret: own.clientSecret ?? "" }),
          go("/playground/flow")
        )
      const pages = {
        choose: yield* get("/playground"),
        start,
        refused: yield* comeBack("deny"),
        code: yield* Effect.andThen(comeBack("allow"), go("/playground/flow")),
        exchange: yield* run("exchange"),
        me: yield* run("me"),
        refresh: yield* run("refresh"),
        revoke: yield* run("revoke"),
        unexpected: yield* go("/playground/callback?state=x"),
        noApp: yield* go("/playground?app=nobody"),
        notAdded: yield* post("/playground/address", { app: own.clientId })
      }
      assert.deepStrictEqual(strays(pages), noStrays(pages))
    }))

  it.effect("of a change that waits or a migration has no text that is no message", () =>
    Effect.gen(function*() {
      const { connected, get, kit, legacy, post, user } = yield* scene
      const path = `/settings/apps/${connected.clientId}`
      const migration = `/settings/apps/${legacy.clientId}/migration`
      const fields = {
        name: app,
        purpose: "Þĺåñš",
        website: "https://app.example",
        redirectUris: connected.redirectUri,
        "scope:BOOKING_READ": "on",
        "scope:BOOKING_WRITE": "on",
        "scope:ORG_MEMBERSHIP_WRITE": "on"
      }
      yield* kit.tokens({ app: legacy, user })
      const version = (page: string) => parse(page).querySelector("[name=version]")?.getAttribute("value") ?? ""
      const save = (more: Readonly<Record<string, string>>) =>
        Effect.flatMap(
          get(migration),
          ({ text }) => post(migration, { "scope:BOOKING_READ": "on", ...more, version: version(text) })
        )
      const pages = {
        changed: yield* Effect.andThen(
          Effect.flatMap(
            get(`${path}/scopes`),
            ({ text }) => post(`${path}/scopes`, { ...fields, version: version(text) })
          ),
          get(path)
        ),
        rejected: yield* Effect.andThen(kit.decide(connected, "reject", "Þĺ"), get(path)),
        withdrawn: yield* Effect.andThen(post(`${path}/withdraw`, {}), get(path)),
        migration: yield* get(migration),
        noScopes: yield* post(migration, {}),
        early: yield* save({}),
        saved: yield* Effect.andThen(save({ breakOldUrls: "on" }), get(migration)),
        migrated: yield* get(`/settings/apps/${legacy.clientId}`),
        undone: yield* Effect.andThen(
          Effect.flatMap(get(migration), ({ text }) => post(`${migration}/undo`, { version: version(text) })),
          get(migration)
        )
      }
      assert.deepStrictEqual(strays(pages), noStrays(pages))
    }))

  it.effect("is in the language that its reader's app, account or browser wants, in this order", () =>
    Effect.gen(function*() {
      const { ask, authorize, cookie, user } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const languageOf = Effect.fnUntraced(function*(path: string, headers: Readonly<Record<string, string>>) {
        const { response, text } = yield* ask(path, { headers })
        const [, tag, direction] = /<html lang="([^"]*)" dir="([^"]*)">/.exec(text) ?? []
        assert.strictEqual(response.headers.get("content-language"), tag)
        return [tag, direction]
      })
      const english = ["en", "ltr"]
      assert.deepStrictEqual(yield* languageOf("/nowhere", { "accept-language": "" }), english)
      assert.deepStrictEqual(
        yield* languageOf("/nowhere", { "accept-language": "de;q=1, en-XA;q=0.5, ar-XB;q=0.8, *" }),
        ["ar-XB", "rtl"]
      )
      assert.deepStrictEqual(yield* languageOf("/connections", { cookie }), ["en-XA", "ltr"])
      yield* sql`UPDATE accounts SET locale = 'ar-XB' WHERE id = ${user.id}`
      for (const path of ["/connections", "/nowhere", authorize()]) {
        assert.deepStrictEqual(yield* languageOf(path, { cookie }), ["ar-XB", "rtl"], path)
      }
      assert.deepStrictEqual(yield* languageOf(authorize({ ui_locales: "tlh en" }), { cookie }), english)
    }))

  it.effect("is in the language that its user has chosen, until they leave it to the browser again", () =>
    Effect.gen(function*() {
      const { get, post, user } = yield* scene
      const shown = Effect.map(get("/account"), ({ response, text }) => [
        response.headers.get("content-language"),
        /<select id="locale"[^]*?<option value="([^"]*)" selected>/.exec(text)?.[1]
      ])
      const profile = { name: person, username: user.username, timeFormat: "24", weekStart: "Monday", timeZone: "UTC" }
      assert.deepStrictEqual(yield* shown, ["en-XA", "browser"])
      yield* post("/account/profile", { ...profile, locale: "ar-XB" })
      assert.deepStrictEqual(yield* shown, ["ar-XB", "ar-XB"])
      yield* post("/account/profile", profile)
      assert.deepStrictEqual(yield* shown, ["ar-XB", "ar-XB"])
      assert.strictEqual((yield* post("/account/profile", { ...profile, locale: "?" })).response.status, 400)
      yield* post("/account/profile", { ...profile, locale: "browser" })
      assert.deepStrictEqual(yield* shown, ["en-XA", "browser"])
    }))

  it.effect("is in the language that an app has asked for, from the sign-in to the consent and its errors", () =>
    Effect.gen(function*() {
      const { ask, authorize, kit, user } = yield* scene
      const tagOf = ({ response }: { readonly response: Response }) => response.headers.get("content-language")
      const seen: Array<string | null> = []
      // The second one is too long for the address of the sign-in page.
      for (const state of ["1", "2".repeat(600)]) {
        const asked = yield* ask(authorize({ state, ui_locales: "ar-XB en" }))
        const signIn = asked.response.headers.get("location") ?? ""
        const returnTo = new URL(signIn, kit.url).searchParams.get("return_to") ?? ""
        const send = (password: string) =>
          ask("/sign-in", {
            method: "POST",
            body: new URLSearchParams({ email: user.email, password, return_to: returnTo })
          })
        seen.push(tagOf(yield* ask(signIn)), tagOf(yield* send("wrong")))
        const signedIn = yield* send(user.password)
        const cookie = signedIn.response.headers.get("set-cookie")?.split(";")[0] ?? ""
        const next = signedIn.response.headers.get("location") ?? returnTo
        const continued = yield* ask(next, { headers: { cookie } })
        const consent = state === "1" ? continued : yield* ask(authorize({ state, ui_locales: "ar-XB en" }), {
          headers: { cookie }
        })
        const [, csrf = ""] = /name="csrf" value="([^"]*)"/.exec(consent.text) ?? []
        const [, page = ""] = /name="form_page" value="([^"]*)"/.exec(consent.text) ?? []
        const refused = yield* ask("/auth/oauth2/decision", {
          method: "POST",
          headers: { cookie },
          body: new URLSearchParams({
            csrf,
            form_page: page.replaceAll("&amp;", "&"),
            request: "closed",
            decision: "deny"
          })
        })
        assert.strictEqual(refused.response.status, 410)
        seen.push(tagOf(continued), tagOf(consent), tagOf(refused))
      }
      assert.deepStrictEqual(seen, seen.map(() => "ar-XB"))
    }))
})
