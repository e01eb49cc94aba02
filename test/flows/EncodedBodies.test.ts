import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { gzipSync } from "node:zlib"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { approvedApp, layer as server } from "../support/TestServer.ts"

const form = "application/x-www-form-urlencoded"

layer(server())("A body with a Content-Encoding", (it) => {
  it.effect.each([
    { path: "/v2/auth/oauth2/token", type: form, text: "grant_type=x" },
    { path: "/v2/auth/oauth2/token", type: "application/json", text: "{\"grant_type\":\"x\"}" },
    { path: "/v2/auth/oauth2/introspect", type: form, text: "token=x" },
    { path: "/v2/oauth-clients", type: "application/json", text: "{}" },
    { path: "/sign-in", type: form, text: "email=ann&password=x" }
  ])(
    "is refused as that at $path ($type), and not as one that cannot be read",
    ({ path, text, type }) =>
      Effect.gen(function*() {
        const { ask, owner } = yield* approvedApp()
        const { key } = yield* (yield* ApiKeys).create(owner, "of a test", owner)
        const authorization = path === "/v2/oauth-clients" ? { authorization: `Bearer ${Redacted.value(key)}` } : {}
        const send = (body: BodyInit, coding: string) =>
          ask(path, {
            method: "POST",
            body,
            headers: { "content-type": type, "content-encoding": coding, ...authorization }
          })
        for (const coding of ["gzip", "br", "GZIP", "identity, gzip"]) {
          const answer = yield* send(new Uint8Array(gzipSync(text)), coding)
          assert.strictEqual(answer.status, 415)
          assert.include(answer.text, "Content-Encoding")
          assert.strictEqual(answer.headers.get("accept-encoding"), "identity")
        }
        assert.notStrictEqual((yield* send(text, "identity")).status, 415)
      })
  )
})
