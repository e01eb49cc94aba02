import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AccessCheck } from "../../../src/core/tokens/AccessCheck.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import { approvedApp, layer as server } from "../../support/TestServer.ts"
import { writeAccessToken } from "./Fixture.ts"

layer(server())("The server's check of an access token", (it) => {
  it.effect("refuses one whose user or client is not that of its grant, though its MAC is right", () =>
    Effect.gen(function*() {
      const { check } = yield* AccessCheck
      const [app, other] = [yield* approvedApp(), yield* approvedApp()]
      const issued = String((yield* app.tokens())["access_token"])
      const { expiresAt: _, id: __, issuedAt: ___, ...token } = yield* (yield* AccessTokens).verify(issued)
      yield* check(yield* writeAccessToken(token))
      for (const changed of [{ clientId: other.client.id }, { userId: other.user }]) {
        const refused = yield* Effect.flip(check(yield* writeAccessToken({ ...token, ...changed })))
        assert.deepInclude(refused, { _tag: "InvalidToken", reason: "the grant is another's" })
      }
    }))
})
