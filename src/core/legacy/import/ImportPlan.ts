import { DateTime, Result } from "effect"
import { ClientId, type UserId } from "../../../domain/Ids.ts"
import type { Client } from "../../clients/Client.ts"
import type { ImportedSecret } from "../../clients/SecretVault.ts"
import * as ImportedToken from "../../tokens/ImportedToken.ts"
import { clientOf, differences, misplaced, type People, personOf } from "./ImportedClient.ts"
import type { Line } from "./ImportFile.ts"
import { digestOf, fingerprint, type ImportedApp, type ImportRecord, isShort } from "./ImportRecord.ts"

/** What is here already, of what a file names. */
export interface Known {
  /** By e-mail address in lower case, and by id. */
  readonly people: People
  readonly clients: ReadonlyMap<string, Client>
  /** Apps that their owners have deleted here. */
  readonly deleted: ReadonlySet<string>
  /** Refresh tokens that were imported, whatever became of them. */
  readonly tokens: ReadonlySet<string>
}

/** What is told of one line. */
export interface Finding {
  readonly line: number
  readonly clientId: string
  readonly kind: "new" | "adds" | "there" | "wrong"
  readonly text: string
}

export interface PlannedToken {
  readonly clientId: ClientId
  readonly userId: UserId
  readonly digest: Uint8Array
  readonly expiresAt: DateTime.Utc | null
}

/** What an import would write, and what it says of each line. */
export interface Plan {
  readonly findings: ReadonlyArray<Finding>
  readonly clients: ReadonlyArray<Client>
  readonly secrets: ReadonlyArray<ImportedSecret>
  readonly tokens: ReadonlyArray<PlannedToken>
}

/** Compares a file with what is here. Nothing that is here is ever changed: an app gains new refresh tokens at most. */
export const plan = (lines: ReadonlyArray<Line>, known: Known, now: DateTime.Utc): Plan => {
  const draft: Draft = { clients: [], secrets: [], tokens: [], apps: new Map(), tokenLines: new Map() }
  const findings = lines.map(({ line, record }) =>
    Result.isFailure(record)
      ? finding(line, "", record.failure.map(({ message, path }) => `${path} ${message}`.trim()))
      : judge(draft, known, now, line, record.success)
  )
  return { findings, clients: draft.clients, secrets: draft.secrets, tokens: draft.tokens }
}

/** What the lines so far have come to. */
interface Draft {
  readonly clients: Array<Client>
  readonly secrets: Array<ImportedSecret>
  readonly tokens: Array<PlannedToken>
  readonly apps: Map<
    string,
    { readonly line: number; readonly app: ImportedApp | null; readonly secrets: Array<Uint8Array> }
  >
  readonly tokenLines: Map<string, number>
}

/** What one part of a record comes to. */
interface Part {
  readonly faults: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
}

const judge = (draft: Draft, known: Known, now: DateTime.Utc, line: number, record: ImportRecord): Finding => {
  const clientId = ClientId.make(record.client_id)
  const here = known.clients.get(clientId)
  const isNew = here === undefined && !draft.apps.has(clientId)
  const [secrets, tokens] = [draft.secrets.length, draft.tokens.length]
  const parts = [
    judgeApp(draft, known, line, record, here),
    // Those of an app that is here are its owner's business: one that was revoked must not come back.
    ...(here === undefined ? [judgeSecrets(draft, record)] : []),
    judgeTokens(draft, known, now, line, record, here)
  ]
  const faults = parts.flatMap((part) => part.faults)
  if (faults.length > 0) return finding(line, clientId, faults)
  if (isNew && record.app !== null) draft.clients.push(clientOf(clientId, record.app, record, known.people, now))
  const gains = [
    ...counted(draft.secrets.length - secrets, "secret"),
    ...counted(draft.tokens.length - tokens, "refresh token")
  ]
  const what = isNew ? ["new app", ...gains] : gains.length > 0 ? gains : ["there already"]
  const text = [...what, ...parts.flatMap(({ notes }) => notes)].join(", ")
  return { line, clientId, kind: isNew ? "new" : gains.length > 0 ? "adds" : "there", text }
}

const finding = (line: number, clientId: string, faults: ReadonlyArray<string>): Finding => ({
  line,
  clientId,
  kind: "wrong",
  text: faults.join("; ")
})

const judgeApp = (draft: Draft, known: Known, line: number, record: ImportRecord, here: Client | undefined): Part => {
  const { app, client_id: id } = record
  const first = draft.apps.get(id)
  if (first !== undefined) {
    const differs = app !== null && (first.app === null || fingerprint(app) !== fingerprint(first.app))
    return { faults: differs ? [`says something else about the app than line ${first.line}`] : [], notes: [] }
  }
  draft.apps.set(id, { line, app, secrets: [] })
  if (here === undefined) {
    return {
      faults: [
        ...(known.deleted.has(id) ? ["this app was deleted here and is not brought back"] : []),
        ...(app === null
          ? ["the first line of an app needs owner, name and redirect_uris"]
          : misplaced(app, record, known.people))
      ],
      notes: []
    }
  }
  return {
    faults: here.legacy || here.migratedAt !== null
      ? []
      : ["an app of this id was registered here, which is not from before scopes"],
    notes: app === null ? [] : differences(app, here, known.people)
  }
}

const judgeSecrets = (draft: Draft, record: ImportRecord): Part => {
  const clientId = ClientId.make(record.client_id)
  const known = draft.apps.get(clientId)?.secrets ?? []
  const notes: Array<string> = []
  for (const given of record.secrets) {
    const digest = digestOf(given)
    if (digest === undefined || known.some((other) => Buffer.compare(other, digest) === 0)) continue
    known.push(digest)
    if (isShort(given)) notes.push("the secret is short enough to be guessed: make another soon")
    const isClear = given.algorithm === "clear"
    const lastFour = isClear ? given.value.slice(-4) : ""
    draft.secrets.push({ clientId, digest, lastFour, guessable: !isClear || isShort(given) })
  }
  return { faults: known.length > 2 ? ["an app has at most two secrets"] : [], notes }
}

const judgeTokens = (
  draft: Draft,
  known: Known,
  now: DateTime.Utc,
  line: number,
  record: ImportRecord,
  here: Client | undefined
): Part => {
  const clientId = ClientId.make(record.client_id)
  const faults: Array<string> = []
  const notes: Array<string> = []
  for (const { expires_at: expiresAt = null, token, user } of record.refresh_tokens) {
    const digest = digestOf(token)
    const userId = personOf(user, known.people)
    if (userId === undefined) faults.push(`there is no account ${user}`)
    if (isShort(token)) faults.push("a refresh token has less than 16 characters")
    if (digest === undefined || userId === undefined) continue
    const key = ImportedToken.name(ImportedToken.digest(digest))
    const before = draft.tokenLines.get(key)
    if (before !== undefined) faults.push(`the refresh token is on line ${before} already`)
    draft.tokenLines.set(key, line)
    if (known.tokens.has(key)) continue
    if (here !== undefined && here.migratedAt !== null) {
      faults.push("the scopes of this app were saved: tokens from before are not taken any more")
    }
    if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now)) {
      notes.push("a refresh token has expired and is left out")
    } else draft.tokens.push({ clientId, userId, digest, expiresAt })
  }
  return { faults, notes }
}

const counted = (count: number, what: string): ReadonlyArray<string> =>
  count === 0 ? [] : [count === 1 ? `1 ${what}` : `${count} ${what}s`]
