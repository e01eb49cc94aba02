import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import * as Credential from "../../domain/Credential.ts"
import type { ClientId, GrantId, SecretId, UserId } from "../../domain/Ids.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Column from "../../foundation/database/Column.ts"
import { SecretCheck } from "../clients/SecretCheck.ts"
import { type CodeRow, judge, type Redeemed, type Redemption } from "./CodeRedemption.ts"

/** What the user allowed (RFC 6749 §4.1.2). */
export interface Consent {
  readonly clientId: ClientId
  readonly userId: UserId
  readonly scopes: GrantedScopes
  readonly redirectUri: string
  /** The S256 challenge of RFC 7636 §4.2. */
  readonly codeChallenge: string | null
}

/** Authorization codes: the only one to touch `codes`. */
export class CodeStore extends Context.Service<CodeStore, {
  /** A new code; joins the caller's transaction. */
  issue(consent: Consent): Effect.Effect<Credential.Credential>
  /**
   * Spends codes, in the statement that authenticates their clients: of any number of concurrent redemptions of one code
   * at most one succeeds, and what does not match spends nothing. `open` turns the spent rows (id, handle_digest,
   * client_id, user_id, scopes) into grants, in the same statement, and returns their id, user_id and scopes.
   */
  redeem(
    batch: ReadonlyArray<Redemption>,
    open: (spent: Statement.Fragment, now: Date) => Statement.Fragment
  ): Effect.Effect<ReadonlyArray<Redeemed>, SqlError.SqlError>
  /** Forgets a user's unspent codes, those for one client or all; joins the caller's transaction. */
  withdraw(userId: UserId, clientId?: ClientId): Effect.Effect<void>
}>()("slotkey/core/grants/CodeStore") {
  static readonly layer: Layer.Layer<CodeStore, never, SqlClient.SqlClient | AppConfig | SecretCheck> = Layer.effect(
    CodeStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const plain = sql.withoutTransforms()
      const secrets = yield* SecretCheck
      const { codeLifetime } = yield* AppConfig

      const issue = Effect.fn("CodeStore.issue")(function*(consent: Consent) {
        const code = yield* Credential.make("code")
        const now = yield* DateTime.now
        yield* sql`INSERT INTO codes
          (digest, client_id, user_id, scopes, redirect_uri, code_challenge, created_at, expires_at)
          VALUES (${Credential.digest(Redacted.value(code))}, ${consent.clientId}, ${consent.userId}, ${consent.scopes},
            ${consent.redirectUri}, ${consent.codeChallenge}, ${DateTime.toDateUtc(now)},
            ${DateTime.toDateUtc(DateTime.addDuration(now, codeLifetime))})`
        return code
      }, Effect.orDie)

      const redeem = Effect.fnUntraced(function*(
        batch: ReadonlyArray<Redemption>,
        open: (spent: Statement.Fragment, now: Date) => Statement.Fragment
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const spent = yield* spend(batch, now, open)
        const others = batch.filter(({ grantId }) => !spent.has(grantId))
        // What was spent is answered whatever becomes of the rest, or its clients would repeat a code that is spent.
        const rows = others.length === 0
          ? new Map<string, CodeRow>()
          : yield* find(others).pipe(Effect.catch(() => Effect.succeed(undefined)))
        return batch.map((redemption): Redeemed =>
          spent.get(redemption.grantId) ??
            (rows === undefined
              ? { _tag: "ClientNotAuthenticated" }
              : judge(redemption, rows.get(key(redemption)), now))
        )
      })

      // Rows are locked in key order, so that the batches of two nodes cannot deadlock. Of several messages that match
      // one row, the update takes one.
      const spend = Effect.fnUntraced(function*(
        batch: ReadonlyArray<Redemption>,
        now: Date,
        open: (spent: Statement.Fragment, now: Date) => Statement.Fragment
      ) {
        const column = <K extends keyof Redemption>(name: K) => batch.map((redemption) => redemption[name])
        const opened = yield* plain<Opened>`
          WITH message AS (
            SELECT * FROM unnest(${column("digest")}::bytea[], ${column("clientId")}::text[],
              ${Column.bytes(column("secretDigest"))}, ${column("redirectUri")}::text[],
              ${Column.texts(column("codeChallenge"))}, ${column("grantId")}::uuid[], ${
          column("handleDigest")
        }::bytea[])
            AS m (digest, client_id, secret_digest, redirect_uri, code_challenge, grant_id, handle_digest)
          ), locked AS (
            SELECT c.digest, m.grant_id, m.handle_digest, k.migrated, k.due
            FROM message m JOIN codes c USING (digest) JOIN (${secrets.selectCredentials(now)}) k
              ON k.client_id = m.client_id AND k.secret_digest IS NOT DISTINCT FROM m.secret_digest
            WHERE c.grant_id IS NULL AND c.expires_at > ${now} AND c.client_id = m.client_id
              AND c.redirect_uri = m.redirect_uri AND c.code_challenge IS NOT DISTINCT FROM m.code_challenge
            ORDER BY c.digest FOR UPDATE OF c
          ), spent AS (
            UPDATE codes c SET grant_id = l.grant_id FROM locked l WHERE c.digest = l.digest
            RETURNING c.grant_id AS id, l.handle_digest, c.client_id, c.user_id, c.scopes
          ), opened AS (${open(sql`SELECT id, handle_digest, client_id, user_id, scopes FROM spent`, now)})
          SELECT o.id AS "grantId", o.user_id AS "userId", o.scopes, l.migrated, l.due
          FROM opened o JOIN locked l ON l.grant_id = o.id`
        yield* secrets.noteUse(opened.map(({ due }) => due), now)
        return new Map(opened.map(({ grantId, migrated, scopes, userId }): [GrantId, Redeemed] => [
          grantId,
          { _tag: "Redeemed", grantId, userId, scopes, migrated }
        ]))
      })

      const find = Effect.fnUntraced(function*(batch: ReadonlyArray<Redemption>) {
        const rows = yield* sql<CodeRow>`SELECT * FROM codes WHERE digest = ANY(${batch.map(({ digest }) => digest)})`
        return new Map(rows.map((row) => [key(row), row]))
      })

      const withdraw = Effect.fn("CodeStore.withdraw")(function*(userId: UserId, clientId?: ClientId) {
        const ofClient = clientId === undefined ? sql`TRUE` : sql`client_id = ${clientId}`
        // Locked in key order, as in `spend`.
        yield* sql`DELETE FROM codes WHERE digest IN (SELECT digest FROM codes
          WHERE user_id = ${userId} AND ${ofClient} AND grant_id IS NULL ORDER BY digest FOR UPDATE)`
      }, Effect.orDie)

      return CodeStore.of({ issue, redeem, withdraw })
    })
  )
}

interface Opened {
  readonly grantId: GrantId
  readonly userId: UserId
  readonly scopes: GrantedScopes
  readonly migrated: boolean
  readonly due: SecretId | null
}

const key = ({ digest }: { readonly digest: Uint8Array }): string => Buffer.from(digest).toString("hex")
