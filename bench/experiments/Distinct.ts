import { Console, Effect } from "effect"
import { IssuedTokens } from "../load/IssuedTokens.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import { userId, userOfCode } from "../Population.ts"
import type * as Postgres from "../Postgres.ts"
import { failed, median } from "../Report.ts"
import * as Server from "../Server.ts"
import * as KnownGrants from "../systems/KnownGrants.ts"
import { slotkey } from "../systems/Slotkey.ts"

/**
 * Calls with few access tokens and with very many, each of a grant of its own, in random order and in turns within each
 * round. The tokens are made here, by the code and under the keys of the server.
 */
export const distinct = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const population = { clients: options.clients, users: 1000, codes: 0 }
  const url = yield* postgres.database("bench_distinct")
  yield* slotkey.prepare(url, population)
  yield* KnownGrants.openGrants(url, options.tokens, population)
  const server = yield* Server.start(slotkey, url, options)
  const tokens = new IssuedTokens(options.tokens, (n) => userId(userOfCode(population, n)))
  const { accessToken } = yield* KnownGrants.tokens(url, population)
  for (let n = 0; n < options.tokens; n++) tokens.add(accessToken(n))

  const counts = [5_000, 40_000, options.tokens].filter((count) => count <= options.tokens)
  for (const operation of ["check", "gateway"] as const) {
    const measured = new Map(counts.map((count) => [count, new Array<Measure.Measurement>()]))
    for (let round = 0; round < options.rounds; round++) {
      // What slows the machine for a while must not always meet the same count.
      const turns = round % 2 === 0 ? [...measured] : [...measured].toReversed()
      for (const [count, results] of turns) {
        const warmUp = round === 0 ? options.warmUp : 0.5
        results.push(yield* Measure.loop(postgres, [server], tokens[operation](count), { ...options, warmUp }))
      }
    }
    const few = measured.get(counts[0] ?? 0) ?? []
    for (const [count, results] of measured) {
      const ratios = results.map(({ rate }, round) => rate / (few[round]?.rate ?? Number.NaN))
      const each = (what: "server" | "database") =>
        median(results.map(({ answers, cpu }) => cpu[what] / answers * 1e6)).toFixed(1)
      yield* Console.log(
        `${operation}, ${count.toLocaleString("en")} tokens: ${
          Math.round(median(results.map(({ rate }) => rate)))
        }/s, ` +
          `${median(ratios).toFixed(2)} of the rate with ${counts[0]?.toLocaleString("en")} in the median ` +
          `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}); server ${each("server")} µs and ` +
          `database ${each("database")} µs of CPU for a request; ${
            Math.max(...results.map(({ memory }) => memory)).toFixed(0)
          } MB; ` +
          `${results.reduce((sum, result) => sum + failed(result), 0)} failed`
      )
    }
  }
})
