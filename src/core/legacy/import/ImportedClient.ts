import { DateTime } from "effect"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import { Client } from "../../clients/Client.ts"
import { misfits } from "../../clients/RedirectUri.ts"
import type { ImportedApp, ImportRecord } from "./ImportRecord.ts"

/** Accounts by e-mail address in lower case, and by id. */
export type People = ReadonlyMap<string, UserId>

export const personOf = (name: string, people: People): UserId | undefined =>
  people.get(name) ?? people.get(name.toLowerCase())

/** Why a record makes no app. */
export const misplaced = (app: ImportedApp, record: ImportRecord, people: People): ReadonlyArray<string> => {
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

/** The app as it begins its life here: in use, and without scopes. */
export const clientOf = (
  id: ClientId,
  app: ImportedApp,
  record: ImportRecord,
  people: People,
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
export const differences = (app: ImportedApp, here: Client, people: People): ReadonlyArray<string> => {
  const differ = [
    ...(personOf(app.owner, people) === here.ownerId ? [] : ["owner"]),
    ...(app.name === here.name ? [] : ["name"]),
    ...(app.redirect_uris.join(" ") === here.redirectUris.join(" ") ? [] : ["redirect_uris"])
  ]
  return differ.length === 0 ? [] : [`differs here and stays so: ${differ.join(", ")}`]
}
