import { Option, Schema } from "effect"
import type { ChosenApp } from "../../core/clients/review/ChosenApps.ts"
import { type QueueState, QueueWish } from "../../core/clients/review/QueueState.ts"
import type { Parameters } from "../../domain/Parameters.ts"

// Addresses of the review queue. What a reviewer looks for stands in them, so that the list is the same after a reload
// or a step back.

export const queuePath = "/review"
export const chosenPath = "/review/chosen"
export const claimPath = "/review/chosen/claim"

/** List that somebody asks for. */
export interface Asked extends QueueWish {
  readonly state: QueueState
  readonly search: string
}

/** List that a query asks for; what it says wrong counts as not said. */
export const askedIn = (query: Parameters): Asked => {
  const said = <A>(name: keyof QueueWish, schema: Schema.Decoder<A>) =>
    Option.getOrUndefined(Schema.decodeUnknownOption(schema)(query.get(name)))
  return {
    state: said("state", QueueWish.state) ?? "waiting",
    search: (query.get("search") ?? "").slice(0, longestSearch),
    risk: said("risk", QueueWish.risk),
    area: said("area", QueueWish.area),
    claimed: said("claimed", QueueWish.claimed),
    sort: said("sort", QueueWish.sort)
  }
}

export const longestSearch = 200

/** Same list, from its first page on, unless it names another. */
export const queueAddress = (
  { area, claimed, risk, search, sort, state }: Asked,
  change: Partial<Asked> & { readonly page?: number } = {}
): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ state, search, risk, area, claimed, sort, ...change })) {
    if (value !== undefined && value !== "" && !(name === "page" && value === 1)) query.set(name, String(value))
  }
  return `${queuePath}?${query}`
}

/** Tells if more is left out than the state leaves out. */
export const isNarrowed = ({ area, claimed, risk, search }: Asked): boolean =>
  search.trim() !== "" || [area, claimed, risk].some((one) => one !== undefined)

/** Name of the box of an app: a repeated field is refused, so each has one of its own. */
export const boxOf = (id: string): string => `${boxMark}${id}`

/** Apps that somebody chose by their boxes, in the versions that the list showed. */
export const chosenIn = (fields: Parameters): ReadonlyArray<ChosenApp> =>
  [...fields].flatMap(([name, value]) =>
    name.startsWith(boxMark) ? [{ id: name.slice(boxMark.length), version: Number(value) }] : []
  )

const boxMark = "app:"
