import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { AccessToken } from "../../../src/core/tokens/AccessToken.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import { ClientId, GrantId, UserId } from "../../../src/domain/Ids.ts"
import * as Uuid from "../../../src/domain/Uuid.ts"

export const userId = UserId.make("user_1")
export const clientId = ClientId.make("client_1")
export const otherClientId = ClientId.make("client_2")
export const redirectUri = "https://app.test/callback"

/** RFC 7636 Appendix B. */
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

/** Two approved clients and their owner, written straight into the database. */
export const seed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`INSERT INTO accounts (id, email, username, name, role, created_at)
    VALUES (${userId}, 'ada@slotkey.test', 'ada', 'Ada', 'user', ${now}) ON CONFLICT DO NOTHING`
  for (const id of [clientId, otherClientId]) {
    yield* sql`INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at) VALUES (${id}, ${userId}, 'confidential', 'approved', 'App', 'Testing',
      'https://app.test', ${[redirectUri]}, ${["PROFILE_READ", "BOOKING_READ"]}, ${now}, ${now}, ${now})
      ON CONFLICT DO NOTHING`
    yield* sql`INSERT INTO client_secrets (id, client_id, digest, last_four, created_at)
      VALUES (${`sec_${id}`}, ${id}, ${secretDigestOf(id)}, 'last', ${now}) ON CONFLICT DO NOTHING`
  }
})

export const secretDigestOf = (id: ClientId) => sha256(`the secret of ${id}`)

/** An access token issued now. */
export const writeAccessToken = Effect.fnUntraced(function*(token: AccessToken) {
  return (yield* AccessTokens).write(token, yield* DateTime.now, 1800)
})

export const newGrantId = Effect.map(DateTime.now, (now) => GrantId.make(Uuid.v7(DateTime.toEpochMillis(now))))

export const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest()
