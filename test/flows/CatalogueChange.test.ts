// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { HttpServer } from "effect/http"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import type { CatalogueFile } from "../../src/domain/catalogue/file/CatalogueFile.ts"
import { hashOf } from "../../src/domain/catalogue/file/CatalogueHash.ts"
import { write } from "../../src/domain/catalogue/file/WriteCatalogue.ts"
import { makeOfflineGuard } from "../../src/resource.ts"
import * as Testing from "../../src/testing.ts"
import { slotkey } from "../support/Cli.ts"
import { eventually } from "../support/Eventually.ts"
import * as ServerProcess from "../support/ServerProcess.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { approvedApp } from "../support/TestServer.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const old = builtInFile()
const attendees = "/v2/bookings/{bookingUid}/attendees"

/**
 * A scope is replaced (retired, with another one in its place), one is added with an operation of its own, and one
 * operation needs another scope than before.
 */
const next: CatalogueFile = {
  ...old,
  scopes: [
    ...old.scopes.map((scope) =>
      scope.name === "BOOKING_READ"
        ? { ...scope, retired: { since: "2027-01-01", standsFor: ["BOOKING_VIEW"] } }
        : scope
    ),
    scopeOf("BOOKING_VIEW", "View your bookings"),
    scopeOf("GUESTS_READ", "See your guests"),
    scopeOf("NOTES_READ", "See your notes")
  ],
  samples: { demo: ["PROFILE_READ"], tests: ["PROFILE_READ"] },
  operations: [
    ...old.operations.map((operation) =>
      operation.path === attendees && operation.method === "GET"
        ? { ...operation, scope: "GUESTS_READ" }
        : operation.scope === "BOOKING_READ"
        ? { ...operation, scope: "BOOKING_VIEW" }
        : operation
    ),
    { method: "GET", path: "/v2/notes", access: "scope", scope: "NOTES_READ" }
  ]
}

function scopeOf(name: string, title: string): CatalogueFile["scopes"][number] {
  return { name, level: "user", access: "read", title, covers: `${title}.` }
}

const bookings = "/v2/bookings"
const guests = "/v2/bookings/1/attendees"

interface Call {
  readonly target: string
  readonly token: string
}

/** Status of the gateway check of a call. */
const check = (url: string, { target, token }: Call) =>
  Effect.promise(async () => {
    const headers = { "x-original-method": "GET", "x-original-uri": target, authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/v2/auth/oauth2/check/nginx`, { headers })
    await response.body?.cancel()
    return response.status
  })

const health = (operatorUrl: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${operatorUrl}/readyz`)
    const { checks }: { checks: Record<string, { detail: string }> } = await response.json()
    return { status: response.status, detail: checks["catalogue"]?.detail ?? "" }
  })

const untilReady = (operatorUrl: string, status: 200 | 503) =>
  eventually(
    health(operatorUrl).pipe(
      Effect.map((found) => found.status === status),
      Effect.catchDefect(() => Effect.succeed(false))
    )
  )

