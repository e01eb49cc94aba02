// @effect-diagnostics strictEffectProvide:off
import { Console, Effect } from "effect"
import type { Source } from "../load/Load.ts"
import { TokenLoad } from "../load/TokenLoad.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import { median } from "../Report.ts"
import * as Server from "../Server.ts"
import { seed, slotkey } from "../systems/Slotkey.ts"

/**
 * The price of the first use of a refreshed token, which the grant's row notes (docs/decisions/tokens.md): each token
 * is checked once, those of an exchange, of which no use is noted, and those of a refresh. All of them are new to the
 * server, so both sides verify a signature for each check. The same tokens again cost neither.
 */
export const firstUse = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const url = yield* postgres.database("bench")
  const server = yield* Server.start(slotkey, url, options)
  const population = { clients: options.clients, users: 1000, codes: (options.rounds + 1) * tokens }
  yield* seed(population).pipe(Effect.provide(Postgres.connect(url)))

  const measured: Array<ReadonlyArray<Measure.Measurement>> = []
  for (let round = 0; round <= options.rounds; round++) {
    const load = new TokenLoad({ ...population, codes: (round + 1) * tokens }, { firstCode: round * tokens })
    const run = (source: Source) =>
      Measure.loop(postgres, [server], atMost(tokens, source), { ...options, warmUp: 0, seconds: 60 })
    yield* run(load.exchange)
    const unnoted = yield* run(load.check(tokens))
    yield* run(load.refresh)
    const noted = yield* run(load.check(tokens))
    const again = yield* run(load.check(tokens))
    // The first round is the warm-up.
    if (round > 0) measured.push([unnoted, noted, again])
  }

  const [unnoted, noted, again] = [0, 1, 2].map((i) => (of: "server" | "database") =>
    median(measured.map((round) => {
      const run = round[i]
      return run === undefined ? NaN : run.cpu[of] / run.answers * 1e6
    })).toFixed(1)
  )
  yield* Console.log(
    `CPU for a check of /v2/me, server and database, medians of ${options.rounds} rounds of ${tokens} tokens:\n` +
      `  the first use of a token, of which nothing is noted: ${unnoted?.("server")} and ${
        unnoted?.("database")
      } µs\n` +
      `  the first use of a refreshed token, which is noted: ${noted?.("server")} and ${noted?.("database")} µs\n` +
      `  a later use: ${again?.("server")} and ${again?.("database")} µs`
  )
})

const atMost = (count: number, source: Source): Source => {
  let left = count
  return () => left-- > 0 ? source() : undefined
}

const tokens = 10_000
