// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { rowLoop, type Rows } from "../load/RowLoop.ts"
import { ScatteredLoad } from "../load/ScatteredLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import * as PageCache from "../PageCache.ts"
import * as Postgres from "../Postgres.ts"
import * as Processes from "../Processes.ts"
import { failed, median } from "../Report.ts"
import * as Server from "../Server.ts"
import { checkout } from "../systems/Checkout.ts"
import * as KnownGrants from "../systems/KnownGrants.ts"
import { slotkey } from "../systems/Slotkey.ts"

/** Grants in use where they are to fit the memory. */
const few = 20_000

/** Seconds before a measurement: a server decides every ten of them whether to read ahead. */
const settling = 12

interface Run extends Rows {
  /** Kilobytes that PostgreSQL read from the disk for each. */
  readonly read: number
  readonly failures: number
}

/**
 * Refreshes and gateway checks of 20,000 grants, of as many among very many, and of any of the very many, for whose
 * rows the memory is too small; beside the last a bare statement by primary key on the same table, and with `--base`
 * the server of another checkout.
 */
export const beyondMemory = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const { grants } = options.ballast
  const population = { clients: options.clients, users: 100_000, codes: 0 }
  const prepare = Effect.fnUntraced(function*(name: string, count: number) {
    const url = yield* postgres.database(name)
    yield* slotkey.prepare(url, population)
    const began = performance.now()
    yield* KnownGrants.openGrants(url, count, population)
    yield* Console.log(`${count} grants in ${((performance.now() - began) / 1000).toFixed(0)} s: ${yield* sizes(url)}`)
    const load = new ScatteredLoad(population, yield* KnownGrants.tokens(url, population), count)
    return { url, load, server: yield* Server.start(slotkey, url, options) }
  })
  const small = yield* prepare("bench_small", few)
  const vast = yield* prepare("bench_vast", grants)
  const other = options.base === "" ? undefined : yield* Server.start(checkout(options.base), vast.url, options)
  if (options.memory > 0) yield* PageCache.limit(postgres.pid, options.memory)

  const requests = (side: typeof small, operation: "gateway" | "refresh", count: number) => (seconds: number) =>
    Effect.map(
      Measure.loop(postgres, [side.server], side.load[operation](count), { ...options, warmUp: 0, seconds }),
      (measured) => ({ ...measured, failures: failed(measured) })
    )
  const statement = (text: string) => (seconds: number) =>
    Effect.promise(async () => ({
      ...await rowLoop({
        url: vast.url,
        connections: options.connections,
        seconds,
        statement: text,
        id: () => KnownGrants.grantId(Math.floor(Math.random() * grants))
      }),
      failures: 0
    }))

  for (const operation of ["refresh", "gateway"] as const) {
    if (!operation.includes(options.only)) continue
    const bare = statements[operation]
    const kinds = {
      [`${few} grants of as many`]: requests(small, operation, few),
      [`${few} grants of ${grants}`]: requests(vast, operation, few),
      [`any of ${grants}`]: requests(vast, operation, grants),
      ...(other === undefined
        ? {}
        : { [`the same, ${options.base}`]: requests({ ...vast, server: other }, operation, grants) }),
      [bare]: statement(bare)
    }
    const measured = new Map(Object.keys(kinds).map((name) => [name, new Array<Run>()]))
    for (let round = 0; round < options.rounds; round++) {
      // The later one finds more in memory, so each comes as often before another as after it.
      const order = Object.entries(kinds)
      for (const [name, kind] of round % 2 === 0 ? order : order.toReversed()) {
        yield* kind(settling)
        const before = Processes.readBytes(postgres.pid)
        const run = yield* kind(options.seconds)
        const read = (Processes.readBytes(postgres.pid) - before) / 1024 / (run.rate * options.seconds)
        measured.get(name)?.push({ ...run, read })
      }
    }
    yield* Console.log(`\n${table(operation, measured)}`)
  }
  yield* Console.log(`\nat the end: ${yield* sizes(vast.url)}`)
})

const statements = {
  refresh: "UPDATE grants SET generation = generation, rotated_at = now() WHERE id = $1",
  gateway: "SELECT client_id, user_id, generation, revoked_at, expires_at FROM grants WHERE id = $1"
}

const table = (operation: string, measured: ReadonlyMap<string, ReadonlyArray<Run>>): string => {
  const rows = [...measured].map(([name, runs]) => {
    const of = (field: keyof Run) => median(runs.map((run) => run[field]))
    const ratios = [...measured.values()].map((others) =>
      median(runs.map(({ rate }, round) => rate / (others[round]?.rate ?? Number.NaN))).toFixed(2)
    )
    return `| ${name} | ${Math.round(of("rate"))} | ${ratios[0]} | ${ratios.at(-1)} | ${of("p50").toFixed(1)} | ${
      of("p99").toFixed(1)
    } | ${of("read").toFixed(1)} kB | ${runs.reduce((sum, { failures }) => sum + failures, 0)} |`
  })
  return [
    `| ${operation} | /s | of the first | of the bare one | p50 ms | p99 ms | read for each | failed |`,
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...rows
  ].join("\n")
}

const sizes = (url: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const parts = yield* sql<{ name: string; bytes: number; rows: number }>`
      SELECT relname AS name, pg_relation_size(oid)::float8 AS bytes, (SELECT reltuples FROM pg_class
        WHERE oid = 'grants'::regclass)::float8 AS rows
      FROM pg_class WHERE oid = 'grants'::regclass
        OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'grants'::regclass) ORDER BY bytes DESC`
    return parts.map(({ bytes, name, rows }) =>
      `${name} ${(bytes / 1e6).toFixed(0)} MB (${(bytes / rows).toFixed(0)} bytes a row)`
    ).join(", ")
  }).pipe(Effect.provide(Postgres.connect(url)))
