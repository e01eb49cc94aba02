import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { Invitations } from "../../src/core/accounts/local/Invitations.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { newAccount, password } from "../support/LiveServer.ts"

/** A word without a place to break it. */
export const longWord = (length: number): string => "Donaudampfschifffahrtselektrizitaeten".repeat(4).slice(0, length)

const longEmail = `${longWord(60)}@${longWord(50).toLowerCase()}.example`
const longPath = `https://pages.example/${longWord(120)}/callback`

/**
 * A user, two apps, a change, an invitation and refused requests, all with the longest names that people may choose.
 */
export const longTexts = Effect.gen(function*() {
  const accounts = yield* Accounts
  const registry = yield* ClientRegistry
  const review = yield* ClientReview
  const sql = yield* SqlClient.SqlClient
  const admin = yield* newAccount("admin")
  const user = yield* accounts.create({
    email: longEmail,
    name: longWord(100),
    password: Redacted.make(password),
    role: "user"
  })
  yield* (yield* Invitations).invite({ email: `x${longEmail}`, role: "reviewer" }, admin.id)
  const register = Effect.fnUntraced(function*(name: string) {
    const { client } = yield* registry.register(user.id, {
      kind: "confidential",
      name,
      purpose: longWord(100),
      website: "https://pages.example",
      redirectUris: [longPath],
      scopes: ["PROFILE_READ"]
    })
    return yield* review.approve(admin.id, client.id, client.version)
  })
  const client = yield* register(longWord(80))
  yield* registry.edit(user.id, client.id, { name: longWord(75), redirectUris: [`${longPath}/2`], version: 2 })
  yield* review.reject(admin.id, client.id, longWord(140), 3)
  yield* registry.edit(user.id, client.id, { name: longWord(70), redirectUris: [`${longPath}/3`], version: 4 })
  yield* sql`INSERT INTO refused_requests ${
    sql.insert({
      clientId: client.id,
      at: yield* DateTime.nowAsDate,
      endpoint: "authorize",
      error: "redirect-uri-unregistered",
      reason: `redirect_uri is not registered: ${longPath}/else`,
      times: 3
    })
  }`
  const legacy = yield* register(longWord(60))
  yield* sql`UPDATE clients SET legacy = true, scopes = '{}', observed_since = now() - interval '12 days' WHERE id = ${legacy.id}`
  yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
    SELECT ${legacy.id}, (now() - n * interval '1 day')::date, '', 4000, now() - n * interval '1 day' FROM generate_series(0, 11) n`
  return { admin, client, user }
}).pipe(Effect.orDie)
