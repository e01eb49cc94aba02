import { Array, Duration, Effect, Order } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ClientId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import type { ManagedClient } from "../clients/records/Client.ts"
import { scopesHeldSince } from "../clients/records/HeldSince.ts"
import type { AskedNumbers, AskedUse } from "./AskedUse.ts"
import { mayHaveUsed } from "./Need.ts"
import { UsageReports } from "./UsageReports.ts"
import { type ClientUse, type HeldScopes, isRefusal, type UnusedScopes } from "./Use.ts"

/** Holds what apps ask for against what they use, for those who decide about it. */
export const askedUse = Effect.gen(function*() {
  const reports = yield* UsageReports
  const catalogue = yield* Catalogue
  const { usageLifetime } = yield* AppConfig
  const keptDays = Math.ceil(Duration.toDays(usageLifetime)) + 1

  /** `null` of an app that nothing restricts, and of one that holds nothing yet. */
  const of = Effect.fn("AskedUse.of")(function*(client: ManagedClient) {
    const asked = askedBy(client)
    if (asked === null) return null
    const use = yield* reports.ofClient(client.id, keptDays)
    const { clientId, scopes, since } = heldBy(client)
    return partsOf(catalogue, {
      asked,
      held: scopes,
      use,
      unused: yield* reports.unusedScopes(clientId, scopes, since)
    })
  })

  /** Numbers for the changes among these that wait, in one statement. */
  const numbers = Effect.fn("AskedUse.numbers")(function*(clients: ReadonlyArray<ManagedClient>) {
    const changed = clients.filter(({ change }) => change?.isWaiting === true)
    const unused = changed.length === 0
      ? new Map<ClientId, UnusedScopes | null>()
      : yield* reports.unusedScopesOf(changed.map(heldBy))
    return new Map(changed.flatMap((client): ReadonlyArray<readonly [ClientId, AskedNumbers]> => {
      const asked = askedBy(client)
      const known = unused.get(client.id) ?? null
      if (asked === null || known === null) return []
      const used = asked.filter((scope) => client.scopes.includes(scope) && !known.scopes.includes(scope))
      return [[client.id, { asked: asked.length, used: used.length }]]
    }))
  })

  return { of, numbers }
})

const heldBy = (client: ManagedClient): HeldScopes => ({
  clientId: client.id,
  scopes: client.scopes,
  since: scopesHeldSince(client)
})

const askedBy = ({ change, legacy, scopes, status }: ManagedClient): ReadonlyArray<ScopeName> | null =>
  legacy || status === "pending" || status === "rejected" ? null : change?.isWaiting === true ? change.scopes : scopes

const partsOf = (
  catalogue: Catalogue,
  { asked, held, unused, use }: {
    readonly asked: ReadonlyArray<ScopeName>
    readonly held: ReadonlyArray<ScopeName>
    readonly unused: UnusedScopes | null
    readonly use: ClientUse
  }
): AskedUse => {
  const calls = new Map<ScopeName, number>()
  for (const { calls: some, need, outcome } of use.days) {
    if (isRefusal[outcome]) continue
    for (const scope of mayHaveUsed(catalogue, held, need)) calls.set(scope, (calls.get(scope) ?? 0) + some)
  }
  const kept = asked.filter((scope) => held.includes(scope))
  const isUnused = (scope: ScopeName) => unused?.scopes.includes(scope) === true
  const isUsed = (scope: ScopeName) => unused === null ? calls.has(scope) : !isUnused(scope)
  const worstFirst = Array.sort(Order.flip(catalogue.byRisk))
  return {
    asked: asked.length,
    used: kept.filter(isUsed).map((scope) => ({ scope, calls: calls.get(scope) ?? 0 })).toSorted((a, b) =>
      b.calls - a.calls
    ),
    unused: worstFirst(kept.filter(isUnused)),
    since: unused?.since ?? null,
    unknown: worstFirst(kept.filter((scope) => !isUsed(scope) && !isUnused(scope))),
    added: worstFirst(asked.filter((scope) => !held.includes(scope)))
  }
}
