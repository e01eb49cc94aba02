import { Console, Effect } from "effect"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import { minutes } from "../Minutes.ts"
import type { Options } from "../Options.ts"
import type { Postgres } from "../Postgres.ts"
import * as Server from "../Server.ts"
import { slotkey } from "../systems/Slotkey.ts"

/** Grants that are refreshed and checked. Those beyond are only made. */
const kept = 50_000

/**
 * Exchange, refresh and check together at a fixed rate below what the server can, for many minutes: the percentiles of
 * each minute, and what server and database use. Shows what a run of seconds cannot: vacuum, checkpoints, growth.
 */
export const long = Effect.fnUntraced(function*(postgres: Postgres, options: Options) {
  const warm = (options.warmUp + options.seconds) * 3
  const codes = Math.ceil(warm * 15_000 + options.minutes * 60 * (options.rate === 0 ? 1500 : options.rate / 3))
  const population = { clients: options.clients, users: 1000, codes, pkce: true }
  const url = yield* postgres.database("bench")
  yield* slotkey.prepare(url, population)
  const server = yield* Server.start(slotkey, url, options)
  const load = new TokenLoad(population, { kept })
  const { check, exchange, refresh } = Measure.sources(load)

  yield* Measure.loop(postgres, [server], exchange, options)
  const { rate: refreshes } = yield* Measure.loop(postgres, [server], refresh, options)
  const rate = options.rate === 0 ? Math.min(refreshes / 3, 4500) : options.rate
  yield* Console.log(
    `${Math.round(refreshes)} refreshes/s were possible; ${Math.round(rate)} requests/s are sent, a third of each kind`
  )
  yield* minutes(postgres, server, options, rate, { exchange, refresh, check })
})
