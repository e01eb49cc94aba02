import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { AccessCheck } from "../../../src/core/tokens/AccessCheck.ts"
import { make } from "../../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { Requirement } from "../../../src/domain/scopes/Requirement.ts"
import * as OutageLog from "../../../src/foundation/log/OutageLog.ts"
import { Admission, Guard, layerFetched, makeGuard, makeOfflineGuard } from "../../../src/resource.ts"
import { fileOf } from "../../core/catalogue/Fixture.ts"
import { small } from "../../domain/catalogue/file/SmallCatalogue.ts"
import { LogLines } from "../../support/LogLines.ts"
import { principal } from "./Fixture.ts"

const first = fileOf({})
/** Nobody needs a token to see contacts, and what was public needs one. */
const second = fileOf({
  operations: [
    { method: "GET", path: "/api/contacts", access: "public" },
    { method: "GET", path: "/api/status", access: "scope", scope: "account.read" }
  ]
})

const document = (in_force: object, announced?: object) => ({ in_force, announced })
const baseUrl = "https://api.example.com"

type Answer = (request: RequestInit) => Promise<Response>

const json = (body: unknown, etag?: string): Answer => () =>
  Promise.resolve(Response.json(body, etag === undefined ? {} : { headers: { etag } }))

/** Answers as a server that has this, with a validator. */
const having = (body: unknown): Answer => ({ headers }) => {
  const etag = `"${JSON.stringify(body).length}"`
  return new Headers(headers).get("if-none-match") === etag
    ? Promise.resolve(new Response(null, { status: 304 }))
    : json(body, etag)({})
}

/** Never answers; ends when nobody waits any more. */
const silent: Answer = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))

/** A guard whose server answers as is said. A token is the list of its scopes. */
const scene = Effect.fnUntraced(function*(begin: Answer) {
  let answer = begin
  const asked: Array<string> = []
  const fetch: typeof globalThis.fetch = (url, request = {}) => {
    assert.strictEqual(String(url), `${baseUrl}/.well-known/slotkey-catalogue`)
    asked.push(new Headers(request.headers).get("if-none-match") ?? "all")
    return answer(request)
  }
  const services = yield* Layer.build(
    layerFetched({ baseUrl }).pipe(
      Layer.provide([
        Layer.mock(AccessCheck, {
          check: (token) => Effect.succeed({ ...principal(token.split("+")), audience: baseUrl })
        }),
        Layer.succeed(FetchHttpClient.Fetch, fetch)
      ]),
      Layer.provideMerge(Layer.merge(OutageLog.layer, LogLines.layer)),
      Layer.fresh
    )
  )
  const statusOf = (target: string, token?: string) =>
    Context.get(services, Guard).check({
      method: "GET",
      target,
      authorization: token === undefined ? undefined : `Bearer ${token}`
    }).pipe(
      Effect.map((verdict) => verdict.allowed ? 200 : verdict.status),
      Effect.provideContext(services)
    )
  return {
    asked,
    services,
    statusOf,
    status: Effect.all([statusOf("/api/contacts"), statusOf("/api/status")]),
    outages: () =>
      Context.get(services, LogLines).all.flatMap(({ level, reason }) => level === "ERROR" ? [String(reason)] : []),
    becomes: (other: Answer) => {
      answer = other
    }
  }
})