describe("Changing the catalogue of two servers and a worker", () => {
  if (TestPostgres.missing !== undefined) return it.skip(TestPostgres.missing)

  it.live(
    "refuses and allows what both catalogues do, step by step, and no call under load wrongly",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { url: database } = yield* TestPostgres.make
        const file = join(yield* TestDatabase.temporaryFolder, "next.json")
        writeFileSync(file, write(next))
        const env = {
          DATABASE_URL: database,
          MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
          BASE_URL: "https://slotkey.test"
        }
        const withNext = { ...env, CATALOGUE: file }
        const command = (...args: ReadonlyArray<string>) => slotkey(["catalogue", ...args], { env })

        const { bare, full } = yield* Effect.gen(function*() {
          const { tokens } = yield* approvedApp({ scopes: ["BOOKING_READ", "PROFILE_READ"] })
          const tokenOf = (scopes: ReadonlyArray<"BOOKING_READ" | "PROFILE_READ">) =>
            Effect.map(tokens({ scopes }), (json) => String(json["access_token"]))
          return { bare: yield* tokenOf(["PROFILE_READ"]), full: yield* tokenOf(["BOOKING_READ", "PROFILE_READ"]) }
        }).pipe(
          Effect.provide(
            Layer.merge(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(TestDatabase.at(database)))
          )
        )

        const one = yield* ServerProcess.start(env)
        const two = yield* ServerProcess.start(env)
        const worker = yield* WorkerProcess.start(env)
        for (const url of [one.operatorUrl, two.operatorUrl, worker.url]) yield* untilReady(url, 200)

        // A node with another catalogue is not ready, and says which is in force.
        const third = yield* ServerProcess.start(withNext)
        const early = yield* health(third.operatorUrl)
        assert.strictEqual(early.status, 503)
        assert.include(early.detail, `This process has the catalogue ${hashOf(next)}, and ${hashOf(old)} is in force.`)

        // The load goes to nodes that are in service, as a balancer sends it.
        let inService = [one.url, two.url]
        let rounds = 0
        const answers = new Map<string, number>()
        // An API that judges by what the servers say, whichever is asked.
        const guard = yield* Effect.acquireRelease(
          Effect.promise(() =>
            makeOfflineGuard(
              { baseUrl: env.BASE_URL, catalogue: "fetch" },
              (url, request) => fetch(String(url).replace(env.BASE_URL, inService[rounds % 2] ?? ""), request)
            )
          ),
          ({ close }) => Effect.promise(close)
        )
        const checkAtApi = ({ target, token }: Call) =>
          Effect.map(
            Effect.promise(() => guard.check({ method: "GET", target, authorization: `Bearer ${token}` })),
            (verdict) => verdict.allowed ? 200 : verdict.status
          )
        const calls = {
          "with the scope": { target: bookings, token: full },
          "without it": { target: bookings, token: bare },
          "to what is new": { target: "/v2/notes", token: full }
        }
        const load = Effect.gen(function*() {
          for (const url of inService) {
            for (const [name, call] of Object.entries(calls)) {
              for (const status of [yield* check(url, call), yield* checkAtApi(call)]) {
                const key = `${name}: ${status}`
                answers.set(key, (answers.get(key) ?? 0) + 1)
              }
            }
          }
          rounds++
        })
        /** Waits for a whole round that begins later. */
        const goesOn = Effect.suspend(() => {
          const from = rounds
          return eventually(Effect.sync(() => rounds >= from + 2))
        })
        const loaded = yield* Effect.forkScoped(Effect.forever(load))

        assert.strictEqual(yield* check(one.url, { target: guests, token: full }), 200)
        assert.strictEqual(yield* checkAtApi({ target: guests, token: full }), 200)
        const applied = yield* command("apply", file)
        assert.strictEqual(applied.code, 0, applied.stderr)
        // Every node has read it, and every guard: the stricter counts everywhere.
        assert.strictEqual(yield* checkAtApi({ target: guests, token: full }), 403)
        for (const { url } of [one, two, third]) {
          assert.strictEqual(yield* check(url, { target: guests, token: full }), 403)
        }
        for (const url of [one.operatorUrl, third.operatorUrl, worker.url]) yield* untilReady(url, 200)

        inService = [two.url, third.url]
        yield* goesOn
        assert.strictEqual((yield* one.stop).code, 0)
        yield* worker.stop
        const newWorker = yield* WorkerProcess.start(withNext)
        yield* untilReady(newWorker.url, 200)
        const fourth = yield* ServerProcess.start(withNext)
        yield* untilReady(fourth.operatorUrl, 200)
        inService = [third.url, fourth.url]

        const finished = yield* command("finish")
        assert.strictEqual(finished.code, 0, finished.stderr)
        // One was forgotten: it is not ready any more, and says which catalogue it has to get.
        yield* untilReady(two.operatorUrl, 503)
        assert.include((yield* health(two.operatorUrl)).detail, `${hashOf(old)}, and ${hashOf(next)} is in force.`)
        assert.strictEqual(yield* check(two.url, { target: guests, token: full }), 403)
        for (const url of [third.operatorUrl, fourth.operatorUrl, newWorker.url]) yield* untilReady(url, 200)

        // To go back would give apps what they have not had meanwhile.
        const oldFile = join(yield* TestDatabase.temporaryFolder, "old.json")
        writeFileSync(oldFile, write(old))
        const back = yield* command("plan", oldFile)
        assert.strictEqual(back.code, 1)
        assert.match(back.stdout, /WIDER: BOOKING_READ: reaches .*GET \/v2\/bookings\/\{bookingUid\}\/attendees/)

        yield* goesOn
        yield* Fiber.interrupt(loaded)
        assert.sameMembers([...answers.keys()], ["with the scope: 200", "without it: 403", "to what is new: 403"])
        assert.isAbove(answers.get("with the scope: 200") ?? 0, 100)
      })),
    180_000
  )
})
