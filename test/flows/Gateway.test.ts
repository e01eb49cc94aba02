import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Connections } from "../../src/core/consent/Connections.ts"
import { isAvailable, nginx, type Received, send, upstream } from "../support/Gateway.ts"
import * as LiveServer from "../support/LiveServer.ts"

/** nginx in front of the platform's API, which asks a whole server about each call. */
class Platform extends Context.Service<Platform, { readonly port: number }>()(
  "slotkey/test/flows/Gateway.test/Platform"
) {
  static readonly layer = Layer.effect(
    Platform,
    Effect.gen(function*() {
      const { url } = yield* LiveServer.LiveServer
      return { port: yield* nginx({ slotkey: Number(new URL(url).port), platform: yield* upstream }) }
    })
  )
}

const call = Effect.fnUntraced(function*(path: string, accessToken: string, method = "GET") {
  const { port } = yield* Platform
  return yield* send(port, path, { authorization: `Bearer ${accessToken}` }, method)
})

describe.skipIf(!isAvailable("nginx"))("an app that calls the platform's API through nginx", () => {
  layer(Platform.layer.pipe(Layer.provideMerge(LiveServer.layer())), { excludeTestServices: true })((it) => {
    it.effect("passes where its scopes reach, until its user disconnects it", () =>
      Effect.gen(function*() {
        const { accessToken, client, user } = yield* LiveServer.newConnection(["BOOKING_READ"])

        const answer = yield* call("/v2/bookings?status=upcoming", accessToken)
        assert.strictEqual(answer.status, 200)
        const { headers }: Received = JSON.parse(answer.body)
        assert.include(headers, {
          "x-slotkey-user": user.id,
          "x-slotkey-client": client.id,
          "x-slotkey-scope": "BOOKING_READ"
        })

        const tooNarrow = yield* call("/v2/bookings/7/confirm", accessToken, "POST")
        assert.strictEqual(tooNarrow.status, 403)
        assert.match(
          tooNarrow.headers["www-authenticate"] ?? "",
          /error="insufficient_scope".*scope="BOOKING_READ BOOKING_WRITE"/
        )
        assert.strictEqual((yield* call("/v2/bookings", accessToken, "POST")).status, 200)
        assert.strictEqual((yield* call("/v2/workflows", accessToken)).status, 403)
        const management = yield* call("/v2/oauth-clients", accessToken)
        assert.strictEqual(management.status, 401)
        assert.strictEqual(JSON.parse(management.body).error.code, "invalid_api_key")

        yield* (yield* Connections).disconnect(user.id, client.id)

        const refused = yield* call("/v2/bookings", accessToken)
        assert.strictEqual(refused.status, 401)
        assert.match(refused.headers["www-authenticate"] ?? "", /error="invalid_token"/)
        assert.strictEqual((yield* call("/v2/bookings", accessToken, "POST")).status, 200)
      }))

    it.effect("passes with a legacy grant wherever an app may go", () =>
      Effect.gen(function*() {
        const { accessToken } = yield* LiveServer.newConnection(null)
        assert.strictEqual((yield* call("/v2/organizations/1/webhooks", accessToken, "POST")).status, 200)
        assert.strictEqual((yield* call("/v2/organizations/1/roles", accessToken)).status, 200)
        assert.strictEqual((yield* call("/v2/stripe/connect", accessToken)).status, 403)
      }))
  })
})
