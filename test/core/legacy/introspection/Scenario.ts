import { assert } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { total } from "../../../support/Metrics.ts"
import * as PreviousServer from "../../../support/PreviousServer.ts"
import * as TestServer from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { app, jsonLines, unique } from "../import/Scenario.ts"

/** Server that was there before. */
export class Previous extends Context.Service<Previous, PreviousServer.PreviousServer>()(
  "slotkey/test/core/legacy/introspection/Scenario/Previous"
) {}

export const issuer = "https://people.example"

/** Settings of a server whose users sign in at `issuer`, or with a password. */
export const settings = { SIGN_IN: "local oidc", OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "slotkey" }

/** Such a server, which asks the previous one. */
export const serverWith = (env: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(
    Effect.map(PreviousServer.make, (previous) =>
      TestServer.layer({ ...settings, ...previous.settings, ...env }).pipe(
        Layer.merge(Layer.succeed(Previous, previous))
      ))
  )

/** A user whose account is linked to a subject of the issuer. */
export const linkedUser = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const id = UserId.make(`linked_${unique()}`)
  const subject = `sub-${unique()}`
  const createdAt = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`INSERT INTO accounts ${
    sql.insert({ id, email: `${id}@example.com`, username: id, name: "Lin", role: "user", linked: true, createdAt })
  }`
  yield* sql`INSERT INTO identities ${sql.insert({ issuer, subject, accountId: id })}`
  return { id, subject }
})

/**
 * A legacy app without any token here, a user, and a token that the previous server calls a live refresh token of both.
 */
export const installedApp = Effect.fnUntraced(function*(changes: object = {}) {
  const http = yield* TestServer.serverClient
  const previous = yield* Previous
  const sql = yield* SqlClient.SqlClient
  const owner = yield* newAccount("owner")
  const user = yield* linkedUser
  const record = app(owner, changes)
  yield* Effect.orDie((yield* LegacyImport).apply(Stream.make(jsonLines(record)), "cli"))
  const id = record.client_id
  const secret = record.secrets[0]?.secret
  const token = `previous-${crypto.randomUUID()}`
  const facts = { active: true, client_id: id, iss: issuer, sub: user.subject, token_use: "refresh_token" }
  previous.answers.set(token, facts)
  return {
    ...http,
    id,
    owner,
    user,
    refreshToken: token,
    facts,
    secret,
    /** Has the previous server say this of the token. */
    say: (said: object) => previous.answers.set(token, said),
    refresh: (text: unknown, fields: Readonly<Record<string, string | undefined>> = {}) =>
      http.token({
        grant_type: "refresh_token",
        client_id: id,
        client_secret: secret,
        refresh_token: String(text),
        ...fields
      }),
    revoke: (text: unknown) =>
      http.post("/v2/auth/oauth2/revoke", { client_id: id, client_secret: secret, token: String(text) }),
    /** How often the previous server was asked about the token. */
    asked: (text = token) => previous.questions.filter(({ token }) => token === text).length,
    grants: sql<{ userId: string; scopes: unknown; expiresAt: Date; importedRotates: boolean; issuedAt: Date | null }>`
      SELECT user_id, scopes, expires_at, imported_rotates, issued_at FROM grants WHERE client_id = ${id}`
  }
})

const metric = "slotkey_legacy_introspections_total"

/** How much the outcome was counted for by an effect. */
export const countedBy = Effect.fnUntraced(function*<A, E, R>(outcome: string, effect: Effect.Effect<A, E, R>) {
  const before = yield* total(metric, { outcome })
  yield* effect
  return (yield* total(metric, { outcome })) - before
})

/** Asserts an answer on which no app drops what it has (RFC 6749 §5.2 has no such error; RFC 9110 §15.6.4). */
export const assertLater = (answer: TestServer.Answer) => {
  TestServer.assertRefused(answer, 503, "temporarily_unavailable")
  assert.isNotNull(answer.headers.get("retry-after"))
}
