import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { tokenApi } from "../../../src/doors/contract/TokenApi.ts"
import { clientAuthenticationMethods } from "../../../src/doors/oauth/ClientAuthenticationMethods.ts"
import { grantTypes } from "../../../src/doors/oauth/GrantTypes.ts"
import { metadataRoutes } from "../../../src/doors/oauth/MetadataRoutes.ts"
import { supported } from "../../../src/doors/oauth/Supported.ts"
import { tokenRoutes } from "../../../src/doors/oauth/TokenRoutes.ts"
import * as Testing from "../../../src/testing.ts"
import { approvedApp, assertRefused, layer as server, serverClientOf } from "../../support/TestServer.ts"
import { clientSecretHeader } from "./fictitious/ClientSecretHeader.ts"
import { voucher } from "./fictitious/Voucher.ts"

// One more grant type and one more client authentication method: a line for each.
const extended = {
  ...supported,
  grantTypes: [...grantTypes, voucher],
  clientAuthenticationMethods: [...clientAuthenticationMethods, clientSecretHeader]
}

const extendedServer = Effect.gen(function*() {
  const { client, credentials, secret, tokens } = yield* approvedApp()
  const send = yield* Testing.serve(Layer.mergeAll(tokenRoutes(extended), metadataRoutes(extended)))
  const { ask, token } = serverClientOf(send)
  const newVoucher = Effect.map(tokens(), ({ refresh_token }) => `voucher:${refresh_token}`)
  const inJson = (fields: object) =>
    ask("/v2/auth/oauth2/token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields)
    })
  return { ask, client, credentials, inJson, newVoucher, secret, token }
})

const grant_type = "urn:example:voucher"

layer(server())((it) => {
  describe("a grant type that was added by one file and one line", () => {
    it.effect("is served by the token endpoint, in forms and in JSON", () =>
      Effect.gen(function*() {
        const { credentials, inJson, newVoucher, token } = yield* extendedServer
        const answer = yield* token({ ...credentials, grant_type, voucher: yield* newVoucher })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.json["scope"], "BOOKING_READ PROFILE_READ")
        const narrowed = { ...credentials, grant_type, voucher: yield* newVoucher, purpose: "BOOKING_READ" }
        assert.strictEqual((yield* inJson(narrowed)).json["scope"], "BOOKING_READ")
      }))

    it.effect("has its parameters checked: the required ones are there, and all are strings in JSON", () =>
      Effect.gen(function*() {
        const { credentials, inJson, token } = yield* extendedServer
        const missing = yield* token({ ...credentials, grant_type })
        assertRefused(missing, 400, "invalid_request")
        assert.strictEqual(missing.json["error_description"], "voucher is missing")
        const unauthenticated = yield* token({ ...credentials, grant_type, client_secret: "wrong" })
        assertRefused(unauthenticated, 401, "invalid_client")
        const listed = yield* inJson({ ...credentials, grant_type, voucher: "1", purpose: ["me"] })
        assertRefused(listed, 400, "invalid_request")
        assert.strictEqual(listed.json["error_description"], "a parameter is not a string")
      }))

    it.effect("is named by the metadata and by the refusal of other grant types", () =>
      Effect.gen(function*() {
        const { ask, credentials, token } = yield* extendedServer
        const metadata = yield* ask("/.well-known/oauth-authorization-server")
        assert.deepStrictEqual(metadata.json["grant_types_supported"], [
          "authorization_code",
          "refresh_token",
          "urn:example:voucher"
        ])
        const refused = yield* token({ ...credentials, grant_type: "password" })
        assertRefused(refused, 400, "unsupported_grant_type")
        assert.strictEqual(
          refused.json["error_description"],
          "the grant type is neither authorization_code, refresh_token nor urn:example:voucher"
        )
      }))

    it("is in the OpenAPI document", () => {
      const { components, paths } = OpenApi.fromApi(HttpApi.make("extended").add(tokenApi(extended)))
      const request = JSON.stringify([paths["/v2/auth/oauth2/token"]?.post?.requestBody, components.schemas])
      for (const name of ["urn:example:voucher", "voucher", "purpose", "code_verifier", "client_secret"]) {
        assert.include(request, `"${name}"`)
      }
    })
  })

  describe("a client authentication method that was added by one file and one line", () => {
    it.effect("authenticates clients, and never together with another one", () =>
      Effect.gen(function*() {
        const { client, newVoucher, secret, token } = yield* extendedServer
        const fields = { grant_type, voucher: yield* newVoucher }
        const authorization = `Plain ${client.id} ${secret}`
        assert.strictEqual((yield* token(fields, { authorization })).status, 200)
        assertRefused(yield* token(fields, { authorization: `Plain ${client.id} wrong` }), 401, "invalid_client")
        assertRefused(yield* token({ ...fields, client_secret: secret }, { authorization }), 400, "invalid_request")
      }))

    it("is in the OpenAPI document", () => {
      const { paths } = OpenApi.fromApi(HttpApi.make("extended").add(tokenApi(extended)))
      assert.deepStrictEqual(paths["/v2/auth/oauth2/token"]?.post?.security, [{ client: [] }, { plain: [] }, {}])
    })

    it.effect("is named by the metadata of the endpoints that take it", () =>
      Effect.gen(function*() {
        const { ask } = yield* extendedServer
        const { json } = yield* ask("/.well-known/oauth-authorization-server")
        const methods = ["client_secret_basic", "client_secret_post", "none", "client_secret_header"]
        assert.deepStrictEqual(json["token_endpoint_auth_methods_supported"], methods)
        assert.deepStrictEqual(json["revocation_endpoint_auth_methods_supported"], methods)
        assert.deepStrictEqual(json["introspection_endpoint_auth_methods_supported"], [
          "client_secret_basic",
          "client_secret_post",
          "Bearer"
        ])
      }))
  })
})
