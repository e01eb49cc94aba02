import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import * as Testing from "../../../src/testing.ts"

const plain = "identity"
const own = { "sec-fetch-site": "same-origin" }

/** A page as it goes over the wire, and its text. */
const ask = Effect.fnUntraced(function*(path: string, headers: Record<string, string>) {
  const server = yield* Testing.TestServer
  const response = yield* server.fetch(path, { headers: { "accept-encoding": "gzip, br", ...headers } })
  const sent = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()))
  const coding = response.headers.get("content-encoding") ?? plain
  const text = coding === "br" ? brotliDecompressSync(sent) : coding === "gzip" ? gunzipSync(sent) : sent
  return {
    coding,
    sent: sent.length,
    text: text.toString(),
    vary: response.headers.get("vary"),
    status: response.status
  }
})

const signedIn = Effect.gen(function*() {
  const server = yield* Testing.TestServer
  return yield* server.session(yield* server.user())
})

layer(Testing.TestServer.layer())("a page", (it) => {
  it.effect("is compressed for its own user, in the coding that the browser prefers", () =>
    Effect.gen(function*() {
      const { cookie, user } = yield* signedIn
      for (const [asked, coding] of [["gzip, br", "br"], ["gzip", "gzip"], ["identity", plain]] as const) {
        for (const site of ["same-origin", "none"]) {
          const page = yield* ask("/account", { cookie, "sec-fetch-site": site, "accept-encoding": asked })
          assert.strictEqual(page.coding, coding)
          assert.include(page.text, user.email)
          assert.include(page.text, "</html>")
          if (coding === plain) continue
          assert.isBelow(page.sent, page.text.length / 2)
          assert.strictEqual(page.vary, "accept-encoding, sec-fetch-site")
        }
      }
    }))

  it.effect("of a signed-in user does not tell by its size what it says to a site that asks for it", () =>
    Effect.gen(function*() {
      const { cookie } = yield* signedIn
      const askers: ReadonlyArray<Record<string, string>> = [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://elsewhere.example" },
        {}
      ]
      for (const headers of askers) {
        const page = yield* ask("/account?said=by+a+site", { cookie, ...headers })
        assert.deepStrictEqual([page.status, page.coding], [200, plain])
      }
    }))

  it.effect("of the authorization endpoint says what an app has asked, whoever leads there", () =>
    Effect.gen(function*() {
      const server = yield* Testing.TestServer
      const { cookie } = yield* signedIn
      const { clientId, redirectUri, scopes } = yield* server.app()
      const query = new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(" "),
        state: "a state",
        code_challenge: "a".repeat(43),
        code_challenge_method: "S256"
      })
      const page = yield* ask(`/auth/oauth2/authorize?${query}`, { cookie, ...own })
      assert.deepStrictEqual([page.status, page.coding], [200, plain])
    }))

  it.effect("to sign in is compressed, too, and one that explains a failure never", () =>
    Effect.gen(function*() {
      const page = yield* ask("/sign-in", own)
      assert.deepStrictEqual([page.status, page.coding], [200, "br"])
      const { cookie } = yield* signedIn
      const failure = yield* ask("/settings/apps/nowhere", { cookie, ...own })
      assert.deepStrictEqual([failure.status, failure.coding], [404, plain])
    }))
})
