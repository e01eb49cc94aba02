import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EndpointPolicy, load } from "../../../src/domain/catalogue/EndpointPolicy.ts"
import { type Call, Guard } from "../../../src/doors/resource/Guard.ts"
import { AdmissionMock } from "./Fixture.ts"

const Policy = Layer.effect(
  EndpointPolicy,
  Effect.fromResult(load(JSON.stringify([
    { method: "GET", path: "/either", access: "scope", anyOf: ["BOOKING_WRITE", "BOOKING_READ", "APPS_READ"] },
    { method: "GET", path: "/all", access: "scope", allOf: ["BOOKING_WRITE", "BOOKING_READ", "APPS_READ"] },
    { method: "GET", path: "/both", access: "scope-if-token", allOf: ["BOOKING_READ", "APPS_READ"] }
  ])))
)

const Checking = Guard.layer.pipe(Layer.provide([AdmissionMock, Policy]))

const check = Effect.fnUntraced(function*(target: string, token?: string) {
  const call: Call = { method: "GET", target, authorization: token && `Bearer ${token}` }
  const verdict = yield* (yield* Guard).check(call)
  if (verdict.allowed) return "allowed"
  const { code, headers, message, status } = verdict
  return { status, code, message, scope: /scope="([^"]*)"/.exec(headers["www-authenticate"] ?? "")?.[1] }
})

layer(Checking)("an operation of several scopes", (it) => {
  it.effect("lets each of the alternatives pass, and asks for the least risky one", () =>
    Effect.gen(function*() {
      for (const token of ["BOOKING_READ", "BOOKING_WRITE", "APPS_READ", "all", "legacy"]) {
        assert.strictEqual(yield* check("/either", token), "allowed", token)
      }
      const refusal = {
        status: 403,
        code: "insufficient_scope",
        message: "This call needs the scope APPS_READ.",
        scope: "APPS_READ APPS_WRITE"
      } as const
      assert.deepStrictEqual(yield* check("/either", "APPS_WRITE"), refusal)
    }))

  it.effect("asks for all that are missing of those that it needs together", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* check("/all", "all"), "allowed")
      assert.strictEqual(yield* check("/all", "legacy"), "allowed")
      assert.deepStrictEqual(yield* check("/all", "BOOKING_READ"), {
        status: 403,
        code: "insufficient_scope",
        message: "This call needs the scopes BOOKING_WRITE and APPS_READ.",
        scope: "BOOKING_READ BOOKING_WRITE APPS_READ"
      })
      const all = "BOOKING_WRITE BOOKING_READ APPS_READ"
      assert.deepStrictEqual(yield* check("/all"), {
        status: 401,
        code: "unauthorized",
        message: "This call needs an access token with the scopes BOOKING_WRITE, BOOKING_READ and APPS_READ.",
        scope: all
      })
      assert.deepInclude(yield* check("/all", "revoked"), { status: 401, code: "invalid_token", scope: all })
    }))

  it.effect("asks nothing of a call without a token where only tokens need them", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* check("/both"), "allowed")
      assert.deepInclude(yield* check("/both", "APPS_READ"), {
        message: "This call needs the scope BOOKING_READ.",
        scope: "BOOKING_READ APPS_READ"
      })
    }))
})
