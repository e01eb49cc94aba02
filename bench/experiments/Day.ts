// @effect-diagnostics strictEffectProvide:off
import { Console, Effect, Exit, Layer, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { sweeps } from "../../src/core/usage/UsageMerge.ts"
import { UsageReports } from "../../src/core/usage/UsageReports.ts"
import { builtIn } from "../../src/domain/catalogue/Catalogue.ts"
import { ClientId, GrantId } from "../../src/domain/Ids.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { type CalledOperation, type Caller, CallSums, ofGrant, ofNeed, ofOperation } from "../CallSums.ts"
import * as Gateway from "../Gateway.ts"
import { type AppCall, Apps, nobody } from "../load/Apps.ts"
import type { Options } from "../Options.ts"
import { clientId, clientOfCode, type Population, userId } from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"
import type { System } from "../systems/System.ts"

/**
 * A day of an API: apps that use openid-client call its operations through nginx, which asks two servers with
 * `auth_request`, and one of these is killed in the midst of it. Fails unless the counts of rights equal nginx's own
 * access log, entry by entry, but for calls that the killed server had checked since it last wrote
 * (`USAGE_INTERVAL`).
 */
export const day = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const population: Population = { clients: options.clients, users: 1000, codes: options.clients * 10, pkce: true }
  const url = yield* postgres.database("day")
  yield* slotkey.prepare(url, population)
  yield* Effect.provide(grantScopes(population), Postgres.connect(url))
  const [port, ...ports] = [yield* Processes.freePort, yield* Processes.freePort, yield* Processes.freePort]
  const address = `http://127.0.0.1:${port}`
  const gateway = yield* Gateway.serve(port, ports)
  const seconds = options.usageInterval
  const [killed, other] = yield* Effect.forEach(ports, (each) => node(at(address, seconds), url, options, each))
  if (killed === undefined || other === undefined) return yield* Effect.die("There are two servers")

  const apps = yield* Effect.promise(() => Apps.install(address, population))
  const began = performance.now()
  let killedAt = 0
  yield* Effect.promise(() =>
    makeCalls(apps, population, options, () => {
      process.kill(killed.pid, "SIGKILL")
      killedAt = Date.now()
    })
  )
  const took = (performance.now() - began) / 1000
  // nginx writes a line after it has answered.
  const isWhole = ({ length }: ReadonlyArray<Gateway.Logged>) => length >= options.calls
  const log = yield* Effect.repeat(gateway.log, { until: isWhole, schedule: Schedule.spaced("100 millis"), times: 50 })
  // A server that stops writes what it has.
  yield* other.stop

  const unanswered = log.filter(({ status }) => status >= 500)
  const refused = log.filter(({ caller, status }) => status === 401 && caller !== nobody)
  const compare = Effect.gen(function*() {
    const callers = yield* callersOf(population)
    const unwritten = killedAt - (seconds + 1) * 1000
    const expected = new CallSums(log, operations, callers, { port: killed.port, at: killedAt, unwritten })
    for (const when of ["handed over", "added up"]) {
      if (when === "added up") yield* addUp
      const { differences, missing } = expected.compare(yield* counted(callers))
      yield* Console.log(
        `${when}: ${missing} calls are missing of ${expected.atRisk} that the killed server had checked in its last ` +
          `${seconds + 1} s; ${expected.size} sums compared, ${differences.length} differ`
      )
      for (const difference of differences.slice(0, 10)) yield* Console.log(`  ${difference}`)
      if (differences.length > 0) {
        return yield* new Processes.ProcessError({ message: "The counts are not those of nginx" })
      }
    }
  }).pipe(Effect.provide(
    UsageReports.layer.pipe(
      Layer.provideMerge(Database.layer),
      Layer.provideMerge(AppConfig.layerTest({ DATABASE_URL: url }))
    )
  ))
  yield* Console.log(
    `${
      log.length.toLocaleString("en")
    } calls of ${operations.length} operations by ${population.codes} installed apps ` +
      `in ${took.toFixed(0)} s, one of two servers killed after half of them; ${unanswered.length} got no answer`
  )
  if (log.length !== options.calls || refused.length > 0) {
    return yield* new Processes.ProcessError({
      message: `${log.length} calls were logged, and ${refused.length} with a valid token refused`
    })
  }
  yield* compare
})

/** Operations of the built-in catalogue that this gateway leads to the API, and the profile, which Slotkey answers. */
const operations = builtIn().policy.endpoints
  .filter(({ path }) => !/^\/v2\/(?:auth\/oauth2|oauth-clients|api-keys|admin)(?:\/|$)/.test(path))
  .filter(({ method, path }) => path !== "/v2/me" || method === "GET")
  .slice(0, 300)
  .map(({ method, path, requirement }): CalledOperation => ({
    name: `${method} ${path}`,
    method,
    target: path.replaceAll(/\{\w+\}/g, "7"),
    requirement
  }))

