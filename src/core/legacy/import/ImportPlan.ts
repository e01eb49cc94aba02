import { DateTime, Result } from "effect"
import { randomBytes } from "node:crypto"
import { ClientId, type UserId } from "../../../domain/Ids.ts"
import type { Client } from "../../clients/Client.ts"
import type { ImportedSecret } from "../../clients/SecretVault.ts"
import * as ImportedToken from "../../tokens/ImportedToken.ts"
import {
  accountIdOf,
  type AccountIds,
  clientOf,
  differenceNotes,
  faultsOf,
  type ImportOptions,
  redirectUriFaults
} from "./ImportedClient.ts"
import type { Line } from "./ImportFile.ts"
import { digestOf, fingerprint, foreignFormOf, type ImportedApp, type ImportRecord, isShort } from "./ImportRecord.ts"

/** The accounts, apps and refresh tokens of this server that a file names. */
export interface Existing {
  readonly accounts: AccountIds
  readonly clients: ReadonlyMap<string, Client>
  /** The ids of apps that their owners have deleted here. */
  readonly deleted: ReadonlySet<string>
  /** The users of each migrated app who have authorized it anew since its scopes were saved, as `userOfApp` names them. */
  readonly authorizedAnew: ReadonlySet<string>
  /** Refresh tokens that were imported earlier, whatever became of them since. */
  readonly tokens: ReadonlySet<string>
}

/** The report on one line of the file. */
export interface Finding {
  readonly line: number
  readonly clientId: string
  readonly kind: "new" | "adds" | "there" | "wrong"
  /** The operator or the app's owner should know of it. */
  readonly isNotable: boolean
  readonly text: string
}

export interface PlannedToken {
  readonly clientId: ClientId
  readonly userId: UserId
  readonly digest: Uint8Array
  readonly expiresAt: DateTime.Utc | null
  readonly rotates: boolean
  readonly idleDays: number | null
}

/** Everything that an import would write, and its report on each line. */
export interface Plan {
  readonly findings: ReadonlyArray<Finding>
  readonly clients: ReadonlyArray<Client>
  readonly secrets: ReadonlyArray<ImportedSecret>
  readonly tokens: ReadonlyArray<PlannedToken>
  /** The records at fault as they stand in the file, under the header of a CSV file. */
  readonly misfits: ReadonlyArray<string>
}

/** The key of an app and its user in `Existing.authorizedAnew`. */
export const userOfApp = (clientId: string, userId: string): string => `${userId} ${clientId}`

/** Plans an import. Nothing that exists is ever changed: an existing app gains new refresh tokens at most. */
export const plan = (
  lines: ReadonlyArray<Line>,
  existing: Existing,
  options: ImportOptions,
  now: DateTime.Utc
): Plan => {
  const draft: Draft = { clients: [], secrets: [], tokens: [], apps: new Map(), tokenLines: new Map() }
  const findings = lines.map(({ line, record }) =>
    Result.isFailure(record)
      ? faulty(line, "", record.failure.map(({ message, path }) => `${path} ${message}`.trim()))
      : planRecord(draft, existing, options, now, line, record.success)
  )
  const wrong = lines.filter((_, at) => findings[at]?.kind === "wrong")
  const header = wrong[0]?.header ?? null
  const misfits = [...(header === null ? [] : [header]), ...wrong.map(({ source }) => source)]
  return { findings, clients: draft.clients, secrets: draft.secrets, tokens: draft.tokens, misfits }
}

/** The plan so far, to which each line adds. */
interface Draft {
  readonly clients: Array<Client>
  readonly secrets: Array<ImportedSecret>
  readonly tokens: Array<PlannedToken>
  readonly apps: Map<
    string,
    {
      readonly line: number
      readonly app: ImportedApp | null
      readonly secrets: Array<Uint8Array>
      /** Its first record is at fault, so that there is no app to add others to. */
      misfit: boolean
    }
  >
  readonly tokenLines: Map<string, number>
}

/** The report on one part of a record: on its app, its secrets or its refresh tokens. */
interface PartReport {
  readonly faults: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
}

const planRecord = (
  draft: Draft,
  existing: Existing,
  options: ImportOptions,
  now: DateTime.Utc,
  line: number,
  record: ImportRecord
): Finding => {
  const clientId = ClientId.make(record.client_id)
  const client = existing.clients.get(clientId)
  const isNew = client === undefined && !draft.apps.has(clientId)
  const isFirst = !draft.apps.has(clientId)
  const known = draft.apps.get(clientId)?.secrets.length ?? 0
  const [secrets, tokens] = [draft.secrets.length, draft.tokens.length]
  const parts = [
    planApp(draft, existing, options, line, record, client),
    // The secrets of an existing app are its owner's business: one that was revoked must not come back.
    ...(client === undefined ? [planSecrets(draft, record)] : []),
    planTokens(draft, existing, now, line, record, client)
  ]
  const faults = parts.flatMap((part) => part.faults)
  if (faults.length > 0) {
    draft.secrets.length = secrets
    draft.tokens.length = tokens
    const app = draft.apps.get(clientId)
    if (app !== undefined) app.secrets.length = known
    if (app !== undefined && isFirst) app.misfit = true
    return faulty(line, clientId, faults)
  }
  if (isNew && record.app !== null) draft.clients.push(clientOf(clientId, record.app, record, existing.accounts, now))
  const gains = [
    ...counted(draft.secrets.length - secrets, "secret"),
    ...counted(draft.tokens.length - tokens, "refresh token")
  ]
  const what = isNew ? ["new app", ...gains] : gains.length > 0 ? gains : ["there already"]
  const notes = parts.flatMap((part) => part.notes)
  const text = [...what, ...notes].join(", ")
  return {
    line,
    clientId,
    kind: isNew ? "new" : gains.length > 0 ? "adds" : "there",
    isNotable: notes.length > 0,
    text
  }
}

