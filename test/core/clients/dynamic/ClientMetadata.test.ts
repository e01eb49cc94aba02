import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { type ClientMetadata, kindOf, metadataReader } from "../../../../src/core/clients/dynamic/ClientMetadata.ts"
import { fieldsOf, heldMetadata, wishedScopes } from "../../../../src/core/clients/dynamic/RegistrationRecord.ts"
import { newClient } from "../../../../src/core/clients/life/NewClient.ts"
import * as NewClientId from "../../../../src/core/clients/records/NewClientId.ts"
import { nobody } from "../../../../src/core/clients/records/Nobody.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { namesOf, supported } from "../../../../src/doors/oauth/Supported.ts"

const read = metadataReader({
  schemes: new Set(),
  grantTypes: namesOf(supported.grantTypes),
  authMethods: namesOf(supported.clientAuthenticationMethods)
})

/** What is answered to metadata that were taken. */
const answered = (metadata: ClientMetadata) => {
  const id = NewClientId.random()
  const now = DateTime.nowUnsafe()
  const scopes = wishedScopes(builtIn(), metadata, now)
  const said = { ...fieldsOf(id, metadata), kind: kindOf(metadata), scopes, optionalScopes: [], purpose: "" }
  return heldMetadata(metadata, newClient(nobody, id, said, Option.none(), now))
}

const text = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))
const uri = Schema.Union([
  text(/^https:\/\/[a-z]{1,8}[.]example\/[a-z]{0,8}$/),
  text(/^http:\/\/127[.]0[.]0[.]1(:[1-9][0-9]{3})?\/[a-z]{0,8}$/),
  Schema.Literals([
    "com.example.app:/cb",
    "http://a.example/",
    "javascript:alert(1)",
    "cursor://x/y",
    "https://*.a.example"
  ])
])
const anyMetadata = Schema.Struct({
  redirect_uris: Schema.Array(uri),
  client_name: Schema.optionalKey(Schema.Union([text(/^[A-Za-z0-9][A-Za-z0-9 ]{0,30}[A-Za-z0-9]$/), Schema.String])),
  client_uri: Schema.optionalKey(Schema.Literals(["https://b.example/x", "b.example", "http://b.example/"])),
  logo_uri: Schema.optionalKey(Schema.Literals(["https://b.example/x.png", "data:image/png;base64,"])),
  policy_uri: Schema.optionalKey(Schema.Literals(["https://b.example/x", "http://b.example/x"])),
  tos_uri: Schema.optionalKey(Schema.Literals(["https://b.example/x", "x"])),
  contacts: Schema.optionalKey(Schema.Array(Schema.Literals(["a@b.example", "https://b.example/", "call us"]))),
  grant_types: Schema.optionalKey(Schema.Array(Schema.Literals(["authorization_code", "refresh_token", "password"]))),
  response_types: Schema.optionalKey(Schema.Array(Schema.Literals(["code", "token"]))),
  token_endpoint_auth_method: Schema.optionalKey(
    Schema.Literals(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"])
  ),
  scope: Schema.optionalKey(Schema.Literals(["PROFILE_READ", "BOOKING_READ openid PROFILE_READ", "openid"])),
  software_id: Schema.optionalKey(text(/^[a-z0-9-]{1,40}$/)),
  software_version: Schema.optionalKey(text(/^[0-9.]{1,10}$/))
})

describe("metadata of a client", () => {
  it.effect.prop("are answered as they were sent, or refused", [anyMetadata], ([sent]) =>
    Effect.gen(function*() {
      const taken = yield* Effect.result(read(sent))
      if (Result.isFailure(taken)) return assert.match(taken.failure.error, /^invalid_(redirect_uri|client_metadata)$/)
      const { scope = "", ...held } = answered(taken.success)
      const { scope: wish = "", ...rest } = sent
      for (const [name, value] of Object.entries(rest)) {
        // Blanks around a text mean nothing, and a text of nothing else says nothing.
        const said = typeof value === "string" ? value.trim() || undefined : value
        assert.deepStrictEqual(Object.entries(held).find(([key]) => key === name)?.[1], said, name)
      }
      // A wish: what the server does not know is left out, and nothing is added.
      const wished = wish.split(" ")
      assert.deepStrictEqual(scope.split(" ").filter((one) => one !== "" && !wished.includes(one)), [])
    }))

  it.effect("have the defaults of RFC 7591 §2, and nothing that nobody knows", () =>
    Effect.gen(function*() {
      const redirect_uris = ["https://a.example/"]
      assert.deepStrictEqual(yield* read({ redirect_uris, jwks: { keys: [] }, tos_uri: "", client_name: null, x: 1 }), {
        redirect_uris,
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_basic"
      })
    }))
})
