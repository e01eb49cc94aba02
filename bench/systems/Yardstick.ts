// @effect-diagnostics strictEffectProvide:off
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../src/domain/Credential.ts"
import {
  clientId,
  clientOfCode,
  clientSecret,
  code,
  type Population,
  redirectUri,
  scopes,
  userId,
  userOfCode
} from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import { tables } from "../yardstick/Store.ts"
import { inPortions } from "./Portions.ts"
import type { System } from "./System.ts"

const yardstick = (name: string, mode: "one" | "batched"): System => ({
  name,
  prepare: (url, population) => seed(population).pipe(Effect.provide(Postgres.connect(url))),
  process: (url, port) => ({ args: ["bench/yardstick/main.ts", mode, url, String(port)], env: {} }),
  jwks: "/jwks",
  accessTokens: "jwt",
  answers: ["exchange", "refresh", "check"]
})

/** Bare `node:http`, one SQL statement a request. */
export const bare = yardstick("bare, one statement a request", "one")

/** Bare `node:http`, one SQL statement for all requests that wait. */
export const bareBatched = yardstick("bare, in batches", "batched")

const seed = Effect.fnUntraced(function*(population: Population) {
  const sql = yield* SqlClient.SqlClient
  for (const table of tables) yield* sql.unsafe(table)
  for (let n = 0; n < population.clients; n++) {
    yield* sql`INSERT INTO clients VALUES (${clientId(n)}, ${Credential.digest(clientSecret(n))})`
  }
  const expiresAt = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { hours: 1 }))
  yield* inPortions(
    population.codes,
    (numbers) =>
      sql`INSERT INTO codes (digest, client_id, user_id, scopes, redirect_uri, expires_at)
      SELECT digest, client_id, user_id, ${scopes.join(" ")}, ${redirectUri}, ${expiresAt}
      FROM unnest(
        ${numbers.map((n) => Credential.digest(code(n)))}::bytea[],
        ${numbers.map((n) => clientId(clientOfCode(population, n)))}::text[],
        ${numbers.map((n) => userId(userOfCode(population, n)))}::text[]
      ) AS t (digest, client_id, user_id)`
  )
  yield* sql`VACUUM ANALYZE`
})