const faulty = (line: number, clientId: string, faults: ReadonlyArray<string>): Finding => ({
  line,
  clientId,
  kind: "wrong",
  isNotable: true,
  text: faults.join("; ")
})

const planApp = (
  draft: Draft,
  existing: Existing,
  options: ImportOptions,
  line: number,
  record: ImportRecord,
  client: Client | undefined
): PartReport => {
  const { app, client_id: id } = record
  const first = draft.apps.get(id)
  if (first?.misfit) return { faults: [`line ${first.line}, where this app begins, does not fit`], notes: [] }
  if (first !== undefined) {
    const differs = app !== null && (first.app === null || fingerprint(app) !== fingerprint(first.app))
    return { faults: differs ? [`says something else about the app than line ${first.line}`] : [], notes: [] }
  }
  draft.apps.set(id, { line, app, secrets: [], misfit: false })
  if (client === undefined) {
    return {
      faults: [
        ...(existing.deleted.has(id) ? ["this app was deleted here and is not brought back"] : []),
        ...(app === null
          ? ["the first line of an app needs owner, name and redirect_uris"]
          : faultsOf(app, record, existing.accounts, options))
      ],
      notes: app === null || !options.keepsRedirectUris
        ? []
        : redirectUriFaults(app, record).map((fault) => `${fault}: kept until its owner's next edit`)
    }
  }
  return {
    faults: client.legacy || client.migratedAt !== null
      ? []
      : ["an app of this id was registered here, which is not from before scopes"],
    notes: app === null ? [] : differenceNotes(app, client, existing.accounts)
  }
}

const planSecrets = (draft: Draft, record: ImportRecord): PartReport => {
  const clientId = ClientId.make(record.client_id)
  const planned = draft.apps.get(clientId)?.secrets ?? []
  const notes: Array<string> = []
  for (const secret of record.secrets) {
    const foreignDigest = foreignFormOf(secret) === undefined ? null : secret.value
    const digest = foreignDigest === null ? digestOf(secret) : randomBytes(32)
    const key = foreignDigest === null ? digest : Buffer.from(foreignDigest)
    if (digest === undefined || key === undefined) continue
    if (planned.some((other) => Buffer.compare(other, key) === 0)) continue
    planned.push(key)
    if (isShort(secret)) notes.push("the secret is short enough to be guessed: make another soon")
    const isClear = secret.algorithm === "clear"
    const lastFour = isClear ? secret.value.slice(-4) : ""
    draft.secrets.push({ clientId, digest, foreignDigest, lastFour, guessable: !isClear || isShort(secret) })
  }
  return { faults: planned.length > 2 ? ["an app has at most two secrets"] : [], notes }
}

const planTokens = (
  draft: Draft,
  existing: Existing,
  now: DateTime.Utc,
  line: number,
  record: ImportRecord,
  client: Client | undefined
): PartReport => {
  const clientId = ClientId.make(record.client_id)
  const faults: Array<string> = []
  const notes: Array<string> = []
  for (const { expires_at: expiresAt = null, token, user } of record.refresh_tokens) {
    const digest = digestOf(token)
    const userId = accountIdOf(user, existing.accounts)
    if (userId === undefined) faults.push(`there is no account ${user}`)
    if (isShort(token)) faults.push("a refresh token has less than 16 characters")
    if (digest === undefined || userId === undefined) continue
    const key = ImportedToken.mapKey(ImportedToken.digest(digest))
    const firstLine = draft.tokenLines.get(key)
    if (firstLine !== undefined) faults.push(`the refresh token is on line ${firstLine} already`)
    draft.tokenLines.set(key, line)
    if (existing.tokens.has(key)) continue
    if (existing.authorizedAnew.has(userOfApp(clientId, userId))) {
      notes.push("a refresh token is left out: its user has authorized the app anew since the scopes were saved")
    } else if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now)) {
      notes.push("a refresh token has expired and is left out")
    } else {
      if (client !== undefined && client.migratedAt !== null) {
        notes.push("a refresh token from before the scopes were saved works until its user authorizes the app anew")
      }
      draft.tokens.push({ clientId, userId, digest, expiresAt, rotates: record.rotates, idleDays: record.idle_days })
    }
  }
  return { faults, notes }
}

const counted = (count: number, what: string): ReadonlyArray<string> =>
  count === 0 ? [] : [count === 1 ? `1 ${what}` : `${count} ${what}s`]
