import { type DateTime, Schema } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { Need, unknownNeed, usedBy } from "./Need.ts"

/**
 * What became of calls of an app: allowed by its scopes; allowed because nothing restricts its token (specification
 * §5.6); refused for want of a scope, or because no app may make the call; or seen by introspection alone, which does
 * not tell what the call was.
 */
export const Outcome = Schema.Literals([
  "allowed",
  "unrestricted",
  "insufficient_scope",
  "closed",
  "unlisted",
  "malformed",
  "introspected"
])
export type Outcome = typeof Outcome.Type

/** Calls that never used a right. */
export const isRefusal: Readonly<Record<Outcome, boolean>> = {
  allowed: false,
  unrestricted: false,
  introspected: false,
  insufficient_scope: true,
  closed: true,
  unlisted: true,
  malformed: true
}

/** Calls of one grant that needed the same. */
export const RightUse = Schema.Struct({
  need: Need,
  /** Calls within the weeks that are kept. */
  calls: Schema.Int,
  /** First and last call in the life of the grant, to within a minute. */
  firstAt: Schema.DateTimeUtcFromDate,
  lastAt: Schema.DateTimeUtcFromDate,
  /** Weeks with calls, each by its Monday in UTC, the oldest first. */
  weeks: Schema.Array(Schema.Struct({ week: Schema.DateTimeUtcFromDate, calls: Schema.Int }))
}).annotate({ identifier: "RightUse" })
export type RightUse = typeof RightUse.Type

/** What is known of the use of a grant. */
export interface GrantUse {
  /** Use by need, the latest first. Calls that are not known are among it, with an empty need. */
  readonly uses: ReadonlyArray<RightUse>
  /** Last call that was seen; `null` if none was. */
  readonly lastAt: DateTime.Utc | null
  /** False while more counts wait to be added up than a page reads: then nothing is called unused. */
  readonly isCurrent: boolean
}

/** From when on each call was seen. Before, and where tokens are verified offline, use may have been missed. */
export interface Coverage {
  /** Nothing was missed since; `null` where calls are not all seen now. */
  readonly completeSince: DateTime.Utc | null
  /** Beginning of the weeks whose counts are kept. */
  readonly keptSince: DateTime.Utc
  /** False where counting is switched off. */
  readonly isCounting: boolean
  /** True where the operator says that some servers verify tokens offline, whose calls nobody sees. */
  readonly hasOffline: boolean
}

/** Use of one right, as people read it. */
export interface HeldRight {
  readonly scope: ScopeName
  /** `unknown` where nothing was seen, but calls may have been missed. */
  readonly state: "used" | "unused" | "unknown"
  readonly calls: number
  readonly firstAt: DateTime.Utc | null
  readonly lastAt: DateTime.Utc | null
}

/** Tells if all calls since this instant were seen. */
export const isComplete = ({ completeSince }: Coverage, since: DateTime.Utc): boolean =>
  completeSince !== null && completeSince.epochMilliseconds <= since.epochMilliseconds

/**
 * Use of each right that a grant has, in their order. `since` is when it was given: a right is called unused only if no
 * call was missed from then on, and none was seen that may have used any right.
 */
export const rightsOf = (
  catalogue: Pick<Catalogue, "wider">,
  held: ReadonlyArray<ScopeName>,
  { isCurrent, uses }: GrantUse,
  { coverage, since }: { readonly coverage: Coverage; readonly since: DateTime.Utc }
): ReadonlyArray<HeldRight> => {
  const isBlind = !isCurrent || !isComplete(coverage, since) || uses.some(({ need }) => need === unknownNeed)
  const used = new Map<ScopeName, Pick<HeldRight, "calls"> & Pick<RightUse, "firstAt" | "lastAt">>()
  for (const { calls, firstAt, lastAt, need } of uses) {
    for (const scope of usedBy(catalogue, held, need)) {
      const known = used.get(scope)
      used.set(scope, {
        calls: calls + (known?.calls ?? 0),
        firstAt: known === undefined || firstAt.epochMilliseconds < known.firstAt.epochMilliseconds
          ? firstAt
          : known.firstAt,
        lastAt: known === undefined || lastAt.epochMilliseconds > known.lastAt.epochMilliseconds ? lastAt : known.lastAt
      })
    }
  }
  return held.map((scope): HeldRight => {
    const use = used.get(scope)
    return use === undefined
      ? { scope, state: isBlind ? "unknown" : "unused", calls: 0, firstAt: null, lastAt: null }
      : { scope, state: "used", ...use }
  })
}

/** Calls of a client on one day that needed the same and came to the same. */
export interface ClientCalls {
  /** Day in UTC, as `2026-11-27`. */
  readonly day: string
  readonly need: Need
  readonly outcome: Outcome
  readonly calls: number
}

/** Calls of one operation within the days asked about. */
export interface OperationCalls {
  /** Method and path as they are listed. */
  readonly operation: string
  readonly outcome: Outcome
  readonly calls: number
  /** Day of the last one in UTC, as `2026-11-27`. */
  readonly lastDay: string
}

/** Use that is made of an app, by its calls. */
export interface ClientUse {
  /** Calls by day, the oldest first. */
  readonly days: ReadonlyArray<ClientCalls>
  /** Most called operations first. */
  readonly operations: ReadonlyArray<OperationCalls>
  /** False while more counts wait to be added up than a page reads. */
  readonly isCurrent: boolean
}

/** Weeks for which calls were seen before any scope of an app is called unused. */
export const leastWeeks = 4

/** Scopes that an app holds and nobody used, if that is known. */
export interface UnusedScopes {
  readonly scopes: ReadonlyArray<ScopeName>
  /** From when on no call with them was seen. */
  readonly since: DateTime.Utc
}

/** Scopes that an app holds, and since when it has held all of them. */
export interface HeldScopes {
  readonly clientId: ClientId
  readonly scopes: ReadonlyArray<ScopeName>
  readonly since: DateTime.Utc
}

/** An app, and scopes of it that nobody used. */
export interface AppWithUnused {
  readonly clientId: ClientId
  readonly unused: ReadonlyArray<ScopeName>
  /** From when on no call with them was seen. */
  readonly since: DateTime.Utc
}

/** Page of such apps. Those of which calls were seen meanwhile are left out of it, and counted. */
export interface UnusedPage {
  readonly apps: ReadonlyArray<AppWithUnused>
  /** False while more counts of these apps wait to be added up than a page reads: then some are left out. */
  readonly isCurrent: boolean
  readonly total: number
  readonly page: number
  readonly pages: number
}

/** Number of users whose calls needed something, within the weeks that are kept. */
export interface NeedUsers {
  readonly users: ReadonlyMap<Need, number>
  /** False if there are more grants than are counted (`mostCounted`): then the numbers are the least. */
  readonly isComplete: boolean
}

/** Use of one grant of a client, for a rehearsal of other scopes. */
export interface UsedGrant extends GrantUse {
  readonly grantId: GrantId
  readonly userId: UserId
}
