// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccessCheck } from "../../../src/core/tokens/AccessCheck.ts"
import { InvalidToken } from "../../../src/core/tokens/InvalidToken.ts"
import { Catalogue, make } from "../../../src/domain/catalogue/Catalogue.ts"
import { EndpointPolicy } from "../../../src/domain/catalogue/EndpointPolicy.ts"
import type { CheckedCatalogue } from "../../../src/domain/catalogue/file/CatalogueRules.ts"
import { none, OtherCatalogues } from "../../../src/domain/catalogue/OtherCatalogues.ts"
import { Requirement } from "../../../src/domain/scopes/Requirement.ts"
import type { Scope } from "../../../src/domain/scopes/Scope.ts"
import { Admission } from "../../../src/doors/resource/Admission.ts"
import { Guard } from "../../../src/doors/resource/Guard.ts"
import { checkedOf } from "../../core/catalogue/Fixture.ts"
import { principal } from "./Fixture.ts"

/** A token is the list of its scopes; `legacy` has no restriction, and `invalid` is none. */
const Tokens = Layer.mock(AccessCheck, {
  check: (bearer) =>
    bearer === "invalid"
      ? Effect.fail(new InvalidToken({ reason: "revoked" }))
      : Effect.succeed(principal(bearer === "legacy" ? null : bearer.split("+").filter(isScope)))
})

/** Each catalogue knows scopes of its own. */
const isScope = (name: string): name is Scope => name !== ""

const judging = (checked: CheckedCatalogue): Catalogue => make(checked.file, checked)

/** Doors of a program with one catalogue, beside which others count. */
const doors = (own: CheckedCatalogue, others: () => ReadonlyArray<Catalogue>) =>
  Guard.layer.pipe(
    Layer.provideMerge(Admission.layerAt("https://slotkey.test")),
    Layer.provide([Tokens, EndpointPolicy.layer]),
    Layer.provide([
      Layer.succeed(Catalogue, make(own.file)),
      Layer.succeed(OtherCatalogues, { now: others })
    ]),
    Layer.fresh
  )

const statusOf = Effect.fnUntraced(function*(call: string, token?: string) {
  const [method = "", target = ""] = call.split(" ")
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  const verdict = yield* (yield* Guard).check({ method, target, authorization })
  return verdict.allowed ? 200 : verdict.status
})

const old = checkedOf({})
const next = checkedOf({
  "scopes.2.implies": [],
  operations: [
    { method: "GET", path: "/api/contacts", access: "scope", scope: "contacts.read" },
    { method: "PUT", path: "/api/contacts/{id}", access: "public" },
    { method: "GET", path: "/api/status", access: "scope", scope: "account.read" },
    { method: "GET", path: "/api/deals", access: "closed" }
  ],
  "profile.scope": "members"
})

const calls = [
  "GET /api/account",
  "GET /api/contacts",
  "HEAD /api/contacts",
  "PUT /api/contacts/1",
  "GET /api/status",
  "GET /api/deals",
  "OPTIONS /api/deals",
  "GET /api/nothing"
]
const tokens = [
  undefined,
  "invalid",
  "legacy",
  "account.read",
  "contacts.read",
  "contacts.write",
  "contacts.read+members"
]

describe("Two catalogues at once", () => {
  it.effect("a call passes if both let it pass, on nodes with either", () =>
    Effect.gen(function*() {
      for (const call of calls) {
        for (const token of tokens) {
          const ask = statusOf(call, token)
          const alone = [
            yield* Effect.provide(ask, doors(old, () => none)),
            yield* Effect.provide(ask, doors(next, () => none))
          ]
          const both = [
            yield* Effect.provide(ask, doors(old, () => [judging(next)])),
            yield* Effect.provide(ask, doors(next, () => [judging(old)]))
          ]
          const mayPass = alone.every((status) => status === 200)
          assert.deepStrictEqual(both.map((status) => status === 200), [mayPass, mayPass], `${call} ${token}`)
        }
      }
    }))

  it.effect("what both let pass passes, and what one refuses is refused as that one does", () =>
    Effect.gen(function*() {
      const found = yield* Effect.provide(
        Effect.all([
          statusOf("GET /api/contacts", "contacts.read"),
          statusOf("GET /api/contacts", "contacts.write"),
          statusOf("GET /api/status"),
          statusOf("GET /api/status", "invalid"),
          statusOf("GET /api/account", "account.read")
        ]),
        doors(old, () => [judging(next)])
      )
      assert.deepStrictEqual(found, [200, 403, 401, 401, 403])
      // A token that is valid is not called invalid, where it is not even verified.
      const closed = Effect.all([
        statusOf("GET /api/account", "account.read"),
        statusOf("GET /api/account", "invalid"),
        statusOf("GET /api/account")
      ])
      assert.deepStrictEqual(yield* Effect.provide(closed, doors(next, () => [judging(old)])), [403, 403, 403])
    }))

  it.effect("an endpoint that names its scope asks all for what covers it, and the profile each for its own scope", () =>
    Effect.gen(function*() {
      const ask = Effect.gen(function*() {
        const { admit } = yield* Admission
        const write = Requirement.Scope({ scope: make(old.file).names[1] ?? assert.fail() })
        const tags = [
          admit(write, "Bearer contacts.write"),
          admit(write, "Bearer contacts.read"),
          admit(write, "Bearer contacts.read", undefined, "profile"),
          admit(write, "Bearer contacts.read+members", undefined, "profile")
        ].map(Effect.match({ onSuccess: () => "admitted", onFailure: ({ _tag }) => _tag }))
        return yield* Effect.all(tags)
      })
      assert.deepStrictEqual(yield* Effect.provide(ask, doors(old, () => [judging(next)])), [
        "CallRefused",
        "admitted",
        "CallRefused",
        "admitted"
      ])
    }))

  it.effect("others count from the moment at which they do", () =>
    Effect.gen(function*() {
      let others = none
      yield* Effect.provide(
        Effect.gen(function*() {
          assert.strictEqual(yield* statusOf("GET /api/account", "account.read"), 200)
          others = [judging(next)]
          assert.strictEqual(yield* statusOf("GET /api/account", "account.read"), 403)
          others = none
          assert.strictEqual(yield* statusOf("GET /api/account", "account.read"), 200)
        }),
        doors(old, () => others)
      )
    }))
})
