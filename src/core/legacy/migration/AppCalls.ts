import { DateTime, Effect } from "effect"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { ClientId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import type { ScopeUse } from "../../clients/life/LegacyUsage.ts"
import { legacyNeed, type Need, unknownNeed, waysOf } from "../../usage/Need.ts"
import { UsageReports } from "../../usage/UsageReports.ts"
import { type ClientUse, type Coverage, isComplete, isRefusal } from "../../usage/Use.ts"
import type { Blindness } from "./Blindness.ts"
import { type RefusedCall, refusedIn } from "./RefusedCall.ts"

/** Calls of an app within the days of an audit, whatever scopes its tokens had. */
export interface AppCalls {
  /** Beginning of the days that are counted. */
  readonly since: DateTime.Utc
  /** `null` where every call was seen for as long as an app is observed. */
  readonly blindness: Blindness | null
  /** Calls that were allowed, by what they needed; what is not known is not among them. */
  readonly needs: ReadonlyMap<Need, number>
  readonly refused: ReadonlyArray<RefusedCall>
}

/** Makes what reads the calls of apps; of many at once the last minutes may be missing. */
export const make = Effect.gen(function*() {
  const { isScope } = yield* Catalogue
  const { migrationAuditDays, migrationObservation } = yield* AppConfig
  const reports = yield* UsageReports

  return Effect.fnUntraced(function*(ids: ReadonlyArray<ClientId>) {
    const now = yield* DateTime.now
    const coverage = yield* reports.coverage
    const since = DateTime.startOf(
      DateTime.max(DateTime.subtract(now, { days: migrationAuditDays }), coverage.keptSince),
      "day"
    )
    const ofAll = blindnessOf(coverage, DateTime.subtractDuration(now, migrationObservation))
    const uses = yield* reports.ofClients(ids, since)
    return new Map([...uses].map(([id, use]): readonly [ClientId, AppCalls] => {
      const needs = allowed(use)
      const isKnown = (need: Need) =>
        need !== unknownNeed && (need === legacyNeed || waysOf(need).flat().every(isScope))
      const blindness = ofAll ??
        (!use.isCurrent ? "late" : [...needs.keys()].every(isKnown) ? null : "introspection")
      return [id, {
        since,
        blindness,
        needs: new Map([...needs].filter(([need]) => isKnown(need))),
        refused: refusedIn(use)
      }]
    }))
  })
})

/** Calls that scopes cover, as what was seen of an app has them. */
export const scopesIn = (needs: AppCalls["needs"]): ReadonlyArray<ScopeUse> =>
  [...needs].flatMap(([need, calls]) => {
    const [first, ...others] = waysOf(need)
    const [scope, ...and] = first ?? []
    if (scope === undefined || need === legacyNeed) return []
    const or = others.flat()
    return [{ scope, requests: 0, calls, ...(and.length > 0 ? { and } : {}), ...(or.length > 0 ? { or } : {}) }]
  })

const blindnessOf = (coverage: Coverage, since: DateTime.Utc): Blindness | null =>
  !coverage.isCounting ? "off" : coverage.hasOffline ? "offline" : isComplete(coverage, since) ? null : "recent"

const allowed = ({ days }: ClientUse): ReadonlyMap<Need, number> => {
  const needs = new Map<Need, number>()
  for (const { calls, need, outcome } of days) {
    if (!isRefusal[outcome]) needs.set(need, (needs.get(need) ?? 0) + calls)
  }
  return needs
}
