import { Result } from "effect"
import type { CatalogueFile } from "../../../../src/domain/catalogue/file/CatalogueFile.ts"
import { check } from "../../../../src/domain/catalogue/file/CatalogueRules.ts"

/** A catalogue of another platform, with two levels and an implication. */
export const small = {
  format: 1,
  api: { name: "The Orbit CRM API", account: "your CRM workspace", everything: "your contacts and deals" },
  levels: [
    { id: "own", title: "You" },
    { id: "workspace", title: "Your workspace", parameter: "workspaceId", reviewAlways: true, everyone: true }
  ],
  scopes: [
    { name: "account.read", level: "own", access: "read", title: "See who you are", covers: "Reads your name." },
    { name: "contacts.read", level: "own", access: "read", title: "See contacts", covers: "Lists your contacts." },
    {
      name: "contacts.write",
      level: "own",
      access: "write",
      implies: ["contacts.read"],
      title: "Change contacts",
      covers: "Changes your contacts."
    },
    {
      name: "members",
      level: "workspace",
      access: "write",
      removes: true,
      title: "Manage people",
      covers: "Adds people."
    }
  ],
  profile: { scope: "account.read" },
  samples: { demo: ["account.read", "contacts.read"], tests: ["account.read"] },
  operations: [
    { method: "GET", path: "/api/account", access: "scope", scope: "account.read" },
    { method: "GET", path: "/api/contacts", access: "scope", scope: "contacts.read" },
    { method: "PUT", path: "/api/contacts/{id}", access: "scope", scope: "contacts.write" },
    { method: "POST", path: "/api/workspaces/{workspaceId}/members", access: "scope", scope: "members" },
    { method: "GET", path: "/api/status", access: "public" }
  ]
} as const satisfies CatalogueFile

/** The small catalogue with other values at some places, such as `scopes.0.name`; `undefined` takes one away. */
export const changed = (values: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(values).reduce<unknown>((file, [place, value]) => replaced(file, place.split("."), value), small)

const replaced = (within: unknown, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  if (Array.isArray(within)) {
    const items: Array<unknown> = [...within]
    items[Number(key)] = rest.length === 0 ? value : replaced(items[Number(key)], rest, value)
    return items
  }
  const fields = new Map(Object.entries(typeof within === "object" && within !== null ? within : {}))
  if (rest.length > 0) fields.set(key, replaced(fields.get(key), rest, value))
  else if (value === undefined) fields.delete(key)
  else fields.set(key, value)
  return Object.fromEntries(fields)
}

/** What is wrong with the small catalogue so changed, as `place: problem`; warnings begin with that word. */
export const problemsOf = (values: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const checked = check(changed(values))
  return Result.isFailure(checked)
    ? checked.failure.map(({ place, problem }) => `${place}: ${problem}`)
    : checked.success.warnings.map(({ place, problem }) => `warning: ${place}: ${problem}`)
}

/** Values of a catalogue that have no parts, by their places. */
export const leavesOf = (
  value: unknown,
  place: ReadonlyArray<string> = []
): ReadonlyArray<readonly [place: string, value: unknown]> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...place, key]))
    : [[place.join("."), value]]
