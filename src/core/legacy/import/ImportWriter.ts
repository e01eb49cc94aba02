import { Array, DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { GrantId, type UserId } from "../../../domain/Ids.ts"
import * as Uuid from "../../../domain/Uuid.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { MigrationAudit } from "../../../foundation/jobs/kinds/MigrationAudit.ts"
import { ReviewNotice } from "../../../foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import * as ImportedAccounts from "../../accounts/linked/ImportedAccounts.ts"
import { identityKey } from "../../accounts/people/ExternalIdentity.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { stateOf } from "../../clients/life/ClientCommands.ts"
import { Client } from "../../clients/records/Client.ts"
import { ClientsRepo } from "../../clients/records/ClientsRepo.ts"
import { SecretVault } from "../../clients/secrets/SecretVault.ts"
import { GrantStore } from "../../grants/GrantStore.ts"
import * as ImportedToken from "../../tokens/ImportedToken.ts"
import { ImportedTokens } from "../../tokens/ImportedTokens.ts"
import * as RefreshToken from "../../tokens/RefreshToken.ts"
import { leftOut } from "./ExistingRecords.ts"
import type { ImportDraft, Page, PlannedClient, PlannedToken } from "./ImportDraft.ts"
import { userOfApp } from "./ImportGrounds.ts"
import { ImportListener } from "./ImportListener.ts"

export interface Written {
  readonly apps: number
  readonly secrets: number
  readonly refreshTokens: number
  /** Accounts of users who had not signed in yet. */
  readonly accounts: number
  /** Apps and refresh tokens that were left out because something changed here since they were judged. */
  readonly changed: number
}

/**
 * Writes a draft in transactions that are short, so that others come in between: the embedded database serves one at a
 * time. An app comes with all of its secrets, and before its refresh tokens, so that a repeated import can add what one
 * that was broken off has not written. What changed here since the draft was made is judged again.
 */
export const write = Effect.fnUntraced(function*(draft: ImportDraft, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const listener = yield* ImportListener
  const written = { apps: 0, secrets: 0, refreshTokens: 0, accounts: 0, changed: 0 }
  const analyzeAccounts = atDoubles(sql`ANALYZE accounts (id), identities (issuer, subject)`)
  const analyzeClients = atDoubles(sql`ANALYZE clients (id)`)
  const analyzeGrants = atDoubles(sql`ANALYZE grants (client_id, expires_at)`)

  /** Imports take turns, so that what one finds is still so when it writes. */
  const transaction = <A, E, R>(piece: Effect.Effect<A, E, R>) =>
    sql.withTransaction(Effect.andThen(TransactionLock.take(sql, "imports"), piece))

  const leaveOut = (line: number, clientId: string, text: string) => {
    written.changed++
    return listener.found({ line, clientId, kind: "changed", isNotable: true, text })
  }

  /** Accounts of users who have signed in since the draft was made, by the ids that it has for them. */
  const signedIn = new Map<UserId, UserId>()
  const actual = (id: UserId): UserId => signedIn.get(id) ?? id

  yield* Effect.gen(function*() {
    yield* eachPage(draft.accounts, (page) =>
      Effect.gen(function*() {
        const found = yield* transaction(ImportedAccounts.addAll(page, actor))
        for (const account of page) {
          const id = found.get(identityKey(account))
          if (id === undefined) written.accounts++
          else signedIn.set(account.id, id)
        }
        yield* analyzeAccounts(written.accounts)
        yield* listener.progress("accounts written", written.accounts)
      }))
    yield* eachPage(draft.clients, (page) =>
      Effect.gen(function*() {
        const owned = Array.map(page, (planned) => ({ ...planned, client: ownedBy(planned.client, actual) }))
        const added = yield* transaction(writeClients(owned, actor))
        for (const { client, line, secrets } of page) {
          if (added.has(client.id)) {
            written.apps++
            written.secrets += secrets.length
          } else yield* leaveOut(line, client.id, "left out: an app of this id was added or deleted here meanwhile")
        }
        yield* analyzeClients(written.apps)
        yield* listener.progress("apps written", written.apps)
      }))
    yield* eachPage(draft.tokens, (page) =>
      Effect.gen(function*() {
        const used = Array.map(page, (planned) => ({ ...planned, userId: actual(planned.userId) }))
        const reasons = yield* transaction(writeTokens(used))
        for (const [at, { clientId, line }] of page.entries()) {
          const reason = reasons[at]
          if (reason === undefined) written.refreshTokens++
          else yield* leaveOut(line, clientId, `a refresh token is left out: ${reason}`)
        }
        yield* analyzeGrants(written.refreshTokens)
        yield* listener.progress("refresh tokens written", written.refreshTokens)
      }))
    if (written.apps + written.refreshTokens > 0) yield* transaction(conclude(actor, written))
  }).pipe(
    Effect.onError(() =>
      Effect.logError(
        `The import did not come to its end. At least ${written.apps} apps and ${written.refreshTokens} refresh tokens ` +
          "were imported; the same import again adds the others."
      )
    )
  )
  return written
})

/**
 * Runs a statement each time a count has doubled. Foreign-key checks may keep a plan that was made while the table was
 * small, and read all of it; nobody else analyzes the tables of an embedded database.
 */
const atDoubles = <E, R>(statement: Effect.Effect<unknown, E, R>) => {
  let next = 1
  return (count: number) => {
    if (count < next) return Effect.void
    next = 2 * count
    return statement
  }
}

/** Writes page after page, of which none shall take much longer than others may wait. */
const eachPage = Effect.fnUntraced(function*<A, E, R>(
  read: (after: number, limit: number) => Page<A>,
  write: (page: Array.NonEmptyReadonlyArray<A>) => Effect.Effect<void, E, R>
) {
  let limit = 100
  for (let end = 0;;) {
    const page = read(end, limit)
    if (!Array.isReadonlyArrayNonEmpty(page.items)) return
    const [duration] = yield* Effect.timed(write(page.items))
    if (Duration.isGreaterThan(duration, Duration.millis(100))) limit = Math.max(10, Math.floor(limit / 2))
    else if (Duration.isLessThan(duration, Duration.millis(50))) limit = Math.min(500, 2 * limit)
    end = page.end
  }
})

const ownedBy = (client: Client, actual: (id: UserId) => UserId): Client => {
  const ownerId = actual(client.ownerId)
  return ownerId === client.ownerId ? client : new Client({ ...client, ownerId })
}

/** Adds apps with their secrets; answers the ids of those that were not there. */
const writeClients = Effect.fnUntraced(function*(page: Array.NonEmptyReadonlyArray<PlannedClient>, actor: string) {
  const audit = yield* AuditLog
  const clients = yield* ClientsRepo
  const vault = yield* SecretVault
  const outbox = yield* Outbox
  const deleted = yield* audit.withAction("client.deleted", page.map(({ client }) => client.id))
  const fresh = page.flatMap(({ client }) => deleted.has(client.id) ? [] : [client])
  const added = Array.isReadonlyArrayNonEmpty(fresh) ? yield* clients.insertAll(fresh) : new Set<string>()
  const secrets = page.flatMap(({ client, secrets }) => added.has(client.id) ? secrets : [])
  if (Array.isReadonlyArrayNonEmpty(secrets)) yield* vault.addImported(secrets)
  const written = fresh.filter(({ id }) => added.has(id))
  yield* audit.recordAll(written.map(({ id }) => ({ actor, action: "client.imported", clientId: id })))
  const waiting = written.filter(({ status }) => status === "pending")
  if (waiting.length > 0) {
    yield* outbox.publishAll(
      waiting.map((client) => ReviewNotice.make({ clientId: client.id, event: "submitted", state: stateOf(client) }))
    )
  }
  return added
})

/**
 * Opens the grants that refresh tokens stand for; answers for each why it was left out, or nothing. Joins the caller's
 * transaction.
 */
export const writeTokens = Effect.fnUntraced(function*(
  page: Array.NonEmptyReadonlyArray<Omit<PlannedToken, "line">>
) {
  const sql = yield* SqlClient.SqlClient
  const grants = yield* GrantStore
  const tokens = yield* ImportedTokens
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  const ids = Array.dedupe(page.map(({ clientId }) => clientId))
  // Locked, so that none is deleted before its grants are there, and what ends the grants of a user who authorizes one
  // again (`GrantStore.supersede`) waits and finds these.
  const rows = yield* sql<{ id: string }>`SELECT id FROM clients
    WHERE id = ANY(${ids}::text[]) AND (legacy OR migrated_at IS NOT NULL) ORDER BY id FOR NO KEY UPDATE`
  const legacy = new Set(rows.map(({ id }) => id))
  const behind = yield* leftOut(ids, Array.dedupe(page.map(({ userId }) => userId)))
  const known = yield* tokens.known(page.map(({ digest }) => ImportedToken.digest(digest)))
  const reasons = page.map(({ clientId, digest, userId }) =>
    !legacy.has(clientId)
      ? "its app is no legacy app here any more"
      : known.has(ImportedToken.mapKey(ImportedToken.digest(digest)))
      ? "it was imported meanwhile"
      : behind.get(userOfApp(clientId, userId))
  )
  const added = page.flatMap(({ digest, ...token }, at) =>
    reasons[at] === undefined
      ? [{
        ...token,
        grantId: GrantId.make(Uuid.v7(now)),
        handleDigest: RefreshToken.digest(ImportedToken.handle(digest)),
        digest: ImportedToken.digest(digest)
      }]
      : []
  )
  if (!Array.isReadonlyArrayNonEmpty(added)) return reasons
  yield* grants.open(
    Array.map(added, ({ clientId, expiresAt, grantId, handleDigest, idleDays, issuedAt, rotates, userId }) => ({
      id: grantId,
      handleDigest,
      clientId,
      userId,
      scopes: null,
      expiresAt,
      importedRotates: rotates,
      idleDays,
      issuedAt
    }))
  )
  yield* tokens.add(Array.map(added, ({ clientId, digest, grantId }) => ({ clientId, digest, grantId })))
  return reasons
})

/** The board finds apps by their last audit, so new ones are audited now and not in the night. */
const conclude = Effect.fnUntraced(function*(actor: string, { apps, refreshTokens }: Written) {
  const audit = yield* AuditLog
  const outbox = yield* Outbox
  yield* audit.record({ actor, action: "legacy.imported", details: { apps, refreshTokens } })
  yield* outbox.publish(MigrationAudit.make({}))
})
