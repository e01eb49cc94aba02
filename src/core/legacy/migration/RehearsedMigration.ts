import { type DateTime, Effect } from "effect"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { ClientId, GrantId, UserId } from "../../../domain/Ids.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { satisfies, unknownNeed } from "../../usage/Need.ts"
import { UsageReports } from "../../usage/UsageReports.ts"
import type { UsedGrant } from "../../usage/Use.ts"
import type { AppCalls } from "./AppCalls.ts"
import type { Rehearsal, RehearsedCalls } from "./Rehearsal.ts"

/** Rehearses a migration by the calls that were counted. It changes nothing. */
export const rehearse = (
  catalogue: Pick<Catalogue, "covers">,
  { needs }: Pick<AppCalls, "needs">,
  scopes: ReadonlyArray<ScopeName>
): RehearsedCalls => {
  const sum = (some: ReadonlyArray<readonly [string, number]>) => some.reduce((total, [, calls]) => total + calls, 0)
  return {
    scopes,
    calls: sum([...needs]),
    refusedCalls: sum([...needs].filter(([need]) => !satisfies(catalogue, scopes, need)))
  }
}

/** Grants whose use a page looks at, which takes longer than to count them. */
const mostRehearsed = 3_000

/** Makes what rehearses the migration of one app, and finds the users whose calls would have been refused. */
export const make = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const reports = yield* UsageReports

  /** Users with such calls since an instant, by the live grants of the app. */
  const usersOf = Effect.fnUntraced(function*(id: ClientId, since: DateTime.Utc, scopes: ReadonlyArray<ScopeName>) {
    const users = new Set<UserId>()
    let isCurrent = true
    let after: GrantId | null = null
    for (let seen = 0; seen < mostRehearsed;) {
      const grants: ReadonlyArray<UsedGrant> = yield* reports.grantsOf(id, after)
      const last: UsedGrant | undefined = grants.at(-1)
      if (last === undefined) return { refusedUsers: users.size, isComplete: isCurrent }
      for (const { userId, uses, ...grant } of grants) {
        isCurrent &&= grant.isCurrent
        const isRefused = uses.some(({ lastAt, need }) =>
          need !== unknownNeed && lastAt.epochMilliseconds >= since.epochMilliseconds &&
          !satisfies(catalogue, scopes, need)
        )
        if (isRefused) users.add(userId)
      }
      after = last.grantId
      seen += grants.length
    }
    return { refusedUsers: users.size, isComplete: false }
  })

  return Effect.fnUntraced(function*(id: ClientId, calls: AppCalls, scopes: ReadonlyArray<ScopeName>) {
    const rehearsed = rehearse(catalogue, calls, scopes)
    const users = rehearsed.refusedCalls === 0
      ? { refusedUsers: 0, isComplete: true }
      : yield* usersOf(id, calls.since, scopes)
    return { ...rehearsed, ...users } satisfies Rehearsal
  })
})
