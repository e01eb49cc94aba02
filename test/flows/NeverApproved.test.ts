import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Testing from "../../src/testing.ts"
import { ownerless, person, requestOf } from "./WaitingScenario.ts"

layer(Testing.TestServer.layer(), { timeout: "1 minute" })("An app that waits for review", (it) => {
  for (const status of ["pending", "rejected"] as const) {
    it.effect(`gets nothing at any endpoint while it is ${status}, whatever it had`, () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const sql = yield* SqlClient.SqlClient
        const app = yield* ownerless({ status: "approved" })
        const tab = yield* person
        const asked = { app, user: tab.user }
        const tokens = yield* kit.tokens(asked)
        const { code, codeVerifier } = yield* kit.authorize(asked)
        const { body } = yield* tab.get(requestOf(app, { prompt: "consent" }))
        const question = /name="request" value="([^"]*)"/.exec(body)?.[1] ?? ""
        assert.notStrictEqual(question, "")
        const credential = yield* kit.credential
        // The state that no reviewer has led to, planted.
        yield* sql`UPDATE clients SET status = ${status}, reviewed_at = NULL WHERE id = ${app.clientId}`

        const token = Effect.fnUntraced(function*(fields: Readonly<Record<string, string>>) {
          const response = yield* kit.fetch("/v2/auth/oauth2/token", {
            method: "POST",
            body: new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret ?? "", ...fields })
          })
          assert.strictEqual(response.status >= 400, true)
          assert.notInclude(yield* Effect.promise(() => response.text()), "access_token")
        })
        yield* token({
          grant_type: "authorization_code",
          code,
          redirect_uri: app.redirectUri,
          code_verifier: codeVerifier
        })
        yield* token({ grant_type: "refresh_token", refresh_token: tokens.refreshToken })

        const me = yield* kit.fetch("/v2/me", { headers: { authorization: `Bearer ${tokens.accessToken}` } })
        assert.strictEqual(me.status, 401)
        const introspected = yield* kit.fetch("/v2/auth/oauth2/introspect", {
          method: "POST",
          headers: { authorization: `Bearer ${Redacted.value(credential)}` },
          body: new URLSearchParams({ token: tokens.accessToken })
        })
        assert.include(yield* Effect.promise(() => introspected.text()), "\"active\":false")

        const decided = yield* tab.post("/auth/oauth2/decision", {
          request: question,
          client_id: app.clientId,
          decision: "allow"
        })
        assert.strictEqual(decided.location, null)
        assert.isAtLeast(decided.status, 400)

        // Whatever it asks, and however wrong it is, it is never redirected to.
        const wrong = [
          {},
          { scope: "NO_SUCH_SCOPE" },
          { scope: "" },
          { response_type: "token" },
          { response_mode: "fragment" },
          { code_challenge: "short" },
          { code_challenge_method: "plain" },
          { redirect_uri: "https://attacker.example/" },
          { redirect_uri: "" },
          { prompt: "none" },
          { scope: "PROFILE_READ BOOKING_WRITE" }
        ]
        for (const more of wrong) {
          const { location, path, status } = yield* tab.get(requestOf(app, more))
          assert.isTrue(
            location === null || path.startsWith("/auth/oauth2/waiting/"),
            `${JSON.stringify(more)} ${path}`
          )
          if (location === null) {
            assert.isAtLeast(status, 400)
            continue
          }
          for (const act of ["ask", "back"]) {
            const { location } = yield* tab.post(`${path}/${act}`, { reason: "Please." })
            assert.isTrue(location === null || new URL(location, kit.url).pathname === path)
          }
          const page = yield* tab.get(path)
          assert.strictEqual(page.location, null)
          assert.notInclude(page.csp, "app.example")
        }
      }))
  }
})
