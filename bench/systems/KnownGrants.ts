// @effect-diagnostics strictEffectProvide:off
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { KeyServices } from "../../src/core/keys/KeyServices.ts"
import { RefreshKeys } from "../../src/core/keys/RefreshKeys.ts"
import { AccessTokens } from "../../src/core/tokens/AccessTokens.ts"
import * as RefreshToken from "../../src/core/tokens/RefreshToken.ts"
import { ClientId, GrantId, UserId } from "../../src/domain/Ids.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { DatabaseClock } from "../../src/foundation/database/DatabaseClock.ts"
import { clientId, clientOfCode, type Population, scopes, userId, userOfCode } from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import { fillGrants } from "./GrantsTable.ts"
import { slotkey } from "./Slotkey.ts"

/** Live grants that follow from their numbers, so that nobody has to exchange millions of codes for them. */
export const openGrants = (url: string, count: number, population: Population) =>
  Effect.provide(insert(count, population), Postgres.connect(url))

const insert = Effect.fnUntraced(function*(count: number, population: Population) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const today = DateTime.toDateUtc(now)
  const nextYear = DateTime.toDateUtc(DateTime.add(now, { years: 1 }))
  const firsts = Array.from({ length: Math.ceil(count / portion) }, (_, i) => i * portion)
  yield* fillGrants(
    firsts.map((from) =>
      sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
      SELECT (${idPrefix} || lpad(to_hex(n), 12, '0'))::uuid, sha256(decode(lpad(to_hex(n), 32, '0'), 'hex')),
        ${clientPrefix} || n % ${population.clients}::int, ${userPrefix} || n % ${population.users}::int,
        ${[...scopes]}::text[], ${today}, ${today}, ${nextYear}
      FROM generate_series(${from}::int, ${Math.min(from + portion, count) - 1}::int) AS n`
    )
  )
  yield* sql`VACUUM ANALYZE grants`
  yield* sql`CHECKPOINT`
})

const portion = 1_000_000
const idPrefix = "018f0000-0000-7000-8000-"
const clientPrefix = clientId(0).slice(0, -1)
const userPrefix = userId(0).slice(0, -1)

export const grantId = (n: number): GrantId => GrantId.make(idPrefix + n.toString(16).padStart(12, "0"))

/** Tokens of these grants, by the code and under the keys of the server over that database. */
export interface Tokens {
  accessToken(n: number): string
  refreshToken(n: number, generation: number): string
}

export const tokens = (url: string, population: Population): Effect.Effect<Tokens, unknown> =>
  Effect.gen(function*() {
    const accessTokens = yield* AccessTokens
    const refreshKeys = yield* RefreshKeys
    const now = yield* (yield* DatabaseClock).now
    const { id, key } = refreshKeys.signing(now)
    return {
      accessToken: (n: number) =>
        accessTokens.write({
          userId: UserId.make(userId(userOfCode(population, n))),
          clientId: ClientId.make(clientId(clientOfCode(population, n))),
          grantId: grantId(n),
          scopes,
          generation: 0
        }, now),
      refreshToken: (n: number, generation: number) => {
        const handle = Buffer.from(n.toString(16).padStart(2 * RefreshToken.handleLength, "0"), "hex")
        return RefreshToken.write({ grantId: grantId(n), handle, generation }, id, key)
      }
    }
  }).pipe(Effect.provide(services(url)))

const services = (url: string) =>
  AccessTokens.layer.pipe(
    Layer.provideMerge(KeyServices),
    Layer.provide(AuditLog.layer),
    Layer.provideMerge(DatabaseClock.layer),
    Layer.provide(Database.layer),
    Layer.provide(AppConfig.layerTest({ ...slotkey.process(url, 0).env }))
  )
