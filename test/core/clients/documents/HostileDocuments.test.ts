// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Result } from "effect"
import { contentReader } from "../../../../src/core/clients/documents/DocumentContent.ts"
import { documentFetch } from "../../../../src/core/clients/documents/DocumentFetch.ts"
import { follow, type Identity } from "../../../../src/core/clients/documents/FollowDocument.ts"
import { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { Network } from "../../../../src/foundation/outbound/Network.ts"
import { approved, at, pending, rejected, suspended, transitionOf } from "../Fixture.ts"

const address = "https://agent.example/client.json"

const privateAddresses = [
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "168.63.129.16",
  "100.64.0.1",
  "0.0.0.0",
  "::1",
  "::",
  "fe80::1",
  "fd00::1",
  "::ffff:127.0.0.1",
  "::7f00:1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::"
]
const publicAddresses = ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946"] as const

/** HOSTILE_DOCUMENTS=10000 takes ten times as long. */
const hostileDocuments = Number(process.env["HOSTILE_DOCUMENTS"] ?? 1_000)

/** Choices that are the same in each run. */
let seed = 47
const below = (bound: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * bound)
}
const pick = <A>(...items: readonly [A, ...ReadonlyArray<A>]): A => items[below(items.length)] ?? items[0]
const some = <A>(most: number, ...items: readonly [A, ...ReadonlyArray<A>]): ReadonlyArray<A> =>
  Array.from({ length: below(most + 1) }, () => pick(...items))

/** Members that a document may have, right and wrong. */
const member = (): unknown =>
  pick<unknown>(
    null,
    true,
    -1,
    "",
    {},
    [],
    [[]],
    { keys: [{ d: "secret" }] },
    { keys: [{ kty: "EC" }] },
    address,
    "none",
    "private_key_jwt",
    "https://agent.example/callback",
    ["https://agent.example/callback"],
    ["http://127.0.0.1/callback", "javascript:alert(1)"],
    ["authorization_code"],
    "https://169.254.169.254/latest",
    "BOOKING_MANAGE USER_MANAGE",
    "Agent",
    "Test: Agent",
    "\u202eAgent",
    "\ud800",
    "x".repeat(3_000)
  )
const names = [
  "scope",
  "logo_uri",
  "client_uri",
  "policy_uri",
  "tos_uri",
  "contacts",
  "jwks",
  "jwks_uri",
  "grant_types",
  "token_endpoint_auth_method",
  "client_secret",
  "status",
  "scopes",
  "ownerId",
  "__proto__"
]
const hostile = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ["client_id", below(5) > 0 ? address : member()],
    ["client_name", below(3) > 0 ? "Agent" : member()],
    ["redirect_uris", below(3) > 0 ? ["https://agent.example/callback"] : member()],
    ...names.flatMap((name) => below(6) > 0 ? [] : [[name, member()]])
  ])

describe("Hostile documents", () => {
  it.effect("cause no connection to a private address", () =>
    Effect.gen(function*() {
      const connections: Array<string> = []
      const answers: Array<ReadonlyArray<string>> = []
      const network: Network = {
        resolve: () => Promise.resolve(answers.shift() ?? ["10.0.0.1"]),
        connect: (_, addresses) => {
          connections.push(...addresses)
          throw new Error("nothing is here")
        }
      }
      const read = yield* documentFetch
      const anyAnswer = () => some(3, ...publicAddresses, ...pick([], privateAddresses))
      for (let n = 0; n < hostileDocuments; n++) {
        answers.splice(0, answers.length, anyAnswer(), anyAnswer())
        const exit = yield* Effect.exit(Effect.provideService(read(address, null), Network, network))
        assert.isTrue(Exit.isFailure(exit))
        // Resolved once: the second answer, which may be another, was not asked for.
        assert.lengthOf(answers, 1)
      }
      assert.isAbove(connections.length, 0)
      assert.isEmpty(connections.filter((one) => privateAddresses.includes(one)))
    }).pipe(Effect.provide(AppConfig.layerTest({}))), 60_000)

  it("say who an app is or are refused, and never what it may do", () => {
    let taken = 0
    const read = contentReader(new Set())
    for (let n = 0; n < hostileDocuments; n++) {
      const document = hostile()
      const said = Effect.runSyncExit(read(address, JSON.stringify(document)))
      if (Exit.isFailure(said)) {
        assert.strictEqual(said.cause.reasons[0]?._tag, "Fail", JSON.stringify(document))
        continue
      }
      taken++
      assert.strictEqual(document["client_id"], address)
      assert.sameMembers(Object.keys(said.value), [
        "name",
        "website",
        "privacyUrl",
        "termsUrl",
        "contact",
        "logoUrl",
        "redirectUris"
      ])
      assert.isFalse(said.value.redirectUris.some((uri) => uri.startsWith("javascript:")))
    }
    assert.isAbove(taken, 0)
  })
})

