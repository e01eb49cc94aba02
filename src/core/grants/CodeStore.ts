import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Credential from "../../domain/Credential.ts"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Column from "../../foundation/database/Column.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { retryRolledBack } from "../../foundation/database/RetryRolledBack.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import { SecretCheck } from "../clients/secrets/SecretCheck.ts"
import { explainRefusal, type Redemption, type RedemptionOutcome, type StoredCode } from "./CodeRedemption.ts"
import type { ConsentTerms } from "./Grant.ts"
import * as RedeemStatement from "./RedeemStatement.ts"

/** Consent of a user, as a code stands for it (RFC 6749 §4.1.2). */
interface Consent extends Partial<ConsentTerms> {
  readonly clientId: ClientId
  readonly userId: UserId
  readonly scopes: GrantedScopes
  readonly redirectUri: string
  /** S256 challenge of RFC 7636 §4.2. */
  readonly codeChallenge: string | null
  /** Identifier of the resource for which it is; absent or `null` for the API. */
  readonly resource?: string | null
  /** End that the user chose for the grant; absent or `null` for the server's own (`GRANT_LIFETIME`). */
  readonly grantExpiresAt?: DateTime.Utc | null
}

/**
 * Keeps authorization codes from consent to exchange. `Consent` issues them; `Grants` redeems them in batches and
 * withdraws those of a user who disconnects an app.
 *
 * This layer keeps them in the table `codes` and redeems a batch in one statement. Another store may keep them
 * elsewhere: it authenticates the clients (`SecretCheck`), spends the codes and then opens their grants
 * (`GrantStore.open`). In that order a crash may lose a code but never opens two grants for one.
 */
