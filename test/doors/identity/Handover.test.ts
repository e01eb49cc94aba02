// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Array, Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { decodeJwt, SignJWT } from "jose"
import { parse } from "node-html-parser"
import { Departures } from "../../../src/core/accounts/linked/Departures.ts"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import { LocalAccountServices } from "../../../src/core/accounts/LocalAccountServices.ts"
import { UserId } from "../../../src/domain/Ids.ts"
import { server } from "../../../src/testing.ts"
import { challenge } from "../../core/consent/Fixture.ts"
import { LogLines } from "../../support/LogLines.ts"
import { approvedApp, layer as serverLayer } from "../../support/TestServer.ts"

const key = "the-key-of-the-platform-0123456789abcdef"
const platform = "https://platform.example"
const env = {
  SIGN_IN: "handover",
  HANDOVER_URL: `${platform}/login`,
  HANDOVER_KEY: key,
  ADMINISTRATOR_CLAIM: "staff=yes"
}

interface Response {
  readonly status: number
  readonly location: string
  readonly text: string
}

/** A browser with its own cookies. A post from the platform's page brings none of them: they are `SameSite=Lax`. */
const browser = Effect.gen(function*() {
  const send = yield* server
  const cookies = new Map<string, string>()
  const attributes = new Map<string, string>()
  const visit = Effect.fnUntraced(function*(path: string, init: RequestInit = {}, withCookies = true) {
    const headers = new Headers(init.headers)
    if (withCookies) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "))
    const url = new URL(path, "https://slotkey.test")
    const response = yield* send(new Request(url, { ...init, headers, redirect: "manual" }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = "", rest = ""] = /^([^=]+)=([^;]*)(.*)/.exec(cookie) ?? []
      if (rest.includes("Max-Age=0;")) cookies.delete(name)
      else cookies.set(name, value)
      attributes.set(name, rest)
    }
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, location: response.headers.get("location") ?? "", text } satisfies Response
  })
  const postAnswer = (answer: string) =>
    visit("/sign-in/handover", {
      method: "POST",
      headers: { origin: platform, "sec-fetch-site": "cross-site" },
      body: new URLSearchParams({ answer })
    }, false)
  return {
    cookies,
    attributes,
    visit,
    postAnswer,
    /** Claims of the request with which the server sends the browser to the platform. */
    ask: Effect.fnUntraced(function*(path = "/sign-in?return_to=%2Faccount") {
      const { location, status } = yield* visit(path)
      assert.strictEqual(status, 303)
      assert.isTrue(location.startsWith(`${platform}/login?request=`), location)
      return decodeJwt<Asked>(new URL(location).searchParams.get("request") ?? "")
    }),
    /** Tells whether a dangerous act is done, or asks to sign in again. */
    makesKey: Effect.gen(function*() {
      const csrf = /name="csrf" value="([^"]*)"/.exec((yield* visit("/account")).text)?.[1] ?? ""
      const body = new URLSearchParams({ csrf, name: "script", ends: "30" })
      const { text } = yield* visit("/account/api-keys", { method: "POST", body })
      return text.includes("slk_key_")
    }),
    /** What becomes of an answer that the platform's page sends the browser back with. */
    comeBack: Effect.fnUntraced(function*(answer: string) {
      const received = yield* postAnswer(answer)
      return received.status === 303 ? yield* visit(received.location) : received
    })
  }
})

const verified = (email: string) => ({ email, email_verified: true })

interface Asked {
  readonly nonce: string
  readonly response_uri: string
}

const answerTo = Effect.fnUntraced(function*({ nonce }: Asked, claims: Readonly<Record<string, unknown>> = {}) {
  const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const payload = { iss: platform, aud: "https://slotkey.test", iat, nonce, sub: "uma", ...claims }
  return yield* Effect.promise(() =>
    new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ: "handover-answer+jwt" })
      .sign(new TextEncoder().encode(key))
  )
})

