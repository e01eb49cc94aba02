import { Effect } from "effect"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { Risk } from "../../../domain/catalogue/file/ScopeRisk.ts"
import { judge } from "../../../domain/catalogue/Judgement.ts"
import type { GrantedScopes } from "../../../domain/scopes/Scope.ts"
import { GrantStore } from "../../grants/GrantStore.ts"
import type { Reviewer } from "../life/ClientCommands.ts"
import type { ManagedClient } from "../records/Client.ts"
import { reviewChecks } from "./ReviewChecks.ts"

/** What reviewers see of an app when they decide about it, as the trail keeps it: numbers and names of checks alone. */
export const shown = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const checksOf = yield* reviewChecks
  const grants = yield* GrantStore

  return Effect.fn("Shown.of")(function*(client: ManagedClient, reviewer: Reviewer) {
    const checks = yield* checksOf(client, reviewer)
    const { users } = yield* grants.usage(client.id)
    return {
      risk: riskOf(catalogue, client),
      checks: checks.map(({ cause }) => cause.check).join(" "),
      users
    }
  })
})

/** What a decision about an app is about: the scopes of the change of it that waits, else of the app. */
export const decidedScopes = ({ change, legacy, scopes }: ManagedClient): GrantedScopes => {
  const wanted = change?.isWaiting ? change.scopes : scopes
  return legacy && wanted.length === 0 ? null : wanted
}

/** Highest risk of them. */
export const riskOf = (catalogue: Catalogue, client: ManagedClient): Risk =>
  judge(catalogue, decidedScopes(client)).risk