export class CodeStore extends Context.Service<CodeStore, {
  /**
   * Issues a code for what the user allowed, which expires no later than its grant would; joins the caller's
   * transaction.
   */
  issue(consent: Consent): Effect.Effect<Credential.Credential>
  /**
   * Spends codes and opens their grants; answers in the order of the batch. Of any number of concurrent redemptions of
   * one code at most one succeeds, and a code is spent only for an approved client that authenticates and by a request
   * that matches what it was issued for. A spent code is remembered until it expires, so that a replay is recognised;
   * the repeat of a redemption that spent its code is a replay that names its own grant.
   */
  redeem(batch: ReadonlyArray<Redemption>): Effect.Effect<ReadonlyArray<RedemptionOutcome>>
  /**
   * Forgets the unspent codes of a user, for one client or all; joins the caller's transaction. A code that is being
   * spent meanwhile has become a grant by the time this answers.
   */
  withdraw(userId: UserId, clientId?: ClientId): Effect.Effect<void>
  /** Same for the codes of all users of a client. */
  withdrawAll(clientId: ClientId): Effect.Effect<void>
  /** Same for the codes of a resource, for all users and clients. */
  withdrawOf(resource: string): Effect.Effect<void>
}>()("slotkey/core/grants/CodeStore") {
  static readonly layer = Layer.effect(
    CodeStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const clock = yield* DatabaseClock
      const secrets = yield* SecretCheck
      const { codeLifetime, grantLifetime } = yield* AppConfig
      const lifetime = Column.interval(codeLifetime)
      const redeemStatement = RedeemStatement.make(sql.withoutTransforms(), Column.interval(grantLifetime))

      const issue = Effect.fn("CodeStore.issue")(function*(consent: Consent) {
        const code = yield* Credential.make("code")
        yield* sql`INSERT INTO codes
          (digest, client_id, user_id, scopes, redirect_uri, code_challenge, declined, browser, place,
            resource, document_digest, grant_expires_at, created_at, expires_at)
          SELECT ${Credential.digest(Redacted.value(code))}, ${consent.clientId}, ${consent.userId},
            ${consent.scopes}::text[], ${consent.redirectUri}, ${consent.codeChallenge},
            ${consent.declined ?? null}::text[], ${consent.browser ?? null}, ${consent.place ?? null},
            ${consent.resource ?? null}, (SELECT digest FROM client_documents WHERE client_id = ${consent.clientId}),
            grant_expires_at, now, LEAST(now + ${lifetime}, grant_expires_at)
          FROM (SELECT ${yield* DatabaseClock.statementNow} AS now,
            ${consent.grantExpiresAt ? DateTime.toDateUtc(consent.grantExpiresAt) : null}::timestamptz
              AS grant_expires_at) t`
        return code
      }, Effect.orDie)

      const redeem = Effect.fnUntraced(function*(batch: ReadonlyArray<Redemption>) {
        const now = yield* DatabaseClock.statementNow
        const rows = yield* clock.observe(retryRolledBack(redeemStatement(batch, now)), ({ createdAt }) => createdAt)
        yield* secrets.recordUse(rows.map(({ unrecordedSecret }) => unrecordedSecret))
        const redeemed = new Map(
          rows.map((
            { createdAt, expiresAt, grantId, migrated, resource, scopes, userId }
          ): [GrantId, RedemptionOutcome] => [
            grantId,
            {
              _tag: "Redeemed",
              grantId,
              userId,
              scopes,
              resource,
              migrated,
              openedAt: DateTime.fromDateUnsafe(createdAt),
              expiresAt: DateTime.fromDateUnsafe(expiresAt)
            }
          ])
        )
        const others = batch.filter(({ grantId }) => !redeemed.has(grantId))
        const codes = others.length === 0 ? new Map<string, StoredCode>() : yield* findCodes(others)
        const readAt = DateTime.toDateUtc(yield* clock.now)
        return batch.map((redemption): RedemptionOutcome =>
          redeemed.get(redemption.grantId) ??
            (codes === undefined
              ? { _tag: "ClientNotAuthenticated" }
              : explainRefusal(redemption, codes.get(keyOf(redemption)), readAt))
        )
      })

      // A failure must not hide what was redeemed, or those clients would repeat a code that is spent; the others
      // should try again.
      const findCodes = (batch: ReadonlyArray<Redemption>) =>
        sql<StoredCode & { readonly digest: Uint8Array }>`
          SELECT digest, client_id, user_id, redirect_uri, code_challenge, resource, expires_at, grant_id
          FROM codes WHERE digest = ANY(${batch.map(({ digest }) => digest)})`.pipe(
          Effect.map((rows) => new Map(rows.map((row): [string, StoredCode] => [keyOf(row), row]))),
          Effect.orElseSucceed(() => undefined)
        )

      // Rows are locked in key order, as in `RedeemStatement`.
      const forget = (where: Statement.Fragment) =>
        Effect.asVoid(
          sql`DELETE FROM codes WHERE digest IN (SELECT digest FROM codes
            WHERE ${where} AND grant_id IS NULL ORDER BY digest FOR UPDATE)`
        )

      return CodeStore.of({
        issue,
        redeem,
        withdraw: Effect.fn("CodeStore.withdraw")(
          (userId, clientId) =>
            forget(
              clientId === undefined
                ? sql`user_id = ${userId}`
                : sql`user_id = ${userId} AND client_id = ${clientId}`
            ),
          Effect.orDie
        ),
        withdrawAll: Effect.fn("CodeStore.withdrawAll")(
          (clientId) => forget(sql`client_id = ${clientId}`),
          Effect.orDie
        ),
        withdrawOf: Effect.fn("CodeStore.withdrawOf")(
          (resource) => forget(sql`resource = ${resource}`),
          Effect.orDie
        )
      })
    })
  )
}

export const sweeps = [
  Sweep.expired({
    table: "codes",
    column: "expires_at",
    retention: "codeLifetime",
    rows: "authorization codes past their lifetime, spent or not"
  })
]

const keyOf = ({ digest }: { readonly digest: Uint8Array }): string => Buffer.from(digest).toString("hex")
