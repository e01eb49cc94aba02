import type { Client, ClientChange } from "./Client.ts"

/** What users and the server rely on; a change of it is reviewed. */
export type Version = Pick<ClientChange, "name" | "website" | "logoUrl" | "redirectUris" | "scopes">

/** One field in which two versions differ. */
export interface Difference {
  readonly field: keyof Version
  readonly removed: ReadonlyArray<string>
  readonly added: ReadonlyArray<string>
}

/** What a reviewer has to look at: the fields in which `to` differs from `from`. */
export const differences = (from: Version, to: Version): ReadonlyArray<Difference> =>
  fields.flatMap((field) => {
    const [before, after] = [values(from[field]), values(to[field])]
    const removed = before.filter((value) => !after.includes(value))
    const added = after.filter((value) => !before.includes(value))
    return removed.length + added.length > 0 ? [{ field, removed, added }] : []
  })

/** The differences as the audit trail keeps them: `-old +new` by field. */
export const summary = (from: Version, to: Version): Record<string, string> =>
  Object.fromEntries(
    differences(from, to).map(({ added, field, removed }) => [
      field,
      [...removed.map((value) => `-${value}`), ...added.map((value) => `+${value}`)].join(" ")
    ])
  )

export const versionOf = ({ logoUrl, name, redirectUris, scopes, website }: Client | ClientChange): Version => ({
  name,
  website,
  logoUrl,
  redirectUris,
  scopes
})

const fields = ["name", "website", "logoUrl", "redirectUris", "scopes"] as const

const values = (value: string | null | ReadonlyArray<string>): ReadonlyArray<string> =>
  value === null ? [] : typeof value === "string" ? [value] : value
