// @effect-diagnostics strictEffectProvide:off
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import packageJson from "../../package.json" with { type: "json" }
import * as Credential from "../../src/domain/Credential.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { operations } from "../Operations.ts"
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
import { inPortions } from "./Portions.ts"
import type { System } from "./System.ts"

// Start script without the command `node`.
const start = packageJson.scripts.start.split(" ").slice(1)

/** Server of this project, as `npm start` starts it. */
export const slotkey: System = {
  name: "Slotkey",
  prepare: (url, population) =>
    seed(population).pipe(
      Effect.provide(Database.layer.pipe(Layer.provide(AppConfig.layerTest({
        DATABASE_URL: url,
        // A portion of millions of rows takes longer than a request.
        REQUEST_TIMEOUT: "5 minutes"
      }))))
    ),
  process: (url, port) => ({
    args: start,
    env: {
      DATABASE_URL: url,
      HOST: "127.0.0.1",
      PORT: String(port),
      OPERATOR_PORT: "0",
      // No proxy stands before it.
      DRAIN_DELAY: "0 seconds",
      BASE_URL: "https://slotkey.test",
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64url")
    }
  }),
  jwks: "/.well-known/jwks.json",
  accessTokens: "jwt",
  answers: operations
}

/** Accounts, approved clients with a secret each, and codes that users have consented to, in a migrated database. */
export const seed = Effect.fnUntraced(function*(population: Population) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const today = DateTime.toDateUtc(now)
  yield* inPortions(
    population.users,
    (numbers) =>
      sql`INSERT INTO accounts (id, email, username, name, role, created_at)
      SELECT id, id || '@users.example', id, 'A user', 'user', ${today}
      FROM unnest(${numbers.map(userId)}::text[]) AS id`
  )
  yield* inPortions(
    population.clients,
    (numbers) =>
      sql`INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes, submitted_at,
        reviewed_at, created_at, updated_at)
      SELECT id, ${userId(0)}, 'confidential', 'approved', 'An app', 'To be measured', 'https://app.example',
        ${[redirectUri]}::text[], ${[...scopes]}::text[], ${today}, ${today}, ${today}, ${today}
      FROM unnest(${numbers.map(clientId)}::text[]) AS id`
  )
  yield* inPortions(
    population.clients,
    (numbers) =>
      sql`INSERT INTO client_secrets (id, client_id, digest, last_four, created_at)
      SELECT 'sec_' || client_id, client_id, digest, 'last', ${today}
      FROM unnest(
        ${numbers.map(clientId)}::text[],
        ${numbers.map((n) => Credential.digest(clientSecret(n)))}::bytea[]
      ) AS t (client_id, digest)`
  )
  // Longer than any experiment takes.
  const expiresAt = DateTime.toDateUtc(DateTime.add(now, { days: 1 }))
  const challenge = population.pkce === true ? codeChallenge : null
  yield* inPortions(
    population.codes,
    (numbers) =>
      sql`INSERT INTO codes (digest, client_id, user_id, scopes, redirect_uri, code_challenge, created_at,
        expires_at)
      SELECT digest, client_id, user_id, ${[
        ...scopes
      ]}::text[], ${redirectUri}, ${challenge}::text, ${today}, ${expiresAt}
      FROM unnest(
        ${numbers.map((n) => Credential.digest(code(n)))}::bytea[],
        ${numbers.map((n) => clientId(clientOfCode(population, n)))}::text[],
        ${numbers.map((n) => userId(userOfCode(population, n)))}::text[]
      ) AS t (digest, client_id, user_id)`
  )
  yield* sql`VACUUM ANALYZE`
})
