// @effect-diagnostics strictEffectProvide:off
import { Console, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { KeyServices } from "../../src/core/keys/KeyServices.ts"
import { sign } from "../../src/core/keys/Signature.ts"
import { AccessTokens } from "../../src/core/tokens/AccessTokens.ts"
import { ClientId, GrantId, UserId } from "../../src/domain/Ids.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { DatabaseClock } from "../../src/foundation/database/DatabaseClock.ts"
import { IssuedTokens } from "../load/IssuedTokens.ts"
import * as Measure from "../Measure.ts"
import type { Options } from "../Options.ts"
import { clientId, type Population, scopes, userId } from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import { failed, median } from "../Report.ts"
import * as Server from "../Server.ts"
import { inPortions } from "../systems/Portions.ts"
import { slotkey } from "../systems/Slotkey.ts"

/**
 * Calls with few access tokens and with very many, each of a grant of its own, in random order and in turns within each
 * round. The tokens are made here, by the code and under the keys of the server.
 */
export const distinct = Effect.fnUntraced(function*(postgres: Postgres.Postgres, options: Options) {
  const population = { clients: options.clients, users: 1000, codes: 0 }
  const url = yield* postgres.database("bench_distinct")
  yield* slotkey.prepare(url, population)
  yield* Effect.provide(openGrants(options.tokens, population), Postgres.connect(url))
  const server = yield* Server.start(slotkey, url, options)
  const tokens = new IssuedTokens(options.tokens, (n) => userId(n % population.users))
  yield* issue(tokens, options.tokens, population).pipe(Effect.provide(issuer(url)))

  const counts = [5_000, 40_000, options.tokens].filter((count) => count <= options.tokens)
  for (const operation of ["check", "gateway"] as const) {
    const measured = new Map(counts.map((count) => [count, new Array<Measure.Measurement>()]))
    for (let round = 0; round < options.rounds; round++) {
      for (const [count, results] of measured) {
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

/** Live grants, whose ids follow from their numbers. */
const openGrants = Effect.fnUntraced(function*(count: number, population: Population) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const today = DateTime.toDateUtc(now)
  const nextYear = DateTime.toDateUtc(DateTime.add(now, { years: 1 }))
  yield* inPortions(
    count,
    (numbers) =>
      sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
      SELECT id, sha256(id::text::bytea), client_id, user_id, ${[...scopes]}::text[], ${today}, ${today}, ${nextYear}
      FROM unnest(
        ${numbers.map(grantId)}::uuid[],
        ${numbers.map((n) => clientId(n % population.clients))}::text[],
        ${numbers.map((n) => userId(n % population.users))}::text[]
      ) AS t (id, client_id, user_id)`
  )
  yield* sql`VACUUM ANALYZE grants`
  yield* sql`CHECKPOINT`
})

const grantId = (n: number): string => `018f0000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`

const issue = Effect.fnUntraced(function*(tokens: IssuedTokens, count: number, population: Population) {
  const { unsigned } = yield* AccessTokens
  const now = yield* (yield* DatabaseClock).now
  for (let n = 0; n < count; n++) {
    const token = unsigned({
      userId: UserId.make(userId(n % population.users)),
      clientId: ClientId.make(clientId(n % population.clients)),
      grantId: GrantId.make(grantId(n)),
      scopes,
      generation: 0
    }, now)
    tokens.add(`${token.input}.${sign(token).toString("base64url")}`)
  }
})

/** The services of the server that make access tokens, over its database. */
const issuer = (url: string) => {
  const config = AppConfig.layerTest({ ...slotkey.process(url, 0).env })
  return AccessTokens.layer.pipe(
    Layer.provide(KeyServices),
    Layer.provide(AuditLog.layer),
    Layer.provideMerge(DatabaseClock.layer),
    Layer.provide(Database.layer),
    Layer.provide(config)
  )
}
