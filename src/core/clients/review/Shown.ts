import { Effect } from "effect"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { GrantStore } from "../../grants/GrantStore.ts"
import type { Reviewer } from "../life/ClientCommands.ts"
import type { ManagedClient } from "../records/Client.ts"
import { documentDigest } from "../records/DocumentDigest.ts"
import { riskOf } from "./DecidedScopes.ts"
import { reviewChecks } from "./ReviewChecks.ts"

/** What reviewers see of an app when they decide about it, as the trail keeps it: numbers and names of checks alone. */
export const shown = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const checksOf = yield* reviewChecks
  const grants = yield* GrantStore
  const digestOf = yield* documentDigest

  return Effect.fn("Shown.of")(function*(client: ManagedClient, reviewer: Reviewer) {
    const checks = (yield* checksOf(client, reviewer)).map(({ cause }) => cause.check)
    const { users } = yield* grants.usage(client.id)
    const document = yield* digestOf(client)
    return {
      risk: riskOf(catalogue, client),
      ...(checks.length === 0 ? {} : { checks: checks.join(" ") }),
      ...(document === undefined ? {} : { document }),
      users
    }
  })
})
