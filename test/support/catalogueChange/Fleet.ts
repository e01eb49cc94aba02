// @effect-diagnostics strictEffectProvide:off
import { DateTime, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { strictEqual } from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { hashOf } from "../../../src/domain/catalogue/file/CatalogueHash.ts"
import { write } from "../../../src/domain/catalogue/file/WriteCatalogue.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import * as Testing from "../../../src/testing.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { slotkey } from "../Cli.ts"
import { eventually } from "../Eventually.ts"
import * as ServerProcess from "../ServerProcess.ts"
import * as TestDatabase from "../TestDatabase.ts"
import * as TestPostgres from "../TestPostgres.ts"
import * as WorkerProcess from "../WorkerProcess.ts"
import { baseUrl, type Person } from "./AppLife.ts"
import { next, old, type Side } from "./Catalogues.ts"
import type { Node } from "./Requests.ts"
import { Traffic } from "./Traffic.ts"
import { Truth } from "./Truth.ts"

/** A server process with its catalogue. */
export interface Server extends Node, Pick<ServerProcess.ServerProcess, "operatorUrl" | "stop"> {}

export const hashes = { old: hashOf(old), next: hashOf(next) } as const satisfies { readonly [S in Side]: string }

/** Two servers and a worker of one database, with traffic, whose catalogue is changed as docs/catalogue.md says. */
export const make = Effect.fnUntraced(function*(database: string) {
  const folder = yield* TestDatabase.temporaryFolder
  const files = { old: join(folder, "old.json"), next: join(folder, "next.json") } as const
  writeFileSync(files.old, write(old))
  writeFileSync(files.next, write(next))
  const env = {
    DATABASE_URL: database,
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
    BASE_URL: baseUrl,
    // One person registers all apps of the traffic.
    ACCOUNT_BUDGET: "1000000"
  }
  const envOf = (side: Side) => side === "old" ? env : { ...env, CATALOGUE: files.next }
  const person = yield* developer.pipe(
    Effect.provide(
      Layer.merge(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(TestDatabase.at(database)))
    )
  )

  const start = Effect.fnUntraced(function*(own: Side) {
    const { operatorUrl, stop, url } = yield* ServerProcess.start(envOf(own))
    return { own, operatorUrl, stop, url } satisfies Server
  })
  const startWorker = Effect.fnUntraced(function*(own: Side) {
    const worker = yield* WorkerProcess.start(envOf(own))
    yield* untilReady(worker.url, 200)
    return worker
  })

  const begin = [yield* start("old"), yield* start("old")] as const
  let servers: ReadonlyArray<Server> = begin
  let worker = yield* startWorker("old")
  let workingSince = yield* DateTime.now
  for (const { operatorUrl } of servers) yield* untilReady(operatorUrl, 200)
  const truth = new Truth(["old"])
  const traffic = new Traffic(truth, person, servers)

  const command = (...args: ReadonlyArray<string>) => slotkey(["catalogue", ...args], { env })
  const done = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
    const { code, stderr } = yield* command(...args)
    strictEqual(code, 0, stderr)
  })
  const serve = (all: ReadonlyArray<Server>) => {
    servers = all
    return Effect.promise(() => traffic.serve(all))
  }
  const goesOn = Effect.promise(() => traffic.goesOn())
  /** Waits until no node in service knows of an announcement. */
  const settled = Effect.suspend(() =>
    Effect.forEach(servers, ({ operatorUrl, own }) =>
      eventually(
        Effect.map(health(operatorUrl), ({ detail }) => detail.startsWith(`${hashes[own]} is in force.`))
      ))
  )

  return {
    traffic,
    files,
    command,
    start,
    serve,
    goesOn,
    /** Servers with which it begins. */
    begin,
    /** Servers that are in service now. */
    servers: () => servers,
    /** Announces a catalogue: afterwards each node has read that. */
    announce: Effect.fnUntraced(function*(side: Side, ...flags: ReadonlyArray<string>) {
      const before = side === "next" ? "old" : "next"
      truth.becomes([before], ["old", "next"])
      yield* done("apply", ...flags, files[side])
      truth.becomes(["old", "next"])
      yield* goesOn
    }),
    /** Restarts a server with a catalogue, while the others serve. */
    restart: Effect.fnUntraced(function*(server: Server, own: Side) {
      const others = servers.filter((each) => each !== server)
      yield* serve(others)
      strictEqual((yield* server.stop).code, 0)
      const started = yield* start(own)
      yield* untilReady(started.operatorUrl, 200)
      yield* serve([...others, started])
      yield* goesOn
    }),
    restartWorker: Effect.fnUntraced(function*(own: Side) {
      strictEqual((yield* worker.stop).code, 0)
      worker = yield* startWorker(own)
      workingSince = yield* DateTime.now
    }),
    /** Ends an announcement; `side` is in force afterwards. */
    end: Effect.fnUntraced(function*(how: "finish" | "withdraw", side: Side) {
      truth.becomes(["old", "next"], [side])
      yield* done(how)
      yield* settled
      truth.becomes([side])
      yield* goesOn
    }),
    /** Waits until the worker of now has done jobs; answers how many were given up by any. */
    deadLetters: Effect.suspend(() => {
      const rows = (condition: string) => TestPostgres.query(database, `SELECT 1 FROM outbox WHERE ${condition}`)
      const isWorking = Effect.map(rows(`done_at > '${DateTime.formatIso(workingSince)}'`), ({ length }) => length > 0)
      return Effect.andThen(eventually(isWorking), Effect.map(rows("dead_at IS NOT NULL"), ({ length }) => length))
    })
  }
})

/** Health of a process, by its operator's port. */
export const health = (operatorUrl: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${operatorUrl}/readyz`)
    const { checks }: { checks: Record<string, { detail: string }> } = await response.json()
    return { status: response.status, detail: checks["catalogue"]?.detail ?? "" }
  })

export const untilReady = (operatorUrl: string, status: 200 | 503) =>
  eventually(
    health(operatorUrl).pipe(
      Effect.map((found) => found.status === status),
      Effect.catchDefect(() => Effect.succeed(false))
    )
  )

const developer = Effect.gen(function*() {
  const id = yield* newAccount("developer", "admin")
  const sessions = yield* Sessions
  const { key } = yield* (yield* ApiKeys).create(id, "traffic", id)
  const session = Redacted.value(yield* sessions.start(id))
  const person: Person = {
    cookie: `${cookieName({ authUrl: baseUrl })}=${session}`,
    apiKey: Redacted.value(key)
  }
  return person
})
