import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { ServerResponse } from "node:http"
import { LogLines } from "../../../support/LogLines.ts"
import type { OidcProvider } from "../../../support/OidcProvider.ts"
import { browser, Platform, Server } from "./Scenario.ts"

type Answer = (response: ServerResponse, platform: OidcProvider) => void

/** Answers of a UserInfo endpoint that does not serve this client, and will not in a moment either. */
const refusals: ReadonlyArray<readonly [what: string, answer: Answer]> = [
  ["401", (response) => void response.writeHead(401, { "www-authenticate": "Bearer error=\"invalid_token\"" }).end()],
  ["401 without a challenge", (response) => void response.writeHead(401).end()],
  ["403", (response) => void response.writeHead(403).end()],
  ["404", (response) => void response.writeHead(404).end()],
  [
    "a signed JWT",
    (response, { sign, user }) =>
      void sign({ ...user }).then((token) => response.writeHead(200, { "content-type": "application/jwt" }).end(token))
  ],
  [
    "claims without a subject",
    (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{\"name\":\"Mallory\"}")
  ]
]

const metadata = "/.well-known/openid-configuration"

layer(Server.pipe(Layer.provideMerge(LogLines.layer)))("A provider that is not as others are", (it) => {
  describe("in UserInfo", () => {
    it.effect.each(refusals)(
      "signs its users in by the ID token where that answers %s, and the log says so",
      ([, answer]) =>
        Effect.gen(function*() {
          const log = yield* LogLines
          const platform = yield* Platform
          yield* TestClock.adjust("2 minutes")
          const before = log.all.length
          platform.faults.set("/me", (_, response) => answer(response, platform))
          for (let n = 0; n < 2; n++) assert.strictEqual((yield* (yield* browser).signIn()).status, 303)
          platform.faults.clear()
          const lines = log.all.slice(before).filter(({ level }) => level === "WARN")
          assert.deepStrictEqual(lines.map(({ message }) => message), [
            "UserInfo of the OpenID Connect provider is left out"
          ])
        })
    )
  })

  describe("in client authentication", () => {
    it.effect.each([
      { methods: ["client_secret_post"], header: false },
      { methods: ["client_secret_post", "private_key_jwt"], header: false },
      { methods: ["client_secret_post", "client_secret_basic"], header: true },
      { methods: ["private_key_jwt"], header: true },
      { methods: undefined, header: true }
    ])("gets the secret as it says: $methods", ({ header, methods }) =>
      Effect.gen(function*() {
        const platform = yield* Platform
        const { authenticate, begin, send } = yield* browser
        const known = yield* Effect.promise(async () => (await fetch(`${platform.issuer}${metadata}`)).json())
        platform.faults.set(metadata, (_, response) =>
          void response.writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ ...known, token_endpoint_auth_methods_supported: methods })))
        let body = ""
        const asked = new Promise<boolean>((resolve) =>
          platform.faults.set("/token", (request, response) => {
            request.setEncoding("utf8").on("data", (chunk: string) =>
              body += chunk).on("end", () => {
                resolve(request.headers.authorization?.startsWith("Basic ") === true)
                response.writeHead(400, { "content-type": "application/json" }).end("{\"error\":\"invalid_grant\"}")
              })
          })
        )
        yield* send(yield* authenticate(yield* begin()))
        assert.strictEqual(
          yield* Effect.promise(() =>
            asked
          ),
          header
        )
        assert.strictEqual(new URLSearchParams(body).has("client_secret"), !header)
        platform.faults.clear()
      }))
  })

  describe("in logout tokens", () => {
    it.effect("is told in the log that they need an end", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const platform = yield* Platform
        const { send, signIn } = yield* browser
        yield* signIn()
        yield* TestClock.adjust("2 minutes")
        const before = log.all.length
        const events = { "http://schemas.openid.net/event/backchannel-logout": {} }
        // The provider's clock is the test's.
        const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const claims = { sub: platform.user.sub, iat, jti: crypto.randomUUID(), events }
        const logout_token = yield* Effect.promise(() => platform.sign(claims, { withoutEnd: true }))
        const body = new URLSearchParams({ logout_token })
        assert.strictEqual((yield* send("/sign-in/oidc/back-channel-logout", { method: "POST", body })).status, 400)
        assert.strictEqual((yield* send("/account")).status, 200)
        const [line, ...more] = log.all.slice(before)
        assert.isEmpty(more)
        assert.strictEqual(line?.["level"], "WARN")
        assert.include(String(line?.["message"]), "without `exp`")
      }))
  })
})
