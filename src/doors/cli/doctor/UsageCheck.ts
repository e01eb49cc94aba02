import { Effect } from "effect"
import { usageState } from "../../../core/usage/UsageState.ts"
import { degraded, ok } from "../../../foundation/operator/Readiness.ts"

/** Looks whether calls are counted, and whether the counts are added up. */
export const usageCheck = {
  name: "usage",
  probe: Effect.map(Effect.orDie(usageState), ({ lately, missedDays, oldestWaiting }) => {
    const hours = Math.floor(oldestWaiting / 3600)
    if (hours >= mostHours) {
      return degraded(
        `Counts of calls have waited for ${hours} hours to be added up.`,
        "See that a worker runs, and what its log says of sweeps (docs/operations/alerts/SlotkeyUsageLate.md)."
      )
    }
    if (lately !== null) return degraded(`Calls were not counted: ${causes[lately]}. ${meaning}`, remedies[lately])
    return ok(
      missedDays === 0 ? "No call was missed." : `Days on which calls were not counted: ${missedDays}. ${meaning}`
    )
  }),
  otherwise: "degraded"
} as const

/** As SlotkeyUsageLate in rules.yml. A large server takes up to 17 (docs/operations/capacity.md). */
const mostHours = 24

const meaning = "Nothing is called unused that may have been used then."

const causes = {
  overflow: "a server had more different ones than USAGE_CELLS",
  dropped: "a resource server could not send its counts for an hour"
} as const

const remedies = {
  overflow: "Raise USAGE_CELLS (docs/operations/alerts/SlotkeyUsageMissed.md).",
  dropped: "See that resource servers reach this server, and that their credential is the right one (docs/usage.md)."
} as const
