import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { type Exchange, TokenIssuer } from "../../../src/core/tokens/TokenIssuer.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import { approvedApp, layer as server } from "../../support/TestServer.ts"
import { redirectUri, verifier } from "./Fixture.ts"

/** An issuer that never hears of the first code that it spends, and what completes when that is spent. */
const stuckIssuer = Effect.gen(function*() {
  const grants = yield* Grants
  const spent = yield* Deferred.make<void>()
  const stuck = Grants.of({
    ...grants,
    redeem: Effect.fnUntraced(function*(redemption) {
      const outcome = yield* grants.redeem(redemption)
      return (yield* Deferred.succeed(spent, undefined)) ? yield* Effect.never : outcome
    })
  })
  const issuer = yield* Layer.build(Layer.fresh(TokenIssuer.layer).pipe(Layer.provide(Layer.succeed(Grants, stuck))))
  return { spent, issuer: Effect.provide(TokenIssuer, issuer) }
})

layer(server())("an exchange that is interrupted when its code is spent", (it) => {
  it.effect("is answered when it is repeated, with tokens of the grant that it opened", () =>
    Effect.gen(function*() {
      const { client, code, secret, user } = yield* approvedApp()
      const { issuer, spent } = yield* stuckIssuer
      const { exchange } = yield* issuer
      const attempt = { id: client.id, secretDigest: Credential.digest(secret), address: "192.0.2.1" }
      const request: Exchange = { code: yield* code(), redirectUri, codeVerifier: verifier }

      const first = yield* Effect.forkChild(exchange(attempt, request))
      yield* Deferred.await(spent)
      yield* Fiber.interrupt(first)
      const answer = yield* exchange(attempt, request)
      assert.isNotEmpty(answer.access_token)
      assert.lengthOf(yield* (yield* Grants).liveFor(user, client.id), 1)
    }))
})
