import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { decisionPath } from "../../../src/doors/consent/ConsentView.ts"
import { registration } from "../../core/clients/Fixture.ts"
import { authorizePath, grant, newAccount, parameters, requestingApp, servicesWith } from "./Scenario.ts"

const cursor = "cursor://anysphere.cursor-mcp/oauth/callback"

layer(servicesWith({ REDIRECT_SCHEMES: "cursor, vscode" }))("A private-use scheme that the operator takes", (it) => {
  it.effect("leads to a public app alone, with a challenge, at exactly its address, after a consent each time", () =>
    Effect.gen(function*() {
      const { client, request, tab, user } = yield* requestingApp({ kind: "public", redirectUris: [cursor] })
      yield* grant(user, client.id, ["PROFILE_READ"])
      for (let time = 0; time < 2; time++) {
        const page = yield* tab.get(authorizePath(request))
        assert.strictEqual(page.status, 200)
        assert.include(page.body, "the app on this device that opens <strong>cursor:</strong>")
        assert.include(page.headers.get("content-security-policy"), "form-action 'self' cursor:;")
        const { location } = yield* tab.post(decisionPath, {
          csrf: tab.csrf,
          request: page.question,
          decision: "allow"
        })
        assert.isTrue(location?.startsWith(`${cursor}?code=`), location ?? "")
      }
      const { code_challenge: _, ...without } = request
      assert.deepInclude(parameters((yield* tab.get(authorizePath(without))).location), { error: "invalid_request" })
      const plain = yield* tab.get(authorizePath({ ...request, code_challenge_method: "plain" }))
      assert.deepInclude(parameters(plain.location), { error: "invalid_request" })
      for (const other of [`${cursor}/`, cursor.toUpperCase(), "cursor://other/oauth/callback", `${cursor}?a=b`]) {
        assert.strictEqual((yield* tab.get(authorizePath({ ...request, redirect_uri: other }))).status, 400, other)
      }
    }))

  it.effect("is registered and edited by public apps, and no other scheme with it", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const owner = yield* newAccount("owner")
      const register = (kind: string, uri: string) =>
        registry.register(owner, { ...registration, kind, redirectUris: [uri] }).pipe(
          Effect.match({
            onFailure: (error) => "details" in error ? error.details?.map(({ message }) => message) : [error.message],
            onSuccess: ({ client }) => client.redirectUris
          })
        )
      assert.deepStrictEqual(yield* register("public", cursor), [cursor])
      assert.deepStrictEqual(yield* register("confidential", cursor), [
        "a private-use scheme is for public clients alone"
      ])
      assert.match(String(yield* register("public", "myapp://cb")), /^must be https,.*takes \(cursor, vscode\)/)
      assert.match(String(yield* register("public", "javascript:alert(1)")), /^must not begin with javascript:/)
      const { client } = yield* registry.register(owner, { ...registration, kind: "public" })
      const edited = yield* registry.edit(owner, client.id, { redirectUris: ["vscode://publisher.extension/cb"] })
      assert.deepStrictEqual(edited.redirectUris, ["vscode://publisher.extension/cb"])
    }))
})
