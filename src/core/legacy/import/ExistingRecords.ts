import { Array, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import { Accounts } from "../../accounts/Accounts.ts"
import * as ImportedAccounts from "../../accounts/ImportedAccounts.ts"
import type { TrustedIssuers } from "../../accounts/TrustedIssuers.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { ClientsRepo } from "../../clients/ClientsRepo.ts"
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
    authorizedAnew: yield* authorizedAnew(ids, unique([...named.values(), ...linked.values()])),
    deleted: yield* audit.withAction("client.deleted", ids),
    tokens: new Set(yield* inPages(digests, tokens.known))
  }
  return existing
})

/** The users of migrated apps who have authorized them anew since the saving, as `userOfApp` names them. */
export const authorizedAnew = Effect.fnUntraced(function*(
  clientIds: ReadonlyArray<string>,
  userIds: ReadonlyArray<UserId>
) {
  const sql = yield* SqlClient.SqlClient
  // An exchange ends the user's old grants of a migrated app; one that came later would live beside the new one. A grant
  // without scopes is none of these: its code was issued before the saving.
  const rows = yield* sql<{ clientId: string; userId: string }>`SELECT DISTINCT g.client_id, g.user_id
    FROM clients c JOIN grants g ON g.client_id = c.id AND g.created_at >= c.migrated_at
    WHERE c.id = ANY(${clientIds}::text[]) AND c.migrated_at IS NOT NULL AND g.user_id = ANY(${userIds}::text[])
      AND g.imported_rotates IS NULL AND g.scopes IS NOT NULL`
  return new Set(rows.map(({ clientId, userId }) => userOfApp(clientId, userId)))
}, Effect.orDie)

/** Looks up any number of values, for a record may name many: no statement takes so long that others wait for it. */
const inPages = <A, B, E, R>(
  values: ReadonlyArray<A>,
  find: (page: ReadonlyArray<A>) => Effect.Effect<Iterable<B>, E, R>
) => Effect.map(Effect.forEach(Array.chunksOf(values, pageSize), find), (pages) => pages.flatMap((page) => [...page]))

const pageSize = 500

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
