// @effect-diagnostics strictEffectProvide:off
import { Console, Effect, Exit, Fiber, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import * as Credential from "../../src/domain/Credential.ts"
import { Crossing, type Person, signIn } from "../load/Crossing.ts"
import { closedLoop, limited, type Source } from "../load/Load.ts"
import { type Offered, openLoop } from "../load/OpenLoop.ts"
import { PeopleLoad } from "../load/PeopleLoad.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Nginx from "../Nginx.ts"
import type { Options } from "../Options.ts"
import type { Population } from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { failed } from "../Report.ts"
import * as SchemaStep from "../SchemaStep.ts"
import * as Server from "../Server.ts"
import * as Checkout from "../systems/Checkout.ts"
import { seed, slotkey } from "../systems/Slotkey.ts"
import type { System } from "../systems/System.ts"

/**
 * Two servers behind nginx, each restarted in its turn under half the load that one carries, pages and calls of the
 * management API among it. Fails when one request did: a 503 is a failure here, whatever it says about trying again.
 */
export const rolling = (postgres: Postgres.Postgres, options: Options) =>
  rounds(options, restarted(postgres, slotkey, options))

/** The same from the release before this one, with a person who uses both at a time. */
export const upgrade = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const folder = options.base === "" ? yield* Checkout.beforeThis : options.base
  yield* rounds(options, restarted(postgres, Checkout.checkout(folder), options, folder))
})

interface Restarted {
  /** Right answers in a second of one server alone; 0 where the load was given. */
  readonly capacity: number
  readonly offered: Offered
  readonly rate: number
  readonly crossing: Crossing | undefined
}

const rounds = Effect.fnUntraced(function*(options: Options, restart: Effect.Effect<Restarted, unknown, Scope.Scope>) {
  const rows: Array<string> = []
  let failures = 0
  for (let round = 1; round <= options.rounds; round++) {
    const { capacity, crossing, offered, rate } = yield* Effect.scoped(restart)
    const problems = crossing?.problems ?? []
    failures += failed(offered) + offered.refused + problems.length
    rows.push(row(round, capacity, rate, offered))
    for (const [problem, count] of offered.failures) yield* Console.log(`  ${count} x ${problem}`)
    if (crossing !== undefined) {
      yield* Console.log(`run ${round}: ${crossing.crossed} uses of what one release issued were right at the other`)
    }
    for (const problem of problems) yield* Console.log(`  ${problem}`)
  }
  yield* Console.log(`\n${[header, ...rows].join("\n")}`)
  if (failures > 0) return yield* new Processes.ProcessError({ message: `${failures} requests failed` })
})

const header = `| run | one server carries | load | requests | failed | of them 503 | p99 | longest |
|---|---|---|---|---|---|---|---|`

const row = (round: number, capacity: number, rate: number, offered: Offered): string =>
  `| ${round} | ${capacity === 0 ? "not measured" : `${Math.round(capacity)}/s`} | ${Math.round(rate)}/s ` +
  `| ${offered.sent.toLocaleString("en")} in ${offered.seconds.toFixed(0)} s | ${failed(offered) + offered.refused} ` +
  `| ${offered.refused} | ${offered.servedP99.toFixed(0)} ms | ${offered.servedWorst.toFixed(0)} ms |`

/** Restarts both servers of a system as servers of this checkout; `before` is the folder of an earlier release. */
const restarted = Effect.fnUntraced(
  function*(postgres: Postgres.Postgres, from: System, options: Options, before?: string) {
    // When they are spent, requests are refreshes in their place.
    const population: Population = { clients: options.clients, users: 1000, codes: grants + options.requests }
    const url = yield* postgres.database("rolling")
    const first = yield* node(url, options)
    const second = yield* node(url, options)
    const nginx = yield* Nginx.serve([first.port, second.port])
    yield* first.start(from)
    yield* seed(population).pipe(Effect.provide(Postgres.connect(url)))
    const folder = before ?? root
    const origin = from.process(url, first.port).env["BASE_URL"] ?? ""
    const crossing = before === undefined
      ? undefined
      : new Crossing(origin, yield* account(from, folder, url, "ada@example.com"))
    yield* Effect.promise(async () => crossing?.before(first.address))
    const administrator = yield* account(from, folder, url, "bo@example.com")
    const apiKey = yield* Effect.provide(administering(administrator), Postgres.connect(url))
    const { cookie } = yield* Effect.promise(() => signIn(first.address, origin, administrator))

    const load = new TokenLoad(population)
    const people = new PeopleLoad({ cookie, apiKey })
    const closed = (seconds: number, source: Source) =>
      Effect.promise(() => closedLoop({ ports: [nginx.port], connections: options.connections, seconds, source }))
    yield* closed(600, limited(load.exchange, grants))
    const all = mix(load, people.source)
    yield* closed(options.warmUp, all)
    const capacity = options.rate > 0 ? 0 : (yield* closed(options.seconds, all)).rate
    const rate = options.rate > 0 ? options.rate : capacity / 2

    yield* second.start(from)
    let isOver = false
    const offering = yield* Effect.forkChild(Effect.promise(() =>
      openLoop({
        port: nginx.port,
        connections: options.connections,
        rate,
        source: all,
        goesOn: (sent) => !isOver || sent < options.requests
      })
    ))
    const restart = Effect.fnUntraced(function*(each: typeof first) {
      yield* each.stop
      yield* each.start(slotkey)
    })
    yield* Effect.provide(grown, Postgres.connect(url))
    // Both servers go on with what they have prepared before.
    yield* Effect.sleep("2 seconds")
    yield* restart(first)
    yield* Effect.promise(async () => crossing?.mixed(second.address, first.address))
    yield* restart(second)
    yield* Effect.promise(async () => crossing?.after(second.address))
    isOver = true
    const offered = yield* Fiber.join(offering)
    yield* Effect.all([first.end, second.end], { concurrency: 2 })
    return { capacity, crossing, offered, rate }
  }
)