describe("A guard that fetches the catalogue from the server", () => {
  it.effect("asks with the first call, once for all that come with it, and judges by what it gets", () =>
    Effect.gen(function*() {
      const { asked, statusOf } = yield* scene(having(document(first)))
      assert.deepStrictEqual(asked, [])
      const found = yield* Effect.all([
        statusOf("/api/contacts"),
        statusOf("/api/contacts", "contacts.read"),
        statusOf("/api/contacts", "contacts.write"),
        statusOf("/api/contacts", "account.read"),
        statusOf("/api/status"),
        statusOf("/v2/slots")
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual(found, [401, 200, 200, 403, 200, 403])
      assert.deepStrictEqual(asked, ["all"])
    }))

  it.effect("lets nothing pass before it has one, and says when to try again", () =>
    Effect.gen(function*() {
      const { asked, becomes, outages, services, status, statusOf } = yield* scene(silent)
      const waiting = yield* Effect.forkChild(status)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* Fiber.join(waiting), [503, 503])
      const call = { method: "GET", target: "/api/status", authorization: undefined }
      const verdict = yield* Effect.provideContext(Context.get(services, Guard).check(call), services)
      assert.deepInclude(verdict, { allowed: false, status: 503, headers: { "retry-after": "1" } })
      // Not asked again at once.
      assert.lengthOf(asked, 1)
      assert.lengthOf(outages(), 1)

      becomes(having(document(first)))
      assert.strictEqual(yield* statusOf("/api/status"), 503)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* status, [401, 200])
    }))

  it.effect("is not broken off for others by a caller who goes away", () =>
    Effect.gen(function*() {
      const { promise, resolve } = Promise.withResolvers<Response>()
      const { asked, statusOf } = yield* scene(() => promise)
      const gone = yield* Effect.forkChild(statusOf("/api/status"), { startImmediately: true })
      const patient = yield* Effect.forkChild(statusOf("/api/status"), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(gone)
      resolve(Response.json(document(first)))
      assert.strictEqual(yield* Fiber.join(patient), 200)
      assert.lengthOf(asked, 1)
    }))

  const large = () => new Response(new Uint8Array(9 * 2 ** 20).fill(32))
  const wrong: Readonly<Record<string, readonly [Answer, RegExp]>> = {
    "cannot be reached": [() => Promise.reject(new TypeError("fetch failed")), /^fetch failed$/],
    "answers an error": [() => Promise.resolve(Response.json({}, { status: 500 })), /^the server answered 500$/],
    "sends elsewhere": [
      () => Promise.resolve(new Response(null, { status: 302, headers: { location: "https://other.example" } })),
      /^the server answered 302$/
    ],
    "answers what is no JSON": [() => Promise.resolve(new Response("<html>")), /^the answer has no catalogues$/],
    "answers something else": [json({ keys: [] }), /^the answer has no catalogues$/],
    "has a catalogue that is not usable": [
      json(document({ ...first, profile: { scope: "acount.read" } })),
      /"acount.read" is no scope here/
    ],
    "has one of a later format": [json(document(first, { ...first, format: 2 })), /this release reads format 1/],
    "answers more than any catalogue has": [() => Promise.resolve(large()), /^the answer has more than 8389608 bytes$/],
    "never answers": [silent, /./]
  }

  it.effect.each(Object.entries(wrong))(
    "keeps the last one while the server %s, and logs it once",
    ([, [answer, reason]]) =>
      Effect.gen(function*() {
        const alone = yield* scene(answer)
        const waiting = yield* Effect.forkChild(alone.status)
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* Fiber.join(waiting), [503, 503])
        assert.match(alone.outages().join("; "), reason)

        const { asked, becomes, outages, status } = yield* scene(json(document(first)))
        assert.deepStrictEqual(yield* status, [401, 200])
        becomes(answer)
        for (let round = 0; round < 20; round++) {
          yield* TestClock.adjust("1 second")
          const calls = yield* Effect.forkChild(status)
          yield* TestClock.adjust("5 seconds")
          assert.deepStrictEqual(yield* Fiber.join(calls), [401, 200])
        }
        assert.isAbove(asked.length, 10)
        assert.lengthOf(outages(), 1)
        if (answer !== silent) assert.match(outages().join(), reason)

        becomes(having(document(second)))
        yield* TestClock.adjust("2 seconds")
        yield* status
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(yield* status, [200, 401])
      })
  )

  it.effect("does not wait for a server that has just failed to answer", () =>
    Effect.gen(function*() {
      const { becomes, status } = yield* scene(having(document(first)))
      yield* status
      becomes(silent)
      // It is read again while it still counts, so that nobody has waited when it turns out that nobody answers.
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* status, [401, 200])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* status, [401, 200])
      for (let round = 0; round < 20; round++) {
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* status, [401, 200])
      }
    }))

  it.effect("waits for it again when some time has passed since it failed", () =>
    Effect.gen(function*() {
      const { becomes, status } = yield* scene(having(document(first)))
      yield* status
      becomes(() => Promise.reject(new TypeError("fetch failed")))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* status, [401, 200])
      becomes(having(document(second)))
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* status, [200, 401])
    }))

  it.effect("asks whether it has changed, not within two seconds, and by its validator", () =>
    Effect.gen(function*() {
      const { asked, status } = yield* scene(having(document(first)))
      yield* status
      yield* TestClock.adjust("1999 millis")
      yield* status
      assert.lengthOf(asked, 1)
      yield* TestClock.adjust("1 millis")
      yield* status
      yield* TestClock.adjust("1999 millis")
      yield* status
      assert.deepStrictEqual(asked, ["all", `"${JSON.stringify(document(first)).length}"`])
    }))

  it.effect("counts no catalogue that is five seconds old before it has asked", () =>
    Effect.gen(function*() {
      const { becomes, status } = yield* scene(having(document(first)))
      assert.deepStrictEqual(yield* status, [401, 200])
      becomes(having(document(second)))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* status, [200, 401])
    }))

  it.effect("asks both for each call while one is announced, and the new one alone when that is finished", () =>
    Effect.gen(function*() {
      const { becomes, services, statusOf } = yield* scene(having(document(first)))
      const seen = Effect.all([
        statusOf("/api/contacts"),
        statusOf("/api/contacts", "contacts.read"),
        statusOf("/api/status"),
        statusOf("/api/status", "account.read"),
        statusOf("/api/account", "account.read")
      ])
      /** An endpoint that names its scopes itself. */
      const admitted = Context.get(services, Admission).admit(
        Requirement.Scope({ scope: "BOOKING_READ" }),
        "Bearer BOOKING_READ"
      ).pipe(Effect.isSuccess, Effect.provideContext(services))
      assert.deepStrictEqual(yield* seen, [401, 200, 200, 200, 200])
      assert.isTrue(yield* admitted)
      const steps: ReadonlyArray<readonly [object, ReadonlyArray<number>]> = [
        [document(first, second), [401, 200, 401, 200, 403]],
        [document(second), [200, 200, 401, 200, 403]],
        [document(second, first), [401, 200, 401, 200, 403]],
        [document(first), [401, 200, 200, 200, 200]]
      ]
      for (const [live, expected] of steps) {
        becomes(having(live))
        yield* TestClock.adjust("5 seconds")
        const found: ReadonlyArray<number> = yield* seen
        assert.deepStrictEqual(found, expected)
      }
    }))

  it.effect("serves endpoints that name their scopes themselves: it knows which covers what, and which is less risky", () =>
    Effect.gen(function*() {
      const { becomes, services } = yield* scene(() => Promise.resolve(new Response(null, { status: 503 })))
      const [account, read, write] = make(first).names
      assert.isDefined(account)
      assert.isDefined(read)
      assert.isDefined(write)
      const admitted = (requirement: Requirement, token: string) =>
        Context.get(services, Admission).admit(requirement, `Bearer ${token}`).pipe(
          Effect.match({
            onSuccess: () => "admitted",
            onFailure: (refused) => refused._tag === "CallRefused" ? refused.message : refused._tag
          }),
          Effect.provideContext(services)
        )
      const needed = Requirement.Scope({ scope: read })
      assert.strictEqual(yield* admitted(needed, "contacts.write"), "TemporarilyUnavailable")
      becomes(having(document(first)))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* admitted(needed, "contacts.write"), "admitted")
      const either = Requirement.Scope({ scope: write, or: [account] })
      assert.strictEqual(yield* admitted(either, "members"), "This call needs the scope account.read.")
    }))

  it("is one of several in a program, each with a catalogue of its own", async () => {
    const serving = (catalogue: CatalogueFile): typeof globalThis.fetch => (_, request = {}) =>
      having(document(catalogue))(request)
    const guards = await Promise.all([
      makeOfflineGuard({ baseUrl, catalogue: "fetch" }, serving(first)),
      makeGuard({ baseUrl, credential: "", catalogue: "fetch" }, serving(second)),
      makeOfflineGuard({ baseUrl, catalogue: small }, serving(second)),
      makeOfflineGuard({ baseUrl }, serving(second))
    ])
    const statuses = (target: string) =>
      Promise.all(guards.map(async (guard) => {
        const verdict = await guard.check({ method: "GET", target, authorization: undefined })
        return verdict.allowed ? 200 : verdict.status
      }))
    assert.deepStrictEqual(await statuses("/api/contacts"), [401, 200, 401, 403])
    assert.deepStrictEqual(await statuses("/api/status"), [200, 401, 200, 403])
    assert.deepStrictEqual(await statuses("/v2/slots"), [403, 403, 403, 200])
    await Promise.all(guards.map((guard) => guard.close()))
  })
})
