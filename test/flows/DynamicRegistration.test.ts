import { assert, layer } from "@effect/vitest"
import { registerClient } from "@modelcontextprotocol/sdk/client/auth.js"
import { Effect, Redacted } from "effect"
import * as openid from "openid-client"
import { InitialTokens } from "../../src/core/clients/dynamic/InitialTokens.ts"
import { TestServer } from "../../src/testing.ts"
import { managed } from "../doors/oauth/registration/Scenario.ts"
import * as Live from "../support/LiveServer.ts"

const redirectUri = "http://127.0.0.1:33418/callback"

layer(Live.layer({ DYNAMIC_REGISTRATION: "open" }), { excludeTestServices: true })(
  "clients that others wrote register by themselves:",
  (it) => {
    it.effect("the SDK of the Model Context Protocol, from the metadata of the server", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const made = yield* Effect.promise(async () => {
          const found = await fetch(`${url}/.well-known/oauth-authorization-server`)
          const metadata = await found.json() as NonNullable<Parameters<typeof registerClient>[1]["metadata"]>
          const clientMetadata = {
            client_name: "Inspector",
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: "none",
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"]
          }
          return await registerClient(url, { metadata, clientMetadata, scope: "PROFILE_READ" })
        })
        assert.deepInclude(made, { client_name: "Inspector", redirect_uris: [redirectUri], scope: "PROFILE_READ" })
        assert.isUndefined(made.client_secret)
      }))

    it.effect("openid-client, with an initial access token", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { token } = yield* Effect.orDie((yield* InitialTokens).create({ name: "CI", mostUses: 1 }, "cli"))
        const made = yield* Effect.promise(() =>
          openid.dynamicClientRegistration(
            new URL(url),
            { redirect_uris: ["https://app.example/callback"], client_name: "Rest" },
            undefined,
            { algorithm: "oauth2", initialAccessToken: Redacted.value(token), execute: [openid.allowInsecureRequests] }
          )
        )
        assert.isString(made.clientMetadata().client_secret)
        assert.strictEqual(made.clientMetadata()["review_status"], "pending")
      }))
  }
)

layer(TestServer.layer({ DYNAMIC_REGISTRATION: "open" }), { timeout: "1 minute" })("registrations", (it) => {
  it.effect("expire unused: not one that waits for its review, nor one that has access", () =>
    Effect.gen(function*() {
      const kit = yield* TestServer
      yield* kit.reset
      const admin = yield* kit.session(yield* kit.user({ role: "admin" }))
      const call = Effect.fnUntraced(function*(path: string, init: RequestInit = {}) {
        const response = yield* kit.fetch(path, init)
        const text = yield* Effect.promise(() => response.text())
        return {
          status: response.status,
          headers: response.headers,
          text,
          json: text.startsWith("{") ? JSON.parse(text) : {}
        }
      })
      const register = Effect.map(
        call("/v2/auth/oauth2/register", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            redirect_uris: ["https://app.example/callback"],
            client_name: `App ${crypto.randomUUID()}`,
            token_endpoint_auth_method: "none",
            scope: "PROFILE_READ"
          })
        }),
        managed
      )
      const isThere = ({ path, token }: { readonly path: string; readonly token: unknown }) =>
        Effect.map(call(path, { headers: { authorization: `Bearer ${token}` } }), ({ status }) => status === 200)
      const approve = ({ id }: { readonly id: string }) =>
        kit.fetch(`/v2/admin/oauth-clients/${id}/approve`, {
          method: "POST",
          headers: { cookie: admin.cookie, "x-csrf-token": admin.csrf, "content-type": "application/json" },
          body: JSON.stringify({ version: 1 })
        })

      const unasked = yield* register
      const unused = yield* register
      assert.strictEqual((yield* approve(unused)).status, 200)
      const page = yield* call(`/review/${unasked.id}`, { headers: { cookie: admin.cookie } })
      assert.include(page.text, "registered by itself, as anybody")
      assert.strictEqual(page.status, 200)

      yield* kit.advance("13 days")
      yield* kit.runScheduledJobs("expiry")
      assert.deepStrictEqual(yield* Effect.forEach([unasked, unused], isThere), [true, true])
      yield* kit.advance("2 days")
      yield* kit.runScheduledJobs("expiry")
      assert.deepStrictEqual(yield* Effect.forEach([unasked, unused], isThere), [false, false])
    }))
})
