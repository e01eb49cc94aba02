import { Array, Effect } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { grantList, type ListedGrant } from "../grants/GrantList.ts"
import type { GrantSum } from "../grants/GrantSums.ts"
import { UsageReports } from "../usage/UsageReports.ts"
import type { GrantUse } from "../usage/Use.ts"
import { type ConnectionUse, connectionUse, type LastUse } from "./ConnectionUse.ts"

/** Reads what the apps of a user use their rights for. */
export const connectionUses = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const reports = yield* UsageReports
  const listGrants = yield* grantList

  /** Judges the use of apps by these grants. */
  const judged = Effect.fnUntraced(function*(grants: ReadonlyArray<ListedGrant>) {
    const coverage = yield* reports.coverage
    const uses = new Map<string, GrantUse>()
    for (const some of Array.chunksOf(grants, grantsAtOnce)) {
      for (const [id, use] of yield* reports.ofGrants(some.map(({ id }) => id))) uses.set(id, use)
    }
    const byApp = Map.groupBy(grants, ({ clientId }) => clientId)
    const rules = { covers: catalogue.covers, wider: catalogue.wider, rights: kept(catalogue.rights) }
    return {
      coverage,
      lastUseOf: (grant: ListedGrant): LastUse => connectionUse(rules, [grant], { coverage, uses, isWhole: true }).last,
      grantsOf: ({ clientId }: Pick<GrantSum, "clientId">) => byApp.get(clientId) ?? [],
      useOf: ({ clientId, grants }: Pick<GrantSum, "clientId" | "grants">): ConnectionUse => {
        const listed = byApp.get(clientId) ?? []
        return connectionUse(rules, listed, { coverage, uses, isWhole: listed.length >= grants })
      }
    }
  })

  return {
    judged,
    /** Same of all apps of a user; those of more grants than are listed count as apps of which not all is known. */
    ofUser: Effect.fn("ConnectionUses.ofUser")((userId: UserId) => Effect.flatMap(listGrants(userId), judged))
  }
})

type Rights = (scopes: Iterable<ScopeName>) => ReadonlyArray<ScopeName>

/** As many as `UsageReports` finds without reading the counts of everybody's grants of the same time. */
const grantsAtOnce = 100

/** Of a thousand grants most have the same scopes as another. */
const kept = (rights: Rights): Rights => {
  const known = new Map<string, ReadonlyArray<ScopeName>>()
  return (scopes) => {
    const listed = [...scopes]
    const key = listed.join(" ")
    const found = known.get(key) ?? rights(listed)
    known.set(key, found)
    return found
  }
}
