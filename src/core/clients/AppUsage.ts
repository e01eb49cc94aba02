import { DateTime, Duration, Effect } from "effect"
import { Conflict } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { unknownNeed } from "../usage/Need.ts"
import { UsageReports } from "../usage/UsageReports.ts"
import { type ClientUse, type Coverage, isRefusal, leastWeeks } from "../usage/Use.ts"
import type { AppCalls, Unknown, Unused } from "./AppCalls.ts"
import { ClientRegistry } from "./life/ClientRegistry.ts"
import type { ManagedClient } from "./records/Client.ts"
import { scopesHeldSince } from "./records/HeldSince.ts"
import { requiredOf } from "./records/OptionalScopes.ts"

/** What the owner of an app sees on the page from which scopes are dropped. */
export interface Seen {
  readonly scopes: ReadonlyArray<string>
  /** Version of the app that the page was about. */
  readonly version?: number | undefined
}

/**
 * Makes what tells the people of an app what its scopes are used for, and drops those that nobody uses. Users are
 * numbers here.
 */
export const appUsage = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const clock = yield* DatabaseClock
  const registry = yield* ClientRegistry
  const reports = yield* UsageReports
  const { usageLifetime } = yield* AppConfig

  /** Days that are shown, today among them: at most 13 weeks, and no more than are kept. */
  const length = Math.max(1, Math.min(mostDays, Math.floor(Duration.toDays(usageLifetime))))

  /** Scopes of an app that nobody uses, or why that is not known. Nothing is asked of one that cannot be used. */
  const unusedOf = Effect.fnUntraced(function*(client: ManagedClient, coverage: Coverage, use: ClientUse) {
    if (client.status !== "approved" || client.legacy || client.isTestApp) return { unused: null, unknown: null }
    const since = scopesHeldSince(client)
    // Those of another catalogue are nobody's to drop: an edit keeps them.
    const held = client.scopes.filter((scope) => catalogue.isScope(scope))
    const found = yield* reports.unusedScopes(client.id, held, since)
    if (found === null) return { unused: null, unknown: unknownBecause(coverage, use, since, yield* clock.now) }
    const unused: Unused = { ...found, droppable: droppableOf(client, found.scopes) }
    return { unused, unknown: null }
  })

  const of = Effect.fn("AppUsage.of")(function*(client: ManagedClient) {
    const coverage = yield* reports.coverage
    const use = yield* reports.ofClient(client.id, length)
    const { isComplete, users } = yield* reports.users(client.id)
    const until = yield* clock.now
    return {
      coverage,
      from: DateTime.formatIsoDateUtc(DateTime.subtract(until, { days: length - 1 })),
      to: DateTime.formatIsoDateUtc(until),
      ...use,
      users: [...users].map(([need, users]) => ({ need, users })),
      areUsersComplete: isComplete,
      ...(yield* unusedOf(client, coverage, use))
    } satisfies AppCalls
  })

  /**
   * Drops those of the scopes that were seen as unused which still are, and tells them. It is an edit as any other: who
   * has given one keeps what they gave, and a newer version of the app is left as it is.
   */
  const drop = Effect.fn("AppUsage.drop")(function*(owner: UserId, id: string, { scopes, version }: Seen) {
    const client = yield* registry.getOwned(owner, id)
    const coverage = yield* reports.coverage
    const { unused } = yield* unusedOf(client, coverage, yield* reports.ofClient(client.id, length))
    if (unused === null) return yield* unknownUse
    const dropped = unused.droppable.filter((scope) => scopes.includes(scope))
    if (dropped.length === 0) return yield* stillUsed
    // What waits for review goes on waiting, without them.
    const { scopes: wanted } = client.change?.isWaiting ? client.change : client
    const edited = yield* registry.edit(owner, id, {
      scopes: wanted.filter((scope) => !dropped.includes(scope)),
      ...(version === undefined ? {} : { version })
    })
    return { client: edited, dropped, kept: client.scopes.filter((it) => scopes.includes(it) && !dropped.includes(it)) }
  })

  return { of, drop }
})

const mostDays = 91

/** All unused ones, but for those that are required where none would be left that is. */
const droppableOf = (client: ManagedClient, unused: ReadonlyArray<ScopeName>): ReadonlyArray<ScopeName> =>
  requiredOf(client).every((scope) => unused.includes(scope))
    ? unused.filter((scope) => client.optionalScopes.includes(scope))
    : unused

const unknownBecause = (
  { completeSince, hasOffline, isCounting, keptSince }: Coverage,
  { days, isCurrent }: ClientUse,
  held: DateTime.Utc,
  now: DateTime.Utc
): Unknown => {
  const because = (reason: Unknown["reason"], knownAt: DateTime.Utc | null = null): Unknown => ({ reason, knownAt })
  if (!isCounting) return because("off")
  if (hasOffline) return because("offline")
  if (completeSince === null) return because("missed")
  const since = DateTime.max(DateTime.max(completeSince, keptSince), held)
  const knownAt = DateTime.add(since, { weeks: leastWeeks })
  if (DateTime.isGreaterThan(knownAt, now)) return because("early", knownAt)
  if (!isCurrent) return because("behind")
  return days.some(({ need, outcome }) => need === unknownNeed && !isRefusal[outcome])
    ? because("introspected")
    : because("behind")
}

const unknownUse = new Conflict({
  code: "use_unknown",
  message: "It is not known which scopes of this app nobody uses, so none was dropped."
})

const stillUsed = new Conflict({
  code: "scopes_in_use",
  message: "These scopes were used since you looked, or the app has them no more. None was dropped."
})
