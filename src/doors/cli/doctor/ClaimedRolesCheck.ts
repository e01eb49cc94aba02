import { Effect, Option } from "effect"
import { ClaimedRoles } from "../../../core/accounts/people/ClaimedRoles.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import type { Check, Finding } from "../../../foundation/operator/Readiness.ts"

/**
 * Counts the accounts whose role a claim has given, where claims give roles, and the keys of theirs that have no end.
 */
export const claimedRolesCheck: Effect.Effect<ReadonlyArray<Check<"claimed-roles">>, never, AppConfig | ClaimedRoles> =
  Effect
    .gen(function*() {
      const { administratorClaim, reviewerClaim } = yield* AppConfig
      const roles = yield* ClaimedRoles
      if (Option.isNone(administratorClaim) && Option.isNone(reviewerClaim)) return []
      const probe = Effect.map(roles.count, ({ accounts, endlessKeys, lapsed }): Finding => ({
        status: endlessKeys === 0 ? "ok" : "degraded",
        detail: `Accounts with a role by a claim: ${accounts}, of which ${lapsed} have lost it until they sign in. ` +
          `Their API keys without an end: ${endlessKeys}.`
      }))
      return [{ name: "claimed-roles", probe, otherwise: "degraded" }]
    })
