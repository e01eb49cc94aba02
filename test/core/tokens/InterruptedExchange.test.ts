import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ClientAuthentication } from "../../../src/core/clients/secrets/ClientAuthentication.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import type { Exchange } from "../../../src/core/tokens/CodeExchange.ts"
import { TokenIssuer } from "../../../src/core/tokens/TokenIssuer.ts"
import { UnknownTokens } from "../../../src/core/tokens/UnknownTokens.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import { TemporarilyUnavailable } from "../../../src/domain/OAuthError.ts"
import { TooManyAttempts } from "../../../src/domain/TooManyAttempts.ts"
import { OpenOutages } from "../../../src/foundation/log/OutageLog.ts"
import { approvedApp, layer as server } from "../../support/TestServer.ts"
import { redirectUri, verifier } from "./Fixture.ts"

/** An issuer on these services. */
const issuerOn = (services: Layer.Layer<ClientAuthentication | Grants>) =>
  Effect.map(
    Layer.build(
      Layer.fresh(TokenIssuer.layer).pipe(Layer.provide([services, Layer.succeed(UnknownTokens, undefined)]))
    ),
    (issuer) => Effect.provide(TokenIssuer, issuer)
  )

/** Grants that never tell of the first code that they spend, and what completes when that is spent. */
const stuckGrants = Effect.gen(function*() {
  const grants = yield* Grants
  const spent = yield* Deferred.make<void>()
  const stuck = Grants.of({
    ...grants,
    redeem: Effect.fnUntraced(function*(redemption) {
      const outcome = yield* grants.redeem(redemption)
      return (yield* Deferred.succeed(spent, undefined)) ? yield* Effect.never : outcome
    })
  })
  return { spent, stuck }
})

/** An app, and a request for the tokens of one code of its user. */
const prepare = Effect.gen(function*() {
  const { client, code, secret, user } = yield* approvedApp()
  const attempt = { id: client.id, secretDigest: Credential.digest(secret), address: "192.0.2.1" }
  const request: Exchange = { code: yield* code(), redirectUri, codeVerifier: verifier }
  const liveGrants = Effect.flatMap(Grants, (grants) => grants.listLive(user, client.id))
  return { attempt, request, liveGrants }
})

layer(server())("an exchange that is interrupted when its code is spent", (it) => {
  it.effect("is answered when it is repeated, with tokens of the grant that it opened", () =>
    Effect.gen(function*() {
      const { attempt, liveGrants, request } = yield* prepare
      const { spent, stuck } = yield* stuckGrants
      const clients = Layer.succeed(ClientAuthentication, yield* ClientAuthentication)
      const { exchange } = yield* yield* issuerOn(Layer.merge(clients, Layer.succeed(Grants, stuck)))

      const first = yield* Effect.forkChild(exchange(attempt, request))
      yield* Deferred.await(spent)
      yield* Fiber.interrupt(first)
      // The commit of the first attempt may have waited for long, as for a standby.
      yield* TestClock.adjust("30 seconds")
      const answer = yield* exchange(attempt, request)
      const { expiresAt } = yield* AccessTokens.use((tokens) => tokens.verify(answer.access_token))
      assert.strictEqual(DateTime.toEpochMillis(expiresAt) - (yield* Clock.currentTimeMillis), answer.expires_in * 1000)
      assert.lengthOf(yield* liveGrants, 1)
    }))

  it.effect("is answered after repeats that were put off, because the client could not be authenticated just then", () =>
    Effect.gen(function*() {
      const { attempt, liveGrants, request } = yield* prepare
      const { spent, stuck } = yield* stuckGrants
      const clients = yield* ClientAuthentication
      const refusals = [
        new TemporarilyUnavailable({ error_description: "busy" }),
        new TooManyAttempts({ retryAfter: Duration.seconds(1) })
      ]
      const ahead = refusals.values()
      const failing = ClientAuthentication.of({
        ...clients,
        authorize: (attempt) => ahead.next().value ?? clients.authorize(attempt)
      })
      // A statement cannot authenticate a client by a secret that another server digested.
      let redemptions = 0
      const unsure = Grants.of({
        ...stuck,
        redeem: (redemption) =>
          [2, 3].includes(++redemptions) ? Effect.succeed({ _tag: "ClientNotAuthenticated" }) : stuck.redeem(redemption)
      })
      const services = Layer.merge(Layer.succeed(ClientAuthentication, failing), Layer.succeed(Grants, unsure))
      const { exchange } = yield* yield* issuerOn(services)

      const first = yield* Effect.forkChild(exchange(attempt, request))
      yield* Deferred.await(spent)
      yield* Fiber.interrupt(first)
      for (const refusal of refusals) {
        assert.strictEqual<unknown>(yield* Effect.flip(exchange(attempt, request)), refusal)
      }
      const answer = yield* exchange(attempt, request)
      assert.isNotEmpty(answer.access_token)
      assert.lengthOf(yield* liveGrants, 1)
    }))

  it.effect("is answered after a repeat that had begun before, and that an outage of the database put off", () =>
    Effect.gen(function*() {
      const { attempt, liveGrants, request } = yield* prepare
      const { spent, stuck } = yield* stuckGrants
      const [begun, mayGoOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let redemptions = 0
      const held = Grants.of({
        ...stuck,
        redeem: Effect.fnUntraced(function*(redemption) {
          if (++redemptions === 2) {
            yield* Deferred.succeed(begun, undefined)
            yield* Deferred.await(mayGoOn)
          }
          return yield* stuck.redeem(redemption)
        })
      })
      const clients = Layer.succeed(ClientAuthentication, yield* ClientAuthentication)
      const { exchange } = yield* yield* issuerOn(Layer.merge(clients, Layer.succeed(Grants, held)))

      const first = yield* Effect.forkChild(exchange(attempt, request))
      yield* Deferred.await(spent)
      const second = yield* Effect.forkChild(exchange(attempt, request))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(first)
      const outages = yield* OpenOutages
      const outage = { what: "Statements take too long.", since: 0, failures: 1, watching: undefined }
      outages.set("database slow", { name: "database slow", ...outage })
      yield* Deferred.succeed(mayGoOn, undefined)
      assert.instanceOf(yield* Effect.flip(Fiber.join(second)), TemporarilyUnavailable)
      outages.delete("database slow")

      const answer = yield* exchange(attempt, request)
      assert.isNotEmpty(answer.access_token)
      assert.lengthOf(yield* liveGrants, 1)
    }))
})