/** Migrates the schema while both servers have requests, by a step that is made up. */
const grown = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const { table } of yield* sql.unsafe<{ readonly table: string }>(SchemaStep.tables)) {
    const [limit, change] = SchemaStep.grow(table, "made_up")
    yield* sql.withTransaction(Effect.andThen(sql.unsafe(limit), sql.unsafe(change)))
  }
})

const root = join(import.meta.dirname, "..", "..")

/** A person with an account that the release in this folder made. */
const account = (from: System, folder: string, url: string, email: string) =>
  Effect.sync((): Person => {
    const { env } = from.process(url, 3000)
    const password = "correct horse battery staple"
    execFileSync(
      process.execPath,
      [join(folder, "src/cli.ts"), "accounts", "create", "--email", email, "--name", "Ada", "--password-stdin"],
      { input: password, env: { ...process.env, ...env }, stdio: ["pipe", "ignore", "pipe"] }
    )
    return { email, password }
  })

/** Makes the person an administrator with an API key, which is answered. */
const administering = Effect.fnUntraced(function*({ email }: Person) {
  const sql = yield* SqlClient.SqlClient
  const key = Credential.format("apiKey", "0".repeat(43))
  yield* sql`UPDATE accounts SET role = 'admin' WHERE email = ${email}`
  yield* sql`INSERT INTO api_keys (id, user_id, name, digest, last_four, created_at)
    SELECT gen_random_uuid()::text, id, 'of the load', ${Credential.digest(key)}, 'last', now() FROM accounts
    WHERE email = ${email}`
  return key
})

/** Grants that the load begins with: so many that none is refreshed twice at a time. */
const grants = 2_000

/**
 * Requests of many apps and people: of ten one exchanges a code, four refresh, four call the API, and one is a
 * person's.
 */
const mix = (load: TokenLoad, people: Source): Source => {
  const check = load.check(grants)
  let sent = 0
  return () => {
    const turn = sent++ % 10
    if (turn === 9) return people()
    return (turn === 0 ? load.exchange() : undefined) ?? (turn < 5 ? load.refresh() : check())
  }
}

/** A server that can be started again on the same port. */
const node = Effect.fnUntraced(function*(url: string, options: Options) {
  const port = yield* Processes.freePort
  const scope = yield* Effect.scope
  let life: { readonly scope: Scope.Closeable; readonly pid: number } | undefined

  const start = Effect.fnUntraced(function*(system: System) {
    const own = yield* Scope.fork(scope)
    const behindProxy: System = {
      ...system,
      process: (...where) => {
        const { args, env } = system.process(...where)
        return {
          args,
          env: {
            ...env,
            DRAIN_DELAY: options.drainDelay,
            CODE_LIFETIME: "10 minutes",
            // One person registers all apps of the load.
            ACCOUNT_BUDGET: "1000000"
          }
        }
      }
    }
    const { pid } = yield* Server.start(behindProxy, url, options, port).pipe(Scope.provide(own))
    life = { scope: own, pid }
  })
  const stop = Effect.suspend(() => life === undefined ? Effect.void : Scope.close(life.scope, Exit.void))
  return {
    port,
    address: `http://127.0.0.1:${port}`,
    start,
    stop,
    /** Stops it without the delay, which only a SIGTERM has that comes first. */
    end: Effect.suspend(() => {
      if (life !== undefined) process.kill(life.pid, "SIGINT")
      return stop
    })
  }
})
