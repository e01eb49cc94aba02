import { DateTime, Result } from "effect"
import { Client } from "../clients/Client.ts"
import { misfits } from "../clients/RedirectUri.ts"
import { ClientId, type UserId } from "../domain/Ids.ts"
import * as ImportedToken from "./ImportedToken.ts"
import type { Line } from "./ImportFile.ts"
import { digestOf, fingerprint, type ImportedApp, type ImportRecord, isShort } from "./ImportRecord.ts"

/** What is here already, of what a file names. */
export interface Known {
  /** By e-mail address in lower case, and by id. */
  readonly people: ReadonlyMap<string, UserId>
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

export interface PlannedSecret {
  readonly clientId: ClientId
  readonly digest: Uint8Array
  /** Of a secret that was given in clear. */
  readonly lastFour: string
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
  readonly secrets: ReadonlyArray<PlannedSecret>
  readonly tokens: ReadonlyArray<PlannedToken>
}

/** Compares a file with what is here. Nothing that is here is ever changed: an app gains new refresh tokens at most. */
export const plan = (lines: ReadonlyArray<Line>, known: Known, now: DateTime.Utc): Plan => {
  const findings: Array<Finding> = []
  const clients: Array<Client> = []
  const secrets: Array<PlannedSecret> = []
  const tokens: Array<PlannedToken> = []
  const firsts = new Map<string, First>()
  const seen = new Map<string, number>()

  for (const { line, record } of lines) {
    if (Result.isFailure(record)) {
      const text = record.failure.map(({ message, path }) => `${path} ${message}`.trim()).join("; ")
      findings.push({ line, clientId: "", kind: "wrong", text })
      continue
    }
    const { app, client_id, refresh_tokens } = record.success
    const clientId = ClientId.make(client_id)
    const faults: Array<string> = []
    const notes: Array<string> = []
    const here = known.clients.get(client_id)

    let first = firsts.get(client_id)
    const isFirst = first === undefined
    if (first === undefined) {
      first = { line, app, secrets: [] }
      firsts.set(client_id, first)
      if (here === undefined && app === null) {
        faults.push("the first line of an app needs owner, name and redirect_uris")
      }
      if (here !== undefined && !here.legacy && here.migratedAt === null) {
        faults.push("an app of this id was registered here, which is not from before scopes")
      }
      if (known.deleted.has(client_id)) faults.push("this app was deleted here and is not brought back")
      if (here === undefined && app !== null) faults.push(...misplaced(app, record.success, known.people))
      if (here !== undefined && app !== null) notes.push(...differences(app, here, known.people))
    } else if (app !== null && (first.app === null || fingerprint(app) !== fingerprint(first.app))) {
      faults.push(`says something else about the app than line ${first.line}`)
    }

    let [newSecrets, newTokens] = [0, 0]
    for (const given of here === undefined ? record.success.secrets : []) {
      const digest = digestOf(given)
      if (digest === undefined) continue
      if (first.secrets.some((other) => Buffer.compare(other, digest) === 0)) continue
      first.secrets.push(digest)
      newSecrets++
      if (first.secrets.length > 2) faults.push("an app has at most two secrets")
      if (isShort(given)) notes.push("the secret is short enough to be guessed: make another soon")
      secrets.push({ clientId, digest, lastFour: given.algorithm === "clear" ? given.value.slice(-4) : "" })
    }
    for (const { expires_at: expiresAt = null, token, user } of refresh_tokens) {
      const given = digestOf(token)
      const userId = personOf(user, known.people)
      if (userId === undefined) faults.push(`there is no account ${user}`)
      if (isShort(token)) faults.push("a refresh token has less than 16 characters")
      if (given === undefined || userId === undefined) continue
      const key = ImportedToken.name(ImportedToken.digest(given))
      const before = seen.get(key)
      if (before !== undefined) faults.push(`the refresh token is on line ${before} already`)
      seen.set(key, line)
      if (known.tokens.has(key)) continue
      if (here !== undefined && here.migratedAt !== null) {
        faults.push("the scopes of this app were saved: tokens from before are not taken any more")
      }
      if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now)) {
        notes.push("a refresh token has expired and is left out")
        continue
      }
      newTokens++
      tokens.push({ clientId, userId, digest: given, expiresAt })
    }