const at = (address: string, usageInterval: number): System => ({
  ...slotkey,
  process: (...where) => {
    const { args, env } = slotkey.process(...where)
    return { args, env: { ...env, BASE_URL: address, USAGE_INTERVAL: `${usageInterval} seconds` } }
  }
})

const node = Effect.fnUntraced(function*(system: System, url: string, options: Options, port: number) {
  const own = yield* Scope.fork(yield* Effect.scope)
  const { pid } = yield* Server.start(system, url, options, port).pipe(Scope.provide(own))
  return { pid, port, stop: Scope.close(own, Exit.void) }
})

/** Gives each app two thirds of the scopes, so that each is refused some calls. */
const grantScopes = Effect.fnUntraced(function*({ clients }: Population) {
  const sql = yield* SqlClient.SqlClient
  for (let n = 0; n < clients; n++) {
    const scopes = builtIn().names.filter((_, at) => at % 3 !== n % 3)
    yield* sql`UPDATE clients SET scopes = ${[...scopes]}::text[] WHERE id = ${clientId(n)}`
    yield* sql`UPDATE codes SET scopes = ${[...scopes]}::text[] WHERE client_id = ${clientId(n)}`
  }
})

/** More would only wait for each other: the apps work in this process. */
const mostAtOnce = 16

/** Makes all calls, several at a time; tells when half of them are made. */
const makeCalls = async (apps: Apps, { codes }: Population, { calls, connections }: Options, half: () => void) => {
  let next = 0
  const work = async () => {
    for (let n = next++; n < calls; n = next++) {
      if (n === Math.floor(calls / 2)) half()
      const app = n % codes
      // Each is refreshed in the first half, and in the second, by one at a time.
      if (Math.floor(n / codes) % Math.ceil(calls / codes / 2) === 1) await apps.refresh(app)
      await apps.call(app, callOf(n))
    }
  }
  await Promise.all(Array.from({ length: Math.min(connections, mostAtOnce) }, work))
}

/** Calls of all operations, and among them of what there is not, without a token, and with one that is none. */
const callOf = (n: number): AppCall => {
  // Each app comes by all operations, because the number of these and the multiplier have no divisor in common.
  const { method, target } = operations[(n * 7 + Math.floor(n / 300)) % operations.length] ??
    { method: "GET", target: "/" }
  switch (n % 97) {
    case 1:
      return { method: "GET", target: `/v2/there-is-nothing/${n}`, token: "own" }
    case 2:
      return { method: "GET", target: "/v2//bookings", token: "own" }
    case 3:
      return { method, target, token: "none" }
    case 4:
      return { method, target, token: "wrong" }
    default:
      return { method, target: n % 2 === 0 ? target : `${target}?page=${n}`, token: "own" }
  }
}

/** Grant and app by the number of their code, which their calls say. */
const callersOf = Effect.fnUntraced(function*(population: Population) {
  const sql = yield* SqlClient.SqlClient
  const grants = yield* sql<{ readonly id: GrantId; readonly userId: string }>`SELECT id, user_id FROM grants`
  const byUser = new Map(grants.map(({ id, userId }) => [userId, id]))
  return Array.from({ length: population.codes }, (_, n) => ({
    grantId: GrantId.make(byUser.get(userId(n)) ?? ""),
    clientId: ClientId.make(clientId(clientOfCode(population, n)))
  }))
})

/** What the servers counted, as its readers see it. */
const counted = Effect.fnUntraced(function*(callers: ReadonlyArray<Caller>) {
  const reports = yield* UsageReports
  const sums = new Map<string, number>()
  const add = (key: string, calls: number) => sums.set(key, (sums.get(key) ?? 0) + calls)
  for (const [id, { uses }] of yield* reports.ofGrants(callers.map(({ grantId }) => grantId))) {
    for (const { calls, need } of uses) add(ofGrant(id, need), calls)
  }
  for (const id of new Set(callers.map(({ clientId }) => clientId))) {
    const { days, operations } = yield* reports.ofClient(id, 2)
    for (const { calls, need, outcome } of days) add(ofNeed(id, need, outcome), calls)
    for (const { calls, operation, outcome } of operations) add(ofOperation(id, operation, outcome), calls)
  }
  return sums
})

const addUp = Effect.gen(function*() {
  for (const { prepare } of sweeps) {
    const batch = yield* prepare
    for (let more = true; more;) more = (yield* batch).more
  }
})
