// @effect-diagnostics strictEffectProvide:off
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import packageJson from "../../package.json" with { type: "json" }
import * as Credential from "../../src/domain/Credential.ts"
import * as OAuth2Model from "../peers/OAuth2Model.ts"
import * as PostgresAdapter from "../peers/PostgresAdapter.ts"
import {
  clientId,
  clientOfCode,
  clientSecret,
  code,
  codeChallenge,
  type Population,
  redirectUri,
  scopes,
  userId,
  userOfCode
} from "../Population.ts"
import * as Postgres from "../Postgres.ts"
import { inPortions } from "./Portions.ts"
import type { System } from "./System.ts"

// Engine's settings of the start script, which suit these servers as well.
const flags = packageJson.scripts.start.split(" ").filter((arg) => arg.startsWith("--") && !arg.startsWith("--require"))

const oidcProvider = (accessTokens: "jwt" | "opaque"): System => ({
  name: `oidc-provider, ${accessTokens === "jwt" ? "JWTs" : "opaque tokens"}`,
  prepare: (url, population) => seedProvider(population).pipe(Effect.provide(Postgres.connect(url))),
  process: (url, port) => ({
    args: [...flags, "bench/peers/oidc-provider.ts", accessTokens, url, String(port)],
    env: {}
  }),
  jwks: "/jwks",
  accessTokens,
  // It has no check of JWTs: their receivers verify the signature, and learn of no revocation.
  answers: accessTokens === "jwt" ? ["exchange", "refresh"] : ["exchange", "refresh", "introspect"]
})

const oauth2Server: System = {
  name: "@node-oauth/oauth2-server",
  prepare: (url, population) => seedModel(population).pipe(Effect.provide(Postgres.connect(url))),
  process: (url, port) => ({
    args: [...flags, "bench/peers/oauth2-server.ts", url, String(port)],
    env: {}
  }),
  jwks: "/jwks",
  accessTokens: "opaque",
  answers: ["exchange", "refresh", "check"]
}

/** What else could be installed from npm. */
export const peers: ReadonlyArray<System> = [oidcProvider("jwt"), oidcProvider("opaque"), oauth2Server]

const grantId = (n: number): string => `bench_grant_${n}`

const seedProvider = Effect.fnUntraced(function*(population: Population) {
  const sql = yield* SqlClient.SqlClient
  for (const statement of PostgresAdapter.tables) yield* sql.unsafe(statement)
  for (let n = 0; n < population.clients; n++) {
    yield* sql`INSERT INTO clients VALUES (${clientId(n)}, ${clientSecret(n)})`
  }
  const now = yield* DateTime.now
  const iat = Math.floor(DateTime.toEpochMillis(now) / 1000)
  const expiresAt = DateTime.toDateUtc(DateTime.add(now, { days: 1 }))
  const shared = { iat, exp: iat + 86_400 }
  const granted = JSON.stringify({ ...shared, kind: "Grant", resources: { "https://api.example": scopes.join(" ") } })
  const asked = JSON.stringify({
    ...shared,
    kind: "AuthorizationCode",
    redirectUri,
    scope: scopes.join(" "),
    resource: "https://api.example",
    codeChallenge,
    codeChallengeMethod: "S256"
  })
  yield* inPortions(population.codes, (numbers) => {
    const clients = numbers.map((n) => clientId(clientOfCode(population, n)))
    const users = numbers.map((n) => userId(userOfCode(population, n)))
    const grants = numbers.map(grantId)
    return Effect.andThen(
      sql`INSERT INTO oidc_grant (id, payload, expires_at)
      SELECT id, ${granted}::jsonb || jsonb_build_object('jti', id, 'clientId', client, 'accountId', account), ${expiresAt}
      FROM unnest(${grants}::text[], ${clients}::text[], ${users}::text[]) AS t (id, client, account)`,
      sql`INSERT INTO oidc_authorization_code (id, payload, grant_id, expires_at)
      SELECT id, ${asked}::jsonb || jsonb_build_object(
        'jti', id, 'clientId', client, 'accountId', account, 'grantId', granted
      ), granted, ${expiresAt}
      FROM unnest(${numbers.map(code)}::text[], ${clients}::text[], ${users}::text[], ${grants}::text[])
        AS t (id, client, account, granted)`
    )
  })
  yield* sql`VACUUM ANALYZE`
})

const seedModel = Effect.fnUntraced(function*(population: Population) {
  const sql = yield* SqlClient.SqlClient
  for (const table of OAuth2Model.tables) yield* sql.unsafe(table)
  for (let n = 0; n < population.clients; n++) {
    yield* sql`INSERT INTO clients VALUES (${clientId(n)}, ${Credential.digest(clientSecret(n))}, ${redirectUri})`
  }
  const expiresAt = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { days: 1 }))
  yield* inPortions(
    population.codes,
    (numbers) =>
      sql`INSERT INTO codes (digest, client_id, user_id, scopes, redirect_uri, code_challenge, expires_at)
      SELECT digest, client_id, user_id, ${[...scopes]}::text[], ${redirectUri}, ${codeChallenge}, ${expiresAt}
      FROM unnest(
        ${numbers.map((n) => Credential.digest(code(n)))}::bytea[],
        ${numbers.map((n) => clientId(clientOfCode(population, n)))}::text[],
        ${numbers.map((n) => userId(userOfCode(population, n)))}::text[]
      ) AS t (digest, client_id, user_id)`
  )
  yield* sql`VACUUM ANALYZE`
})
