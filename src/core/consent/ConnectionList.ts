import { DateTime, Duration, Order } from "effect"
import type { Judgement } from "../../domain/catalogue/Judgement.ts"
import { fold } from "../../domain/names/Skeleton.ts"
import type { Client } from "../clients/records/Client.ts"
import type { GrantSum } from "../grants/GrantSums.ts"
import type { ConnectionUse } from "./ConnectionUse.ts"

/** Connected app of a list, before anybody knows its name. */
export interface Listed extends GrantSum {
  readonly judgement: Judgement
}

/** Same with what is known of its use. */
export interface ListedUse extends Listed {
  readonly use: ConnectionUse
}

/** Apps that a list shows. */
export const filters = ["all", "changes", "everyone", "unused", "legacy"] as const
export type Filter = typeof filters[number]

/** Orders of a list. */
export const sorts = ["risk", "used", "unused", "name"] as const
export type Sort = typeof sorts[number]

/** A list as somebody wants it. */
export interface ListWish {
  /** Part of a name, or beginning of the host of a website. */
  readonly search: string
  readonly show: Filter
  readonly sort: Sort
  /** From 1; the last page for a number beyond it. */
  readonly page: number
}

/** Apps of a page, which is also how many can be ended at once. */
export const pageSize = 50

/**
 * Time without tokens after which an app counts as unused: half of the time after which its access ends by itself, six
 * months at most.
 */
export const unusedAfter = (grantIdleLifetime: Duration.Duration): Duration.Duration =>
  Duration.min(Duration.days(180), Duration.times(grantIdleLifetime, 0.5))

/** Instant before which an app has to have been used last for it to be one of the unused that are ended at once. */
export const sixMonthsBefore = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, { months: 6 })

/** Tells if each call since this instant was seen, and none was made. */
export const isUnusedSince = (since: DateTime.Utc) => ({ use: { quietSince } }: Pick<ListedUse, "use">): boolean =>
  quietSince !== null && DateTime.isLessThanOrEqualTo(quietSince, since)

/**
 * Tests for each filter if it shows an app. One counts as unused that has got no tokens since `unusedSince`, without
 * which there are no calls, or of which each call since was seen, and none was made.
 */
export const shownBy = (
  unusedSince: DateTime.Utc
): Readonly<Record<Filter, (app: ListedUse) => boolean>> => ({
  all: () => true,
  changes: ({ judgement }) => judgement.verbs.changes,
  everyone: ({ judgement }) => judgement.reach?.everyone === true,
  unused: (app) => DateTime.isLessThan(app.quietSince, unusedSince) || isUnusedSince(unusedSince)(app),
  legacy: ({ judgement }) => judgement.everything
})

/** Tells if a list is made by the names of apps. */
export const isByName = ({ search, sort }: ListWish): boolean => search !== "" || sort === "name"

/** Tests whether an app is what somebody looks for; case and accents do not count. */
export const isFoundBy = ({ search }: ListWish) => {
  const wanted = plain(search)
  return ({ name, website }: Pick<Client, "name" | "website">): boolean =>
    plain(name).includes(wanted) || URL.canParse(website) && new URL(website).host.startsWith(wanted)
}

const plain = (text: string): string => fold(text).replaceAll(/\p{M}/gu, "").trim()

/** Order of a list, whose names are these if it is made by them. */
export const orderOf = ({ sort }: ListWish, names: ReadonlyMap<string, Client> = new Map()): Order.Order<ListedUse> =>
  sort === "risk"
    ? byRisk
    : sort === "used"
    ? byUse
    : sort === "unused"
    ? byUnused
    : Order.mapInput(alphabetic, ({ clientId }) => names.get(clientId)?.name ?? "")

const alphabetic: Order.Order<string> = Order.make((a, b) => {
  const order = collator.compare(a, b)
  return order < 0 ? -1 : order > 0 ? 1 : 0
})

// Order of no language in particular, close to the one of most.
const collator = new Intl.Collator("und", { numeric: true })

export const byName: Order.Order<{ readonly client: Client }> = Order.mapInput(alphabetic, ({ client }) => client.name)

/** The last used first; those that were never used here come last, as they got tokens. */
const byUse: Order.Order<ListedUse> = Order.flip(Order.combineAll([
  Order.mapInput(
    Order.Number,
    ({ use: { last } }: ListedUse) => last.at === null ? -1 : DateTime.toEpochMillis(last.at)
  ),
  Order.mapInput(DateTime.Order, ({ quietSince }: ListedUse) => quietSince)
]))

/** The riskiest first, and of one risk those that reach everyone; else as they were used. */
const byRisk: Order.Order<ListedUse> = Order.combineAll([
  Order.flip(Order.mapInput(Order.Number, ({ judgement }: ListedUse) => judgement.risk)),
  Order.flip(Order.mapInput(Order.Boolean, ({ judgement }: ListedUse) => judgement.everything)),
  Order.flip(Order.mapInput(Order.Boolean, ({ judgement }: ListedUse) => judgement.reach?.everyone === true)),
  byUse
])

/** Number of rights that were never used, as far as that is known. */
export const unusedRights = ({ use: { rights } }: Pick<ListedUse, "use">): number =>
  rights.reduce((sum, { state }) => state === "unused" ? sum + 1 : sum, 0)

/** Those first that have the most rights that they never used. */
const byUnused: Order.Order<ListedUse> = Order.combine(Order.flip(Order.mapInput(Order.Number, unusedRights)), byRisk)
