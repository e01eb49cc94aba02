// @effect-diagnostics strictEffectProvide:off
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { parse } from "node-html-parser"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { decisionPath, switchAccountPath } from "../../../src/doors/consent/ConsentView.ts"
import {
  authorizePath,
  browser,
  codesOf,
  grant,
  newAccount,
  newClient,
  parameters,
  requestingApp,
  Services
} from "./Scenario.ts"

layer(Services)((it) => {
  describe("The authorization endpoint", () => {
    it.effect("redirects to the sign-in page without a session, and back to the same request", () =>
      Effect.gen(function*() {
        const { request } = yield* requestingApp()
        const path = authorizePath(request)
        const { location, status } = yield* (yield* browser()).get(path)
        assert.strictEqual(status, 303)
        assert.strictEqual(new URL(location!, "https://slotkey.test").pathname, "/sign-in")
        assert.strictEqual(parameters(`https://slotkey.test${location}`)["return_to"], path)
      }))

    it.effect("sends no error to the app before the user has signed in (no open redirector)", () =>
      Effect.gen(function*() {
        const { request, tab } = yield* requestingApp()
        const path = authorizePath({ ...request, scope: "NONSENSE" })
        const { location } = yield* (yield* browser()).get(path)
        assert.isTrue(location?.startsWith("/sign-in?"))
        const signedIn = yield* tab.get(path)
        assert.strictEqual(signedIn.status, 303)
        assert.deepStrictEqual(parameters(signedIn.location), {
          error: "invalid_scope",
          error_description: "scope names what does not exist: NONSENSE",
          state: request.state,
          iss: "https://slotkey.test"
        })
      }))

    it.effect("shows an error page instead of redirecting to an invalid URI", () =>
      Effect.gen(function*() {
        const { owner, request, tab } = yield* requestingApp()
        const { client: pending } = yield* newClient(owner)
        for (
          const [query, status, cause] of [
            [{ ...request, client_id: "unknown" }, 400, "client_id"],
            [{ ...request, client_id: "" }, 400, "client_id is missing"],
            [{ ...request, redirect_uri: "https://evil.example/" }, 400, "redirect_uri"],
            [{ ...request, redirect_uri: "" }, 400, "redirect_uri is missing"],
            [{ ...request, client_id: pending.id }, 403, "waiting for review"]
          ] as const
        ) {
          for (const tabs of [tab, yield* browser()]) {
            const answer = yield* tabs.get(authorizePath(query))
            assert.strictEqual(answer.status, status)
            assert.isNull(answer.location)
            assert.include(answer.body, cause)
          }
        }
        for (
          const extra of ["&client_id=x", "&redirect_uri=https%3A%2F%2Fevil.example", "&x=%00", "&x=%ff", "&x=%zz"]
        ) {
          const answer = yield* tab.get(authorizePath(request) + extra)
          assert.strictEqual(answer.status, 400)
          assert.isNull(answer.location)
        }
      }))

    it.effect.prop("never fails and never redirects elsewhere, whatever is appended to a request", [
      Schema.Array(
        Schema.Union([
          Schema.String,
          Schema.Literals([
            "&",
            "=",
            "%",
            "%0d%0a",
            "%ff",
            "#",
            "scope=",
            "&redirect_uri=https://evil.example",
            "&state="
          ])
        ])
      )
    ], ([parts]) =>
      Effect.gen(function*() {
        const { request, tab } = yield* requestingApp()
        const { location, status } = yield* tab.get(authorizePath(request) + parts.join("").toWellFormed())
        assert.isBelow(status, 500)
        assert.isTrue(location === null || location.startsWith(`${request.redirect_uri}?error=`), location ?? "")
      }))

    it.effect("names app, account, host and scopes on a page that may lead to the app, and is neither framed nor cached", () =>
      Effect.gen(function*() {
        const { request, tab, user } = yield* requestingApp({ name: "<script>alert(1)</script>" })
        const { body, headers, status } = yield* tab.get(authorizePath(request))
        assert.strictEqual(status, 200)
        for (const text of ["&lt;script&gt;", "app.example", user, "See your profile"]) assert.include(body, text)
        assert.notInclude(body, "<script>alert")
        assert.include(headers.get("content-security-policy"), "form-action 'self' https://app.example https:;")
        assert.include(headers.get("content-security-policy"), "frame-ancestors 'none'")
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(headers.get("x-frame-options"), "DENY")
      }))

    it.effect.each(
      [
        [
          "https",
          "confidential",
          "https://app.example/callback?keep=1",
          "https://app.example/callback?keep=1",
          "https://app.example https:"
        ],
        ["loopback", "public", "http://127.0.0.1/cb", "http://127.0.0.1:51234/cb", "http://127.0.0.1:51234 https:"],
        ["private-use", "public", "com.example.app:/cb", "com.example.app:/cb", "com.example.app:"]
      ] as const
    )("hands the code to the app (%s)", ([, kind, registered, redirectUri, source]) =>
      Effect.gen(function*() {
        const { client, request, tab } = yield* requestingApp({ kind, redirectUris: [registered] })
        const page = yield* tab.get(authorizePath({ ...request, redirect_uri: redirectUri }))
        assert.include(page.headers.get("content-security-policy"), `form-action 'self' ${source};`)
        const { location, status } = yield* tab.post(decisionPath, {
          csrf: tab.csrf,
          request: page.question,
          decision: "allow"
        })
        assert.strictEqual(status, 303)
        assert.isTrue(location?.startsWith(redirectUri))
        const { code, ...rest } = parameters(location)
        assert.match(code ?? "", /^slk_code_\w+$/)
        assert.deepStrictEqual(rest, {
          ...(registered.includes("keep") ? { keep: "1" } : {}),
          state: request.state,
          iss: "https://slotkey.test"
        })
        assert.deepStrictEqual(
          (yield* codesOf(client.id)).map(({ redirectUri, scopes }) => ({ redirectUri, scopes })),
          [
            { redirectUri, scopes: ["PROFILE_READ"] }
          ]
        )
      }))

    it.effect("notifies the user of a new connection by mail, and records the decision", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { client, request, tab, user } = yield* requestingApp()
        const decide = Effect.fnUntraced(function*(decision: string) {
          const { question } = yield* tab.get(authorizePath({ ...request, prompt: "consent" }))
          yield* tab.post(decisionPath, { csrf: tab.csrf, request: question, decision })
          return yield* sql`SELECT payload FROM outbox WHERE queue = 'new-connections' AND subject = ${`user:${user}`}`
        })
        assert.deepStrictEqual(yield* decide("deny"), [])
        const payload = { userId: user, clientId: client.id, scopes: ["PROFILE_READ"] }
        assert.deepStrictEqual(yield* decide("allow"), [{ payload }])
        yield* grant(user, client.id, ["PROFILE_READ"])
        assert.lengthOf(yield* decide("allow"), 1)
        const trail = yield* (yield* AuditLog).list({ userId: user, clientId: client.id })
        assert.deepStrictEqual(trail.map(({ action, details }) => [action, details["scope"]]), [
          ["consent.allowed", "PROFILE_READ"],
          ["consent.allowed", "PROFILE_READ"],
          ["consent.denied", "PROFILE_READ"]
        ])
      }))

    it.effect("tells the app that the user denied its request", () =>
      Effect.gen(function*() {
        const { client, request, tab } = yield* requestingApp()
        const { question } = yield* tab.get(authorizePath(request))
        const { location, status } = yield* tab.post(decisionPath, {
          csrf: tab.csrf,
          request: question,
          decision: "deny"
        })
        assert.strictEqual(status, 303)
        assert.deepStrictEqual(parameters(location), {
          error: "access_denied",
          error_description: "the user denied the request",
          state: request.state,
          iss: "https://slotkey.test"
        })
        assert.deepStrictEqual(yield* codesOf(client.id), [])
      }))

    it.effect("accepts one decision on a question", () =>
      Effect.gen(function*() {
        const { client, request, tab } = yield* requestingApp()
        const { question } = yield* tab.get(authorizePath(request))
        const fields = { csrf: tab.csrf, request: question, decision: "allow" }
        const answers = yield* Effect.all(Array.from({ length: 10 }, () => tab.post(decisionPath, fields)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
          303,
          ...Array.from({ length: 9 }, () => 410)
        ])
        assert.lengthOf(yield* codesOf(client.id), 1)
      }))

    it.effect("accepts a decision only with the CSRF token of the session that was asked", () =>
      Effect.gen(function*() {
        const { client, request, tab, user } = yield* requestingApp()
        const { question } = yield* tab.get(authorizePath(request))
        const fields = { csrf: tab.csrf, request: question, decision: "allow" }
        const other = yield* browser(yield* newAccount("mallory"))
        const again = yield* browser(user)

        assert.strictEqual((yield* tab.post(decisionPath, { ...fields, csrf: "" })).status, 403)
        assert.strictEqual((yield* tab.post(decisionPath, { ...fields, csrf: other.csrf })).status, 403)
        assert.strictEqual((yield* other.post(decisionPath, fields)).status, 403)
        assert.strictEqual((yield* other.post(decisionPath, { ...fields, csrf: other.csrf })).status, 410)
        assert.strictEqual((yield* again.post(decisionPath, { ...fields, csrf: again.csrf })).status, 410)
        assert.strictEqual((yield* (yield* browser()).post(decisionPath, fields)).status, 403)
        assert.strictEqual((yield* tab.post(decisionPath, { ...fields, decision: "perhaps" })).status, 400)
        assert.deepStrictEqual(yield* codesOf(client.id), [])
        assert.strictEqual((yield* tab.post(decisionPath, fields)).status, 303)
      }))

    it.effect("takes no values of the request from the form", () =>
      Effect.gen(function*() {
        const { client, request, tab } = yield* requestingApp()
        const { question } = yield* tab.get(authorizePath(request))
        const { location } = yield* tab.post(decisionPath, {
          ...request,
          csrf: tab.csrf,
          request: question,
          decision: "allow",
          redirect_uri: "https://evil.example",
          scope: "BOOKING_READ",
          state: "other"
        })
        assert.isTrue(location?.startsWith("https://app.example/callback?code="))
        assert.strictEqual(parameters(location)["state"], request.state)
        assert.deepStrictEqual((yield* codesOf(client.id))[0]?.scopes, ["PROFILE_READ"])
      }))

    it.effect("closes a question after half an hour", () =>
      Effect.gen(function*() {
        const { request, tab } = yield* requestingApp()
        const { question } = yield* tab.get(authorizePath(request))
        yield* TestClock.adjust("30 minutes")
        const { status } = yield* tab.post(decisionPath, { csrf: tab.csrf, request: question, decision: "allow" })
        assert.strictEqual(status, 410)
      }))

    it.effect("keeps the newest twenty questions of a session", () =>
      Effect.gen(function*() {
        const { request, tab } = yield* requestingApp()
        const questions = yield* Effect.forEach(Array.from({ length: 25 }), () =>
          Effect.andThen(
            TestClock.adjust("1 second"),
            Effect.map(tab.get(authorizePath(request)), ({ question }) => question)
          ))
        const decide = (question = "") =>
          tab.post(decisionPath, { csrf: tab.csrf, request: question, decision: "allow" })
        assert.strictEqual((yield* decide(questions[4])).status, 410)
        for (const question of [questions[5], questions[24]]) assert.strictEqual((yield* decide(question)).status, 303)
      }))

    it.effect("validates the app again when the user decides", () =>
      Effect.gen(function*() {
        const review = yield* ClientReview
        const { admin, client, request, tab } = yield* requestingApp()
        const { question } = yield* tab.get(authorizePath(request))
        const fields = { csrf: tab.csrf, request: question, decision: "allow" }
        yield* review.suspend(admin, client.id, "It sends spam to its users.")
        const answer = yield* tab.post(decisionPath, fields)
        assert.strictEqual(answer.status, 403)
        assert.isNull(answer.location)
        assert.deepStrictEqual(yield* codesOf(client.id), [])

        yield* review.resume(admin, client.id)
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE clients SET scopes = ${["BOOKING_READ"]} WHERE id = ${client.id}`
        const narrowed = yield* tab.post(decisionPath, fields)
        assert.strictEqual(parameters(narrowed.location)["error"], "invalid_scope")
        assert.deepStrictEqual(yield* codesOf(client.id), [])
      }))

    it.effect("asks once more, with the end that was chosen, where nothing was ticked", () =>
      Effect.gen(function*() {
        const { client, request, tab } = yield* requestingApp({
          scopes: ["BOOKING_READ", "PROFILE_READ"],
          optionalScopes: ["BOOKING_READ"]
        })
        const { body } = yield* tab.get(authorizePath({ ...request, scope: "BOOKING_READ" }))
        const form = parse(body).querySelector("form.decision")
        const fields = form?.querySelectorAll("input[type=hidden]").map((input) => [
          input.getAttribute("name") ?? "",
          input.getAttribute("value") ?? ""
        ])
        const again = yield* tab.post(decisionPath, {
          ...Object.fromEntries(fields ?? []),
          end: "day",
          decision: "allow"
        })
        assert.deepStrictEqual([again.status, yield* codesOf(client.id)], [400, []])
        const page = parse(again.body)
        assert.match(page.querySelector("title")?.text ?? "", /^1 error: /)
        assert.include(page.querySelector(".notice.error")?.text ?? "", "Tick at least one thing")
        assert.strictEqual(page.querySelector("[name=end][checked]")?.getAttribute("value"), "day")
      }))

    it.effect("lets the user switch accounts", () =>
      Effect.gen(function*() {
        const { request, tab } = yield* requestingApp()
        const path = authorizePath(request)
        yield* tab.get(path)
        const switched = yield* tab.post(switchAccountPath, { csrf: tab.csrf, return_to: path })
        assert.strictEqual(switched.status, 303)
        assert.isTrue(switched.location?.startsWith("/sign-in?return_to=%2Fauth%2Foauth2%2Fauthorize"))
        assert.isTrue((yield* tab.get(path)).location?.startsWith("/sign-in?"))
        const outside = yield* browser(yield* newAccount("user"))
        const { location } = yield* outside.post(switchAccountPath, { csrf: outside.csrf, return_to: "//evil.example" })
        assert.strictEqual(location, "/sign-in?return_to=%2F&another=1")
      }))
  })
})
