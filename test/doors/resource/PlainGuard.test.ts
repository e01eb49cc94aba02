import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { AccessCheck } from "../../../src/core/tokens/AccessCheck.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import * as OutageLog from "../../../src/foundation/log/OutageLog.ts"
import { layerRemote, makeGuard, makeOfflineGuard } from "../../../src/resource.ts"
import { LogLines } from "../../support/LogLines.ts"

const credential = Redacted.make(Credential.format("resourceServer", "ours"))

/** A setting as a program without types may give it: an environment variable that is not set is `undefined`. */
const given = (value: unknown) => value as never

describe("a guard", () => {
  it.each([undefined, "", "api.example.com", "localhost:3000", "ftp://api.example.com"])(
    "is not made for the address %s, and says which one it needs",
    async (address) => {
      const baseUrl = given(address)
      for (const made of [makeGuard({ baseUrl, credential }), makeOfflineGuard({ baseUrl })]) {
        assert.strictEqual(
          await made.then(() => "made", String),
          "TypeError: baseUrl must be an http or https address, such as https://api.example.com"
        )
      }
    }
  )
})

it("A guard that gets the base address of vitest says where it comes from", async () => {
  const baseUrl = "/"
  for (const made of [makeGuard({ baseUrl, credential }), makeOfflineGuard({ baseUrl })]) {
    assert.match(
      await made.then(() => "made", String),
      /^TypeError: baseUrl must be .*\/, to which vitest sets BASE_URL/
    )
  }
})

describe("a guard that asks a server of a later release", () => {
  it("goes by the scopes that it knows, and shows all", async () => {
    const answer = {
      active: true,
      sub: "user_1",
      client_id: "client_1",
      grant_id: crypto.randomUUID(),
      jti: "token",
      scope: "TIME_TRAVEL_WRITE BOOKING_READ",
      aud: "https://api.example.com",
      iat: 0,
      exp: 1_800
    }
    const guard = await makeGuard(
      { baseUrl: "https://api.example.com", credential },
      () => Promise.resolve(Response.json(answer))
    )
    const call = (target: string) => guard.check({ method: "GET", target, authorization: "Bearer a.token" })
    const passed = await call("/v2/bookings")
    assert.deepStrictEqual(passed.allowed ? passed.caller?.scopes : [], ["TIME_TRAVEL_WRITE", "BOOKING_READ"])
    const refused = await call("/v2/webhooks")
    assert.strictEqual(refused.allowed ? 200 : refused.status, 403)
    await guard.close()
  })
})

describe("a program that asks about tokens", () => {
  const refused = Layer.succeed(FetchHttpClient.Fetch, () => Promise.resolve(new Response(null, { status: 401 })))

  /** What is logged when the server refuses this credential. */
  const loggedWith = (credential: unknown) =>
    Effect.gen(function*() {
      const remote = layerRemote({ baseUrl: "https://api.example.com", credential: given(credential) }).pipe(
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(refused),
        Layer.provideMerge(Layer.merge(OutageLog.layer, LogLines.layer))
      )
      const services = yield* Layer.build(Layer.fresh(remote))
      const { check } = Context.get(services, AccessCheck)
      const error = yield* Effect.provideContext(Effect.flip(check("a.token")), services)
      assert.strictEqual(error._tag, "TemporarilyUnavailable")
      return JSON.stringify(Context.get(services, LogLines).all)
    })

  it.effect.each([undefined, "", "slk_resource_64dd5a0b", Credential.format("apiKey", "ours")])(
    "is told where a credential comes from when it has %s in its place, which is not shown",
    (credential) =>
      Effect.gen(function*() {
        for (const wrong of [Redacted.make(credential), credential]) {
          const logged = yield* loggedWith(wrong)
          assert.include(logged, "slk_rs_…), which `slotkey resource-servers create` prints")
          assert.notInclude(logged, credential || "undefined")
        }
      })
  )

  it.effect("is told to look at the server when it has one", () =>
    Effect.gen(function*() {
      for (const one of [credential, Redacted.value(credential)]) {
        assert.include(yield* loggedWith(one), "that it takes the credential")
      }
    }))
})
