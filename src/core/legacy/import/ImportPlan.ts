import { Result } from "effect"
import { counted } from "../../../domain/Counted.ts"
import { ClientId } from "../../../domain/Ids.ts"
import type { Client } from "../../clients/records/Client.ts"
import { planSecrets, planTokens } from "./CredentialPlan.ts"
import type { DraftedApp, PlannedToken } from "./ImportDraft.ts"
import { type AddressReport, judgeAddresses } from "./ImportedAddresses.ts"
import { clientOf, differenceNotes, faultsOf, kindOf } from "./ImportedClient.ts"
import type { Line } from "./ImportFile.ts"
import type { Grounds } from "./ImportGrounds.ts"
import type { Finding } from "./ImportListener.ts"
import { fingerprint, headOf, type ImportRecord, type Misfit } from "./ImportRecord.ts"
import { type NamedAccount, resolve } from "./NamedAccount.ts"

/** Additions of a record, and the report on it. */
interface Outcome {
  readonly finding: Finding
  /** Algorithms of the secrets. */
  readonly secrets: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<PlannedToken>
  /** Number of accounts that no record before has named. */
  readonly accounts: number
  /** Number of redirect URIs that stand for several, whether or not the record is at fault. */
  readonly patterns: number
}

/**
 * Judges one record and adds to the draft what it would write: nothing if anything in it is at fault. Nothing that
 * exists is ever changed: an existing app gains new refresh tokens at most.
 */
export const plan = (grounds: Grounds, { line, losses = [], record }: Line): Outcome =>
  Result.isFailure(record) ? faulty(line, record.failure) : planRecord(grounds, line, record.success, losses)

const planRecord = (
  grounds: Grounds,
  line: number,
  record: ImportRecord,
  lostBefore: ReadonlyArray<string>
): Outcome => {
  const { draft, existing, now } = grounds
  const clientId = ClientId.make(record.client_id)
  const client = existing.clients.get(clientId)
  const first = draft.app(clientId)
  const app = first ?? {
    line,
    fingerprint: record.app === null ? null : fingerprint(record.app),
    isNew: client === undefined,
    isMisfit: false
  }
  const owner = record.app === null ? undefined : resolve(grounds, "owner", record.app.owner)
  const reported = first === undefined
    ? firstReport(grounds, record, client, owner)
    : laterReport(first, record)
  // The secrets of an existing app are its owner's business: one that was revoked must not come back.
  const secrets = app.isNew ? planSecrets(draft, record) : { ...nothing, items: [] }
  const tokens = planTokens(grounds, line, record, client)
  const faults = [reported, secrets, tokens].flatMap((part) => part.faults)
  if (first === undefined) draft.setApp(clientId, { ...app, isMisfit: faults.length > 0 })
  const head = headOf(clientId, record.app)
  if (faults.length > 0) return faulty(line, { ...head, faults }, reported.patterns)

  const isNew = first === undefined && app.isNew
  const made = [...tokens.made]
  if (isNew && record.app !== null && owner !== undefined && Result.isSuccess(owner)) {
    draft.addClient(line, clientOf(clientId, record.app, record, owner.success.id, now))
    if (owner.success.made !== undefined) made.push(owner.success.made)
  }
  const accounts = made.filter(draft.addAccount).length
  for (const { key, secret } of secrets.items) draft.addSecret(key, secret)
  for (const token of tokens.items) draft.addToken(token)
  const gains = [
    ...(secrets.items.length === 0 ? [] : [counted(secrets.items.length, "secret")]),
    ...(tokens.items.length === 0 ? [] : [counted(tokens.items.length, "refresh token")]),
    ...(accounts === 0 ? [] : [counted(accounts, "account")])
  ]
  const what = isNew ? ["new app", ...gains] : gains.length > 0 ? gains : ["there already"]
  const notes = [reported, secrets, tokens].flatMap((part) => part.notes)
  const lost = [...lostBefore, ...(tokens.losses ?? [])]
  const finding: Finding = {
    line,
    clientId,
    kind: isNew ? "new" : gains.length > 0 ? "adds" : "there",
    isNotable: notes.length + lost.length > 0,
    text: [...what, ...lost, ...notes].join(", "),
    parts: { ...head, secrets: secrets.items.length, refreshTokens: tokens.items.length, toMend: notes, lost }
  }
  return {
    finding,
    secrets: secrets.items.map(({ algorithm }) => algorithm),
    tokens: tokens.items,
    accounts,
    patterns: reported.patterns
  }
}

const faulty = (
  line: number,
  { clientId, faults, isLeftOut = false, name, owner }: Misfit,
  patterns = 0
): Outcome => ({
  finding: {
    line,
    clientId,
    kind: isLeftOut ? "left-out" : "wrong",
    isNotable: true,
    text: told(faults).join("; "),
    parts: {
      name,
      owner,
      secrets: 0,
      refreshTokens: 0,
      toMend: isLeftOut ? [] : told(faults),
      lost: isLeftOut ? faults : []
    }
  },
  secrets: [],
  tokens: [],
  accounts: 0,
  patterns
})

/** As many faults as anybody reads: an app may have as many refresh tokens as users, and each the same fault. */
const told = (faults: ReadonlyArray<string>): ReadonlyArray<string> =>
  faults.length <= mostTold ? faults : [...faults.slice(0, mostTold), `and ${faults.length - mostTold} more`]

const mostTold = 20

const nothing: AddressReport = { faults: [], notes: [], patterns: 0 }

/** Report on the app of its first record. */
const firstReport = (
  { existing, options }: Grounds,
  record: ImportRecord,
  client: Client | undefined,
  owner: Result.Result<NamedAccount, string> | undefined
): AddressReport => {
  const { app, client_id: id } = record
  if (client !== undefined) {
    const ownerId = owner !== undefined && Result.isSuccess(owner) ? owner.success.id : undefined
    return {
      faults: client.isLegacyClient
        ? []
        : ["an app of this id was registered here, which is not from before scopes"],
      notes: app === null ? [] : differenceNotes(app, client, ownerId),
      patterns: 0
    }
  }
  const deleted = existing.deleted.has(id) ? ["this app was deleted here and is not brought back"] : []
  if (app === null) {
    return { ...nothing, faults: [...deleted, "the first line of an app needs owner, name and redirect_uris"] }
  }
  const addresses = judgeAddresses(kindOf(app, record), app.redirect_uris, options)
  const unowned = owner !== undefined && Result.isFailure(owner) ? [owner.failure] : []
  return { ...addresses, faults: [...deleted, ...unowned, ...addresses.faults, ...faultsOf(app, record)] }
}

/** Report on the app of a later record, which may repeat what the first one says. */
const laterReport = (first: DraftedApp, { app }: ImportRecord): AddressReport => {
  if (first.isMisfit) return { ...nothing, faults: [`line ${first.line}, where this app begins, does not fit`] }
  if (app === null || fingerprint(app) === first.fingerprint) return nothing
  return { ...nothing, faults: [`says something else about the app than line ${first.line}`] }
}