    if (isFirst && here === undefined && app !== null && faults.length === 0) {
      clients.push(clientOf(clientId, app, record.success, known.people, now))
    }
    if (faults.length > 0) {
      findings.push({ line, clientId, kind: "wrong", text: faults.join("; ") })
      continue
    }
    const gains = [
      ...(newSecrets > 0 ? [counted(newSecrets, "secret")] : []),
      ...(newTokens > 0 ? [counted(newTokens, "refresh token")] : [])
    ]
    const isNew = isFirst && here === undefined
    const what = isNew ? ["new app", ...gains] : gains.length > 0 ? gains : ["there already"]
    findings.push({
      line,
      clientId,
      kind: isNew ? "new" : gains.length > 0 ? "adds" : "there",
      text: [...what, ...notes].join(", ")
    })
  }
  return { findings, clients, secrets, tokens }
}

interface First {
  readonly line: number
  readonly app: ImportedApp | null
  readonly secrets: Array<Uint8Array>
}

const counted = (count: number, what: string): string => count === 1 ? `1 ${what}` : `${count} ${what}s`

const personOf = (name: string, people: Known["people"]): UserId | undefined =>
  people.get(name) ?? people.get(name.toLowerCase())

const misplaced = (app: ImportedApp, record: ImportRecord, people: Known["people"]): ReadonlyArray<string> => {
  const kind = kindOf(app, record)
  return [
    ...(personOf(app.owner, people) === undefined ? [`there is no account ${app.owner} to own the app`] : []),
    ...misfits(kind, app.redirect_uris).map(({ message }) => `redirect_uris ${message}`),
    ...(kind === "confidential" && record.secrets.length === 0 ? ["a confidential app needs a secret"] : []),
    ...(kind === "public" && record.secrets.length > 0 ? ["a public app has no secret"] : []),
    ...(websiteOf(app) === undefined ? ["website is required"] : [])
  ]
}

const kindOf = ({ kind }: ImportedApp, { secrets }: ImportRecord) =>
  kind ?? (secrets.length > 0 ? "confidential" : "public")

/** The origin of a redirect URI, where the old server knew no website. */
const websiteOf = ({ redirect_uris, website }: ImportedApp): string | undefined => {
  const web = redirect_uris.find((uri) => uri.startsWith("https:"))
  return website ?? (web === undefined ? undefined : new URL(web).origin)
}

const clientOf = (
  id: ClientId,
  app: ImportedApp,
  record: ImportRecord,
  people: Known["people"],
  now: DateTime.Utc
): Client => {
  const createdAt = DateTime.min(app.created_at ?? now, now)
  const ownerId = personOf(app.owner, people)
  if (ownerId === undefined) throw new Error("a client of nobody was planned")
  return new Client({
    id,
    ownerId,
    kind: kindOf(app, record),
    legacy: true,
    status: app.status ?? "approved",
    name: app.name,
    purpose: app.purpose ?? "Taken over from the server before.",
    website: websiteOf(app) ?? "",
    logoUrl: app.logo_url ?? null,
    redirectUris: app.redirect_uris,
    scopes: [],
    rejectionReason: app.status === "suspended" ? "Suspended before it was taken over." : null,
    submittedAt: createdAt,
    reviewedAt: now,
    createdAt,
    updatedAt: now,
    migratedAt: null,
    version: 1
  })
}

/** Where the file and what is here have grown apart since an earlier import; what is here stays. */
const differences = (app: ImportedApp, here: Client, people: Known["people"]): ReadonlyArray<string> => {
  const differ = [
    ...(personOf(app.owner, people) === here.ownerId ? [] : ["owner"]),
    ...(app.name === here.name ? [] : ["name"]),
    ...(app.redirect_uris.join(" ") === here.redirectUris.join(" ") ? [] : ["redirect_uris"])
  ]
  return differ.length === 0 ? [] : [`differs here and stays so: ${differ.join(", ")}`]
}
