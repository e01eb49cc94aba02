import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { LocalServices } from "../app/Services.ts"
import { ReloadInterval } from "../core/keys/KeyRing.ts"
import { LegacyImport } from "../core/legacy/import/LegacyImport.ts"
import { ResourceServers } from "../core/tokens/ResourceServers.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import * as DatabaseOutage from "./DatabaseOutage.ts"
import * as Reset from "./Reset.ts"
import { ShiftedClock } from "./ShiftedClock.ts"
import * as TestApps from "./TestApps.ts"
import * as TestBrowser from "./TestBrowser.ts"
import { TestJobs } from "./TestJobs.ts"
import { TestRoutes } from "./TestRoutes.ts"
import { TestServer } from "./TestServer.ts"
import * as Tokens from "./TestTokens.ts"
import * as TestUsers from "./TestUsers.ts"

export { WithoutDatabase } from "../app/Services.ts"

// All of a test server but its database, its settings and its clock. It is loaded while the database opens (`TestServer`).

const make = Effect.gen(function*() {
  const { baseUrl } = yield* AppConfig
  const sql = yield* SqlClient.SqlClient
  const clock = yield* ShiftedClock
  const jobs = yield* TestJobs
  const outage = yield* DatabaseOutage.DatabaseOutage
  const resourceServers = yield* ResourceServers
  const users = yield* TestUsers.make
  const { app, decide, forget, importLegacy } = yield* TestApps.make(users)
  const browser = yield* TestBrowser.make

  return TestServer.of({
    url: baseUrl,
    ...browser,
    ...users,
    app,
    decide,
    ...Tokens.make({ app, importLegacy }, users, browser, clock),
    credential: Effect.map(resourceServers.create("An API under test"), ({ credential }) => credential),
    advance: clock.forward,
    whileDatabaseIsAway: outage.away,
    jobs: jobs.waiting,
    runJobs: jobs.run,
    runScheduledJobs: jobs.runScheduled,
    mails: jobs.mails,
    webhooks: jobs.webhooks,
    reset: Effect.andThen(Reset.empty(sql), Effect.andThen(jobs.forget, Effect.sync(forget)))
  })
})

const composed = <A, E, R>(server: Layer.Layer<A, E, R>) =>
  server.pipe(
    Layer.provideMerge(LegacyImport.layer),
    Layer.provideMerge(LocalServices),
    Layer.provide(Layer.succeed(ReloadInterval, Duration.infinity))
  )

export const server = composed(Layer.provide(Layer.effect(TestServer, make), [TestJobs.layer, TestRoutes.layer]))

/** The same, with the routes to serve at a port. */
export const serverWithRoutes = composed(
  Layer.effect(TestServer, make).pipe(Layer.provide(TestJobs.layer), Layer.provideMerge(TestRoutes.layer))
)
