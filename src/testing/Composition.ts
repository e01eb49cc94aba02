import { type Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { LocalServices, Services } from "../app/Services.ts"
import { ReloadInterval } from "../core/keys/KeyRing.ts"
import { LegacyImport } from "../core/legacy/import/LegacyImport.ts"
import { ResourceServers } from "../core/tokens/ResourceServers.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import * as DatabaseOutage from "./DatabaseOutage.ts"
import * as OwnUsers from "./OwnUsers.ts"
import * as Reset from "./Reset.ts"
import { ShiftedClock } from "./ShiftedClock.ts"
import * as TestApps from "./TestApps.ts"
import * as TestBrowser from "./TestBrowser.ts"
import { TestJobs } from "./TestJobs.ts"
import { TestRoutes } from "./TestRoutes.ts"
import type { TestServerMethods } from "./TestServerMethods.ts"
import * as Tokens from "./TestTokens.ts"
import * as LocalUsers from "./TestUsers.ts"
import type { TestUsers } from "./TestUsers.ts"

export { WithoutDatabase } from "../app/Services.ts"

// All of a test server but its database, its settings and its clock. It is loaded while the database opens
// (`TestServer`).

const make = Effect.fnUntraced(function*(users: TestUsers, importLegacy: TestApps.ImportLegacy) {
  const { baseUrl } = yield* AppConfig
  const sql = yield* SqlClient.SqlClient
  const clock = yield* ShiftedClock
  const jobs = yield* TestJobs
  const outage = yield* DatabaseOutage.DatabaseOutage
  const resourceServers = yield* ResourceServers
  const { app, appFor, decide, forget } = yield* TestApps.make(users, importLegacy)
  const browser = yield* TestBrowser.make

  const methods: TestServerMethods = {
    url: baseUrl,
    ...browser,
    ...users,
    app,
    decide,
    ...Tokens.make({ appFor }, importLegacy, users, browser, clock),
    credential: Effect.map(resourceServers.create("An API under test"), ({ credential }) => credential),
    advance: clock.forward,
    whileDatabaseIsAway: outage.away,
    jobs: jobs.waiting,
    runJobs: jobs.run,
    runScheduledJobs: jobs.runScheduled,
    mails: jobs.mails,
    webhooks: jobs.webhooks,
    reset: Effect.andThen(
      Reset.empty(sql),
      Effect.all([clock.reset, jobs.forget, Effect.sync(forget)], { discard: true })
    )
  }
  return methods
})

/** Service under which the methods are offered. */
type Key<I> = Context.Key<I, TestServerMethods>

const withLocalAccounts = <I>(key: Key<I>) =>
  Layer.effect(
    key,
    Effect.flatMap(Effect.all([LocalUsers.make, TestApps.importLegacy]), ([users, importing]) => make(users, importing))
  )

const withOwnUsers = <I>(key: Key<I>) =>
  Layer.effect(key, Effect.flatMap(OwnUsers.make, (users) => make(users, () => Effect.die(new Error(noImport)))))

const noImport = "Legacy apps are imported for local accounts alone, and the users are your own"

const keysReadOnce = Layer.succeed(ReloadInterval, Duration.infinity)

const composed = <A, E, R>(server: Layer.Layer<A, E, R>) =>
  server.pipe(
    Layer.provideMerge(LegacyImport.layer),
    Layer.provideMerge(LocalServices),
    Layer.provide(keysReadOnce)
  )

export const server = <I>(key: Key<I>) =>
  composed(Layer.provide(withLocalAccounts(key), [TestJobs.layer, TestRoutes.layer]))

/** Same, with the routes to serve at a port. */
export const serverWithRoutes = <I>(key: Key<I>) =>
  composed(withLocalAccounts(key).pipe(Layer.provide(TestJobs.layer), Layer.provideMerge(TestRoutes.layer)))

/** Same on an identity source of another program. */
export const serverFor = <I, A, E>(key: Key<I>, { users }: Pick<OwnUsers.OwnUsers<A, E>, "users">) =>
  withOwnUsers(key).pipe(
    Layer.provide([TestJobs.layer, TestRoutes.layer]),
    Layer.provideMerge(Layer.provideMerge(Services, users)),
    Layer.provide(keysReadOnce)
  )