const addresses = [0, 1, 2, 3, 4, 5].map((n) => `https://app.example/${n}`)
const uris = (): ReadonlyArray<string> =>
  ["https://app.example/0", ...addresses.filter(() => below(2) > 0)].slice(below(2))
const link = () => pick(null, "https://app.example/a", "https://app.example/b")
const identity = (): Identity => {
  const logoUrl = pick(null, "https://app.example/logo")
  return {
    name: pick("Calendar Sync", "Another"),
    website: pick("https://app.example", "https://other.example"),
    privacyUrl: link(),
    termsUrl: link(),
    contact: link(),
    redirectUris: [...new Set([...uris(), pick(...addressesAtLeast)])],
    logoUrl,
    logoDigest: logoUrl === null ? null : "digest"
  }
}
const addressesAtLeast = ["https://app.example/0", "https://app.example/5"] as const

const followed = (current: ManagedClient, says: Identity) =>
  Result.getOrUndefined(follow(builtIn(), current, says, ["USER_MANAGE"], at(9)))

describe("What a document says next", () => {
  it("moves no right, takes away at once and adds nothing without a review", () => {
    for (let n = 0; n < 200; n++) {
      const start = pick(approved, suspended)
      let current = new ManagedClient({ ...start, redirectUris: identity().redirectUris, origin: "document" })
      for (let step = 0; step < 5; step++) {
        const says = identity()
        const next = followed(current, says)?.client ?? current
        for (const field of ["scopes", "optionalScopes", "status", "kind", "legacy", "ownerId", "name"] as const) {
          assert.deepStrictEqual(next[field], current[field])
        }
        if (next.change !== null) assert.deepStrictEqual(next.change.scopes, start.scopes)
        assert.deepStrictEqual(
          next.redirectUris,
          current.redirectUris.filter((uri) => says.redirectUris.includes(uri))
        )
        for (const field of ["privacyUrl", "termsUrl", "contact", "logoUrl"] as const) {
          assert.strictEqual(next[field], says[field] === null ? null : current[field])
        }
        // Said once more, it changes nothing more.
        assert.isUndefined(followed(next, says))
        current = next
      }
    }
  })

  it("leaves a rejected app alone, and shows reviewers a pending one as it is now", () => {
    const says = {
      name: "Another",
      website: "https://app.example",
      privacyUrl: null,
      termsUrl: null,
      contact: null,
      logoUrl: null,
      logoDigest: null,
      redirectUris: ["https://app.example/next"]
    }
    const { client } = transitionOf(follow(builtIn(), pending, says, ["USER_READ"], at(3)))
    assert.deepInclude({ ...client }, { ...says, status: "pending", version: 2 })
    assert.includeMembers([...client.scopes], [...pending.scopes, "USER_READ"])
    assert.deepStrictEqual(follow(builtIn(), rejected, says, [], at(3)), follow(builtIn(), rejected, says, [], at(4)))
  })
})
