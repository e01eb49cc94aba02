import { DateTime, Result } from "effect"
import { randomBytes } from "node:crypto"
import { ClientId } from "../../../domain/Ids.ts"
import type { ImportedAccount } from "../../accounts/linked/ImportedAccounts.ts"
import type { Client } from "../../clients/records/Client.ts"
import { secretLimit } from "../../clients/secrets/SecretRows.ts"
import type { ImportedSecret } from "../../clients/secrets/SecretVault.ts"
import * as ImportedToken from "../../tokens/ImportedToken.ts"
import type { ImportDraft, PlannedToken } from "./ImportDraft.ts"
import { type Grounds, type PartReport, userOfApp } from "./ImportGrounds.ts"
import { digestOf, foreignFormOf, type ImportRecord, isShort } from "./ImportRecord.ts"
import { resolve } from "./NamedAccount.ts"

/** Report on credentials of a record, and those that it adds. */
interface CredentialReport<A> extends PartReport {
  readonly items: ReadonlyArray<A>
}

/** A secret, the algorithm that the file names for it, and the key that equal secrets of one app share. */
interface KeyedSecret {
  readonly key: string
  readonly algorithm: string
  readonly secret: ImportedSecret
}

/** Judges the secrets of a record whose app is new. */
export const planSecrets = (draft: ImportDraft, record: ImportRecord): CredentialReport<KeyedSecret> => {
  const clientId = ClientId.make(record.client_id)
  const keys = new Set(draft.secretKeys(clientId))
  const items: Array<KeyedSecret> = []
  const notes: Array<string> = []
  for (const secret of record.secrets) {
    const foreignDigest = foreignFormOf(secret) === undefined ? null : secret.value
    const digest = foreignDigest === null ? digestOf(secret) : randomBytes(32)
    if (digest === undefined) continue
    const key = foreignDigest ?? Buffer.from(digest).toString("base64url")
    if (keys.has(key)) continue
    keys.add(key)
    if (isShort(secret)) notes.push("the secret is short enough to be guessed: make another soon")
    const isClear = secret.algorithm === "clear"
    const lastFour = isClear ? secret.value.slice(-4) : ""
    const guessable = !isClear || isShort(secret)
    items.push({ key, algorithm: secret.algorithm, secret: { clientId, digest, foreignDigest, lastFour, guessable } })
  }
  return { faults: keys.size > secretLimit ? ["an app has at most two secrets"] : [], notes, items }
}

interface TokenReport extends CredentialReport<PlannedToken> {
  /** Accounts that have to be made for their users. */
  readonly made: ReadonlyArray<ImportedAccount>
}

/** Judges the refresh tokens of a record; `client` is the app as it exists here. */
export const planTokens = (
  grounds: Grounds,
  line: number,
  record: ImportRecord,
  client: Client | undefined
): TokenReport => {
  const { draft, existing, now } = grounds
  const clientId = ClientId.make(record.client_id)
  const items: Array<PlannedToken> = []
  const made: Array<ImportedAccount> = []
  const faults: Array<string> = []
  const notes: Array<string> = []
  const losses: Array<string> = []
  for (const [at, { expires_at: expiresAt = null, issued_at, token, user }] of record.refresh_tokens.entries()) {
    const digest = digestOf(token)
    const account = resolve(grounds, `refresh_tokens.${at}.user`, user)
    if (Result.isFailure(account)) faults.push(account.failure)
    if (isShort(token)) faults.push("a refresh token has less than 16 characters")
    if (digest === undefined || Result.isFailure(account)) continue
    const userId = account.success.id
    const key = ImportedToken.mapKey(ImportedToken.digest(digest))
    const firstLine = draft.claimToken(key, line)
    if (firstLine !== undefined) faults.push(`the refresh token is on line ${firstLine} already`)
    if (existing.tokens.has(key)) continue
    const leftOut = existing.leftOut.get(userOfApp(clientId, userId))
    if (leftOut !== undefined) {
      losses.push(`a refresh token is left out: ${leftOut}`)
    } else if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now)) {
      losses.push("a refresh token has expired and is left out")
    } else {
      if (client !== undefined && client.migratedAt !== null) {
        notes.push("a refresh token from before the scopes were saved works until its user authorizes the app anew")
      }
      if (account.success.made !== undefined) made.push(account.success.made)
      items.push({
        line,
        clientId,
        userId,
        digest,
        // The clock of the old server may have been ahead.
        issuedAt: issued_at === undefined ? null : DateTime.min(issued_at, now),
        expiresAt,
        rotates: record.rotates,
        idleDays: record.idle_days
      })
    }
  }
  return { faults, notes, losses, items, made }
}
