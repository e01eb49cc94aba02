import { Array, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import * as ImportedAccounts from "../../accounts/linked/ImportedAccounts.ts"
import type { TrustedIssuers } from "../../accounts/linked/TrustedIssuers.ts"
import { Accounts } from "../../accounts/local/Accounts.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { ClientsRepo } from "../../clients/records/ClientsRepo.ts"
import * as ImportedToken from "../../tokens/ImportedToken.ts"
import { ImportedTokens } from "../../tokens/ImportedTokens.ts"
import { subjectsOf } from "./AccountReference.ts"
import type { Line } from "./ImportFile.ts"
import { type Existing, userOfApp } from "./ImportGrounds.ts"
import { digestOf } from "./ImportRecord.ts"

/** Looks up what a few hundred records of a file name on this server. */
export const findExisting = Effect.fnUntraced(function*(lines: ReadonlyArray<Line>, issuers: TrustedIssuers) {
  const accounts = yield* Accounts
  const audit = yield* AuditLog
  const clients = yield* ClientsRepo
  const tokens = yield* ImportedTokens
  const records = lines.flatMap(({ record }) => Result.isSuccess(record) ? [record.success] : [])
  const ids = unique(records.map(({ client_id }) => client_id))
  const references = records.flatMap(({ app, refresh_tokens }) => [
    ...(app === null ? [] : [app.owner]),
    ...refresh_tokens.map(({ user }) => user)
  ])
  const names = unique(references.filter((reference) => typeof reference === "string"))
  const digests = records.flatMap(({ refresh_tokens }) =>
    refresh_tokens.flatMap(({ token }) => digestOf(token) ?? []).map(ImportedToken.digest)
  )
  const named = new Map(yield* inPages(names, accounts.resolve))
  const linked = new Map(yield* inPages(subjectsOf(references, issuers), ImportedAccounts.findAll))
  const existing: Existing = {
    accounts: { names: named, subjects: linked },
    clients: yield* clients.findAll(ids),
    leftOut: yield* leftOut(ids, unique([...named.values(), ...linked.values()])),
    deleted: yield* audit.withAction("client.deleted", ids),
    tokens: new Set(yield* inPages(digests, tokens.known))
  }
  return existing
})

/** Users of apps whose old tokens stay behind, as `userOfApp` names them, each with the reason. */
export const leftOut = Effect.fnUntraced(function*(
  clientIds: ReadonlyArray<string>,
  userIds: ReadonlyArray<UserId>
) {
  const sql = yield* SqlClient.SqlClient
  // An exchange ends the user's old grants of a migrated app; one that came later would live beside the new one. A
  // grant without scopes is none of these: its code was issued before the saving.
  const rows = yield* sql<{ clientId: string; userId: string; isWithdrawn: boolean }>`SELECT DISTINCT
      g.client_id, g.user_id, false AS is_withdrawn
    FROM clients c JOIN grants g ON g.client_id = c.id AND g.created_at >= c.migrated_at
    WHERE c.id = ANY(${clientIds}::text[]) AND c.migrated_at IS NOT NULL AND g.user_id = ANY(${userIds}::text[])
      AND g.imported_rotates IS NULL AND g.scopes IS NOT NULL
    UNION ALL SELECT DISTINCT client_id, user_id, true FROM audit_log
    WHERE client_id = ANY(${clientIds}::text[]) AND action = 'consent.withdrawn' AND user_id = ANY(${userIds}::text[])
    UNION ALL SELECT DISTINCT c.id, a.user_id, true FROM unnest(${clientIds}::text[]) AS c (id) CROSS JOIN audit_log a
    WHERE a.client_id IS NULL AND a.action = 'consent.withdrawn' AND a.user_id = ANY(${userIds}::text[])`
  return new Map(
    rows.map(({ clientId, isWithdrawn, userId }) => [userOfApp(clientId, userId), isWithdrawn ? withdrawn : anew])
  )
}, Effect.orDie)

const anew = "its user has authorized the app anew since the scopes were saved"
const withdrawn = "its user has disconnected the app here"

/** Looks up any number of values, for a record may name many: no statement takes so long that others wait for it. */
const inPages = <A, B, E, R>(
  values: ReadonlyArray<A>,
  find: (page: ReadonlyArray<A>) => Effect.Effect<Iterable<B>, E, R>
) => Effect.map(Effect.forEach(Array.chunksOf(values, pageSize), find), (pages) => pages.flatMap((page) => [...page]))

const pageSize = 500

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
