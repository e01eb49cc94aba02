import { DateTime } from "effect"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import { Client } from "../../clients/records/Client.ts"
import * as RedirectUri from "../../clients/records/RedirectUri.ts"
import { defaultRefreshGrace } from "../../clients/records/RefreshGrace.ts"
import { nothingSaid } from "../../clients/records/ReviewedFields.ts"
import { unwritten } from "../../clients/records/UnwrittenPurpose.ts"
import type { Origin } from "./from/Servers.ts"
import type { ImportedApp, ImportRecord } from "./ImportRecord.ts"

/** Permissions that an operator gives an import. */
export interface ImportOptions {
  /** Imports the rest of a file that has records at fault. */
  readonly skips?: boolean
  /** Keeps redirect URIs of forms that cannot be registered here, until the owner's next edit. */
  readonly keepsRedirectUris?: boolean
  /** Keeps redirect URIs that stand for several, though no request has them: the owner is to mend them. */
  readonly keepsPatterns?: boolean
  /** Makes accounts for users who have not signed in yet, where a record names them by issuer and subject. */
  readonly createsAccounts?: boolean
  /** Private-use schemes that the server takes (`REDIRECT_SCHEMES`). */
  readonly redirectSchemes?: RedirectUri.Schemes
  /** The file is an export of another server, as it is. */
  readonly from?: Origin
}

/** Why no app can be made of a record, but for its owner and its addresses. */
export const faultsOf = (app: ImportedApp, record: ImportRecord): ReadonlyArray<string> => {
  const kind = kindOf(app, record)
  return [
    ...(kind === "confidential" && record.secrets.length === 0 ? ["a confidential app needs a secret"] : []),
    ...(kind === "public" && record.secrets.length > 0 ? ["a public app has no secret"] : []),
    ...(websiteOf(app) === undefined ? ["website is required"] : [])
  ]
}

export const kindOf = ({ kind }: ImportedApp, { secrets }: ImportRecord) =>
  kind ?? (secrets.length > 0 ? "confidential" : "public")

/** Website of the app; the origin of a redirect URI where the old server knew none. */
const websiteOf = ({ redirect_uris, website }: ImportedApp): string | undefined => {
  const web = redirect_uris.find((uri) => /^https?:/i.test(uri) && !RedirectUri.isLoopback(uri) && namesHost(uri))
  return website ?? (web === undefined ? undefined : new URL(web).origin)
}

/** Holds for an address of one host; a pattern or a list may stand for several. */
const namesHost = (uri: string): boolean => /^[\w.:[\]-]+$/.test(URL.parse(uri)?.hostname ?? "")

/** Legacy client that a record becomes: if it is approved, in use at once, and without scopes. */
export const clientOf = (
  id: ClientId,
  app: ImportedApp,
  record: ImportRecord,
  ownerId: UserId,
  now: DateTime.Utc
): Client => {
  const createdAt = DateTime.min(app.created_at ?? now, now)
  const kind = kindOf(app, record)
  const status = app.status ?? "approved"
  return new Client({
    id,
    ownerId,
    kind,
    refreshGrace: defaultRefreshGrace(kind),
    legacy: true,
    status,
    name: app.name,
    purpose: app.purpose ?? unwritten.imported,
    ...nothingSaid,
    website: websiteOf(app) ?? "",
    logoUrl: app.logo_url ?? null,
    // A worker fetches it.
    logoDigest: null,
    redirectUris: app.redirect_uris,
    scopes: [],
    optionalScopes: [],
    rejectionReason: status === "rejected" || status === "suspended" ? app.reason ?? before[status] : null,
    // A pending app has waited since, and keeps its place in the queue.
    submittedAt: createdAt,
    // The old server's decision is no review of this one, which users would read.
    reviewedAt: null,
    createdAt,
    updatedAt: now,
    migratedAt: null,
    scopeWords: app.scope_words ?? [],
    version: 1
  })
}

/** Reasons for decisions of the old server that came without one. */
const before = {
  rejected: "Rejected before it was taken over.",
  suspended: "Suspended before it was taken over."
}

/** Notes on the fields in which an app differs from its record since an earlier import; the app stays as it is. */
export const differenceNotes = (
  app: ImportedApp,
  existing: Client,
  ownerId: UserId | undefined
): ReadonlyArray<string> => {
  const differ = [
    ...(ownerId === existing.ownerId ? [] : ["owner"]),
    ...(app.name === existing.name ? [] : ["name"]),
    ...(app.redirect_uris.join(" ") === existing.redirectUris.join(" ") ? [] : ["redirect_uris"])
  ]
  return differ.length === 0 ? [] : [`differs here and stays so: ${differ.join(", ")}`]
}