layer(Layer.provideMerge(serverLayer(env), LogLines.layer))("sign-in by hand-over", (it) => {
  it.effect("leads from the platform's answer to where the sign-in began", () =>
    Effect.gen(function*() {
      const { ask, comeBack, visit } = yield* browser
      const asked = yield* ask()
      assert.strictEqual(asked.response_uri, "https://slotkey.test/sign-in/handover")
      const answer = yield* answerTo(asked, { sub: "u1", name: "Uma Ünal", ...verified("uma@platform.example") })
      const back = yield* comeBack(answer)
      assert.deepStrictEqual([back.status, back.location], [303, "/account"])
      const { text } = yield* visit("/account")
      assert.include(text, "Uma Ünal")
      assert.include(text, "uma@platform.example")
    }))

  it.effect("tells the platform of an app's request, and leads on to it from a page, because no form may be redirected there", () =>
    Effect.gen(function*() {
      const { client } = yield* approvedApp()
      const { ask, comeBack } = yield* browser
      const request = `/auth/oauth2/authorize?${new URLSearchParams({
        client_id: client.id,
        redirect_uri: client.redirectUris[0] ?? "",
        scope: client.scopes.join(" "),
        code_challenge: challenge,
        login_hint: "uma@platform.example",
        ui_locales: "de en",
        prompt: "login"
      })}`
      const { location } = yield* (yield* browser).visit(request)
      const asked = yield* ask(location)
      assert.deepInclude(asked, {
        client_name: client.name,
        login_hint: "uma@platform.example",
        ui_locales: "de en",
        prompt: "login"
      })
      const back = yield* comeBack(yield* answerTo(asked, { sub: "u2" }))
      assert.strictEqual(back.status, 200)
      assert.include(back.text, "Signed in")
    }))

  it.effect("leads a browser there from a page if it comes from one of ours, whose forms may be redirected nowhere else", () =>
    Effect.gen(function*() {
      const { visit } = yield* browser
      const headers = { "sec-fetch-site": "same-origin" }
      const page = yield* visit("/sign-in?return_to=%2Faccount", { headers })
      assert.strictEqual(page.status, 200)
      const next = "/sign-in?method=handover&amp;return_to=%2Faccount"
      assert.include(page.text, `<meta http-equiv="refresh" content="0;url=${next}">`)
      assert.include(page.text, `href="${next}">Sign in with platform.example</a>`)
      const { location } = yield* visit(next.replace("&amp;", "&"), { headers })
      assert.strictEqual(new URL(location).host, "platform.example")
    }))

  it.effect("tells the platform if the user wants to go on with another account", () =>
    Effect.gen(function*() {
      const { client } = yield* approvedApp()
      const { ask, comeBack, visit } = yield* browser
      const path = `/auth/oauth2/authorize?${new URLSearchParams({
        client_id: client.id,
        redirect_uri: client.redirectUris[0] ?? "",
        scope: client.scopes.join(" "),
        code_challenge: challenge,
        login_hint: "uma@platform.example"
      })}`
      const started = `/sign-in?${new URLSearchParams({ return_to: path })}`
      yield* comeBack(yield* answerTo(yield* ask(started), { sub: "u5" }))
      const csrf = /name="csrf" value="([^"]*)"/.exec((yield* visit(path)).text)?.[1] ?? ""
      const { location } = yield* visit("/auth/oauth2/switch-account", {
        method: "POST",
        body: new URLSearchParams({ csrf, return_to: path })
      })
      const asked = yield* ask(location)
      assert.deepInclude(asked, { prompt: "select_account", client_name: client.name })
      assert.notProperty(asked, "login_hint")
      yield* comeBack(yield* answerTo(asked, { sub: "u6", name: "Ugo" }))
      assert.include((yield* visit(path)).text, "Ugo")
    }))

  it.effect("puts nobody's data into an address, and its cookies out of reach of scripts and other sites", () =>
    Effect.gen(function*() {
      const { ask, attributes, postAnswer } = yield* browser
      const { location } = yield* postAnswer(yield* answerTo(yield* ask(), { name: "Uma" }))
      assert.match(location, /^\/sign-in\/handover\?request=[\w-]{16}$/)
      assert.lengthOf([...attributes], 2)
      for (const [name, rest] of attributes) {
        assert.match(name, /^__Host-slotkey-(handover-[\w-]{16}|answer-last)$/)
        assert.match(rest, /; Max-Age=(3600|60); Path=\/; HttpOnly; Secure; SameSite=Lax$/)
      }
    }))

  it.effect("ends the browser's earlier session", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const count = Effect.map(
        sql<{ n: number }>`SELECT count(*)::int AS n FROM sessions WHERE subject = 'u3'`,
        ([row]) => row?.n
      )
      const { ask, comeBack, cookies } = yield* browser
      const [first, second] = [yield* ask(), yield* ask()]
      yield* comeBack(yield* answerTo(first, { sub: "u3" }))
      const earlier = cookies.get("__Host-slotkey")
      yield* comeBack(yield* answerTo(second, { sub: "u3" }))
      assert.notStrictEqual(cookies.get("__Host-slotkey"), earlier)
      assert.strictEqual(yield* count, 1)
    }))

  it.effect("serves several tabs at once, and forgets the oldest of many", () =>
    Effect.gen(function*() {
      const { ask, comeBack, cookies } = yield* browser
      const path = (n: number) => `/account?tab=${n}&${"x".repeat(400)}`
      const asked = yield* Effect.forEach(
        Array.range(1, 9),
        (n) => ask(`/sign-in?${new URLSearchParams({ return_to: path(n) })}`)
      )
      assert.isBelow([...cookies].join("; ").length, 4_000)
      const [oldest] = asked
      const [third, , newest] = asked.slice(-3)
      if (oldest === undefined || third === undefined || newest === undefined) throw new Error("there are nine")
      assert.strictEqual((yield* comeBack(yield* answerTo(newest))).location, path(9))
      assert.strictEqual((yield* comeBack(yield* answerTo(third))).location, path(7))
      assert.strictEqual((yield* comeBack(yield* answerTo(oldest))).status, 400)
    }))

  it.effect("goes on where each tab wanted to, though both come back at once and an answer takes the other's place", () =>
    Effect.gen(function*() {
      const { ask, postAnswer, visit } = yield* browser
      const tabs = [yield* ask("/sign-in?return_to=%2Faccount"), yield* ask("/sign-in?return_to=%2Fconnections")]
      const back = yield* Effect.forEach(tabs, (asked) => Effect.flatMap(answerTo(asked, { sub: "u7" }), postAnswer))
      const led = yield* Effect.forEach(back, ({ location }) => visit(location))
      assert.deepStrictEqual(led.map(({ location, status }) => [status, location]), [[303, "/account"], [
        303,
        "/connections"
      ]])
    }))

  it.effect("goes on where the sign-in led to when the answer is loaded again by who is signed in", () =>
    Effect.gen(function*() {
      const { ask, cookies, postAnswer, visit } = yield* browser
      const { location } = yield* postAnswer(yield* answerTo(yield* ask("/sign-in?return_to=%2Fconnections")))
      for (let load = 0; load < 2; load++) assert.strictEqual((yield* visit(location)).location, "/connections")
      cookies.delete("__Host-slotkey")
      assert.strictEqual((yield* visit(location)).status, 400)
    }))

  it.effect("has a browser keep one answer at a time, however many another site posts", () =>
    Effect.gen(function*() {
      const { ask, cookies, postAnswer } = yield* browser
      const large = { note: "x".repeat(2_000) }
      for (let n = 0; n < 6; n++) {
        const other = yield* (yield* browser).ask()
        assert.strictEqual((yield* postAnswer(yield* answerTo(other, large))).status, 303)
      }
      yield* ask()
      assert.isBelow([...cookies].join("; ").length, 4_500)
    }))

  it.effect("fills no log with what is refused: a line, and then one a minute", () =>
    Effect.gen(function*() {
      const { comeBack } = yield* browser
      const log = yield* LogLines
      const lines = () => log.all.filter(({ message }) => String(message).startsWith("Refused an answer"))
      // What others were refused before is in the log by then.
      yield* TestClock.adjust("2 minutes")
      const { length } = lines()
      for (let n = 0; n < 20; n++) yield* comeBack(`made-up-${n}`)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(lines().slice(length).map(({ count }) => count), [1, 19])
    }).pipe(Effect.provide(LogLines.layer)))

  it.effect("accepts an answer once, also of several that come at the same moment", () =>
    Effect.gen(function*() {
      const { ask, cookies, postAnswer, visit } = yield* browser
      const { location } = yield* postAnswer(yield* answerTo(yield* ask(), { sub: "u4" }))
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const answers = yield* Effect.all(
        Array.makeBy(5, () => visit(location, { headers: { cookie } }, false)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, 400, 400, 400, 400])
      const refused = answers.find(({ status }) => status === 400)
      assert.include(refused?.text, "was used before")
    }))

  it.effect("refuses another browser's answer and one that is late", () =>
    Effect.gen(function*() {
      const { ask, comeBack } = yield* browser
      const stolen = yield* answerTo(yield* (yield* browser).ask())
      const other = yield* comeBack(stolen)
      assert.deepStrictEqual([other.status, other.text.includes("No sign-in in this browser is waiting")], [400, true])
      const answer = yield* answerTo(yield* ask("/sign-in?return_to=%2Fconnections"))
      yield* TestClock.adjust(Duration.seconds(61))
      const late = yield* comeBack(answer)
      assert.deepStrictEqual([late.status, late.text.includes("took too long")], [400, true])
    }))

  it.effect("refuses a request that is sent back as an answer, and what is too long", () =>
    Effect.gen(function*() {
      const { comeBack, visit } = yield* browser
      const { location } = yield* visit("/sign-in")
      const request = new URL(location).searchParams.get("request") ?? ""
      for (const answer of [request, "a".repeat(4_000), "é", ""]) {
        const { status, text } = yield* comeBack(answer)
        assert.deepStrictEqual([status, text.includes("does not accept")], [400, true])
      }
      assert.strictEqual((yield* comeBack("a".repeat(1_000_000))).status, 413)
    }))

  it.effect("links nobody by an address: an administrator's is worth nothing", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const email = "ada@slotkey.test"
      const password = Redacted.make("correct horse battery staple")
      const admin = yield* accounts.create({ email, name: "Ada Admin", password, role: "admin" })
      const { ask, comeBack, visit } = yield* browser
      yield* comeBack(
        yield* answerTo(yield* ask(), { sub: "mallory", ...verified(email), name: "Mallory", staff: "no" })
      )
      assert.strictEqual((yield* visit("/review")).status, 403)
      assert.include((yield* visit("/account")).text, "Mallory")
      const { text } = yield* visit("/account")
      assert.notInclude(text, "administrator")
      assert.notInclude(text, admin.name)
    }))

  it.effect("takes an administrator's role from the answer", () =>
    Effect.gen(function*() {
      const { ask, comeBack, visit } = yield* browser
      yield* comeBack(yield* answerTo(yield* ask(), { sub: "boss", staff: "yes" }))
      assert.strictEqual((yield* visit("/review")).status, 200)
    }))

  it.effect("is recent as long ago as the platform says that its user signed in", () =>
    Effect.gen(function*() {
      yield* TestClock.adjust(Duration.days(30))
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      for (
        const { auth_time, recent } of [
          { auth_time: now - 60, recent: true },
          { auth_time: now + 5, recent: true },
          { auth_time: now - 601, recent: false },
          { auth_time: 0, recent: false },
          { auth_time: -1, recent: false }
        ]
      ) {
        const { ask, comeBack, makesKey } = yield* browser
        yield* comeBack(yield* answerTo(yield* ask(), { sub: "ann", auth_time }))
        assert.strictEqual(yield* makesKey, recent, String(auth_time))
      }
    }))

  it.effect("is not recent if the platform may have asked for nothing, whatever else it says of the time", () =>
    Effect.gen(function*() {
      yield* TestClock.adjust(Duration.days(30))
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      for (const auth_time of [undefined, String(now), now + 6, now * 1000, 1e300, null, [now]]) {
        const { ask, comeBack, makesKey, visit } = yield* browser
        yield* comeBack(yield* answerTo(yield* ask(), { sub: "abe", auth_time }))
        assert.strictEqual((yield* visit("/account")).status, 200)
        assert.strictEqual(yield* makesKey, false, String(auth_time))
      }
    }))

  it.effect("is recent after the password that this server asked for, unless the platform says otherwise", () =>
    Effect.gen(function*() {
      yield* TestClock.adjust(Duration.days(30))
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      for (
        const { auth_time, recent } of [
          { auth_time: undefined, recent: true },
          { auth_time: "yesterday", recent: true },
          { auth_time: now - 601, recent: false }
        ]
      ) {
        const { ask, comeBack, makesKey } = yield* browser
        yield* comeBack(yield* answerTo(yield* ask(), { sub: "amy" }))
        const again = yield* ask("/sign-in?return_to=%2Faccount&again=1")
        assert.propertyVal(again, "prompt", "login")
        yield* comeBack(yield* answerTo(again, { sub: "amy", auth_time }))
        assert.strictEqual(yield* makesKey, recent, String(auth_time))
      }
    }))

  it.effect("leads to a page that says why, if the platform answers a request for the password with an old sign-in", () =>
    Effect.gen(function*() {
      const { ask, comeBack, makesKey, visit } = yield* browser
      const log = yield* LogLines
      const auth_time = Math.floor((yield* Clock.currentTimeMillis) / 1000) - 601
      yield* comeBack(yield* answerTo(yield* ask(), { sub: "art", auth_time }))
      assert.isFalse(yield* makesKey)
      const csrf = /name="csrf" value="([^"]*)"/.exec((yield* visit("/account")).text)?.[1] ?? ""
      const body = new URLSearchParams({ csrf, name: "script", ends: "30" })
      const asked = yield* visit("/account/api-keys", { method: "POST", body })
      const back = yield* comeBack(yield* answerTo(yield* ask(asked.location), { sub: "art", auth_time }))
      const told = yield* visit(back.location)
      assert.deepStrictEqual([told.status, told.text.includes("You have just signed in again")], [403, true])
      const warned = log.all.find(({ message }) => String(message).startsWith("A user has signed in again in vain"))
      assert.strictEqual(warned?.["auth_time"], String(auth_time))
    }))

  it.effect("cannot be made recent by whoever has the browser, by what it keeps of a request", () =>
    Effect.gen(function*() {
      const { ask, comeBack, cookies, makesKey } = yield* browser
      // The platform forwards who is signed in there, unless the request has the prompt.
      const silent = yield* ask()
      yield* comeBack(yield* answerTo(yield* ask(), { sub: "axl" }))
      const asking = yield* ask("/sign-in?return_to=%2Faccount&again=1")
      const name = ({ nonce }: Asked) => `__Host-slotkey-handover-${nonce.slice(0, 16)}`
      cookies.set(name(silent), cookies.get(name(asking)) ?? "")
      assert.strictEqual((yield* comeBack(yield* answerTo(silent, { sub: "axl" }))).status, 400)
      assert.isFalse(yield* makesKey)
    }))

  it.effect("lets nobody in whose account is disabled", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const sql = yield* SqlClient.SqlClient
      const { ask, comeBack, cookies } = yield* browser
      yield* comeBack(yield* answerTo(yield* ask(), { sub: "gone" }))
      const [row] = yield* sql<{ accountId: string }>`SELECT account_id FROM identities WHERE subject = 'gone'`
      yield* accounts.setDisabled(UserId.make(row?.accountId ?? ""), true, "cli")
      cookies.clear()
      const { status, text } = yield* comeBack(yield* answerTo(yield* ask(), { sub: "gone" }))
      assert.deepStrictEqual([status, text.includes("This account is closed")], [403, true])
      assert.isUndefined(cookies.get("__Host-slotkey"))
      const refusal = (yield* LogLines).all.find(({ message }) => message === "Refused a sign-in")
      assert.deepInclude(refusal, { reason: "AccountDisabled", issuer: platform })
    }).pipe(Effect.provide(LogLines.layer)))

  it.effect("gives an app nothing whose user leaves the platform half way through the consent", () =>
    Effect.gen(function*() {
      const departures = Context.get(yield* Layer.build(LocalAccountServices), Departures)
      const sql = yield* SqlClient.SqlClient
      const { client } = yield* approvedApp()
      const { ask, comeBack, visit } = yield* browser
      const path = `/auth/oauth2/authorize?${new URLSearchParams({
        client_id: client.id,
        redirect_uri: client.redirectUris[0] ?? "",
        scope: client.scopes.join(" "),
        code_challenge: challenge
      })}`
      yield* comeBack(yield* answerTo(yield* ask(), { sub: "leaver" }))
      const form = parse((yield* visit(path)).text).querySelector("form.decision")
      const fields = form?.querySelectorAll("input:not([type=radio])").map((input) =>
        [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""] as [string, string]
      )
      assert.isAbove(fields?.length ?? 0, 0)
      const { account } = yield* departures.leave({ issuer: platform, subject: "leaver" }, UserId.make("boss"))
      const answer = yield* visit(form?.getAttribute("action") ?? "", {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin" },
        body: new URLSearchParams([...fields ?? [], ["decision", "allow"]])
      })
      assert.deepStrictEqual([answer.status, answer.location], [403, ""])
      assert.include(answer.text, "Account closed")
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM codes WHERE user_id = ${account.id}`, [])
    }))
})
