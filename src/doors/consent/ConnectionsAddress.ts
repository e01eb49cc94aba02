import { hash } from "node:crypto"
import { filters, type ListWish, sorts } from "../../core/consent/ConnectionList.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { pageIn } from "../../foundation/web/Pager.ts"
import { connectionPath } from "../parts/Paths.ts"

// Addresses of the pages of connected apps. What somebody looks for stands in them, so that the list is the same again
// after an end of access, a step back or a reload.

export const connectionsPath = "/connections"
export const disconnectPath = "/connections/disconnect"
export const unusedPath = "/connections/unused"
export const shortenPath = (clientId: string): string => `${connectionPath(clientId)}/end`

/** List that a query or a form asks for; the usual one where it says nothing. */
export const wishIn = (fields: Parameters): ListWish => ({
  search: (fields.get("search") ?? "").trim().slice(0, longestSearch),
  show: filters.find((filter) => filter === fields.get("show")) ?? usual.show,
  sort: sorts.find((sort) => sort === fields.get("sort")) ?? usual.sort,
  page: pageIn(fields)
})

export const usual: ListWish = { search: "", show: "all", sort: "risk", page: 1 }
export const longestSearch = 100

/** Same list, from its first page on, unless it names another. */
export const listPath = (wish: ListWish, change: Partial<ListWish> = {}): string =>
  withQuery(connectionsPath, stateOf({ ...wish, page: 1, ...change }))

/** Question whether the access of this app is to end, and the list to go back to. */
export const disconnectOnePath = (clientId: string, wish: ListWish): string =>
  withQuery(disconnectPath, [["client_id", clientId], ...stateOf(wish)])

/** Same about all apps on the page. */
export const disconnectAllPath = (wish: ListWish): string =>
  withQuery(disconnectPath, [["all", "on"], ...stateOf(wish)])

export const disconnectDevicePath = (clientId: string, grantId: string): string =>
  withQuery(disconnectPath, [["client_id", clientId], ["grant", grantId]])

/** What the address of a list says beyond the usual one. */
export const stateOf = (wish: ListWish): ReadonlyArray<readonly [name: string, value: string]> =>
  (["search", "show", "sort", "page"] as const).flatMap((name) =>
    wish[name] === usual[name] ? [] : [[name, String(wish[name])] as const]
  )

export const hiddenState = (wish: ListWish): ReadonlyArray<Html> =>
  stateOf(wish).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/** Name of the checkbox of an app: a repeated field is refused, so each has one of its own. */
export const boxOf = (clientId: string): string => `app:${clientId}`

/** Field that names apps in short: the ids of a thousand would be larger than a form may be. */
export const marksOf = (apps: ReadonlyArray<{ readonly clientId: string }>): string =>
  apps.map(({ clientId }) => markOf(clientId)).join(".")

/** Apps that such a field names. */
export const marksIn = (field: string): { readonly apps: number; has(clientId: string): boolean } => {
  const marks = new Set(field.split(".").filter((mark) => mark !== ""))
  return { apps: marks.size, has: (clientId) => marks.has(markOf(clientId)) }
}

const markOf = (clientId: string): string => hash("sha256", clientId, "base64url").slice(0, 12)

/** Apps that somebody chose, by their boxes or by the link of one. */
export const chosenIn = (fields: Parameters): ReadonlyArray<string> => [
  ...[...fields.keys()].flatMap((name) => name.startsWith("app:") ? [name.slice("app:".length)] : []),
  ...[fields.get("client_id") ?? []].flat()
]

const withQuery = (path: string, query: ReadonlyArray<readonly [string, string]>): string =>
  query.length === 0 ? path : `${path}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`
