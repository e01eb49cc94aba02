import { Effect, Option } from "effect"
import { Conflict } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { allOf } from "../../../domain/Listed.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { AuditLog, type NewEntry } from "../../audit/AuditLog.ts"
import type { Reviewer } from "../life/ClientCommands.ts"
import type { Transition } from "../life/Transition.ts"
import type { ManagedClient } from "../records/Client.ts"
import { concernedReviewer } from "./ConcernedReviewer.ts"
import { riskOf } from "./DecidedScopes.ts"
import { firstApprovals } from "./FirstApprovals.ts"

/**
 * Asks two reviewers to approve what has the highest risk, and an app of the reviewer's own (`REVIEW_TWO_PEOPLE`). An
 * operator on the command line counts as one of them, and as the same person each time.
 */
export const twoPeople = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const audit = yield* AuditLog
  const approvals = yield* firstApprovals
  const isConcerned = yield* concernedReviewer
  const isRequired = Option.isSome((yield* AppConfig).reviewTwoPeople)

  /** Tells whether this approval, under the app's row lock, is enough; the first of two is kept. */
  const isEnough = Effect.fn("TwoPeople.isEnough")(
    function*(by: Reviewer, current: ManagedClient, { client, leftOut }: Transition, shown: NewEntry["details"]) {
      if (!isRequired || (riskOf(catalogue, client) < 3 && !(yield* isConcerned(by, current)))) return true
      const first = yield* approvals.find(current)
      if (Option.isNone(first) || first.value.reviewer === by) {
        yield* approvals.keep(by, current, leftOut)
        const details = {
          ...shown,
          ...(leftOut.length === 0 ? {} : { leftOut: leftOut.join(" ") }),
          version: current.version
        }
        yield* audit.record({ actor: by, action: "client.approval_given", clientId: current.id, details })
        return false
      }
      const missing = first.value.without.filter((scope) => !leftOut.includes(scope))
      return missing.length === 0 ? true : yield* approvedWithout(missing)
    }
  )

  /** Refuses reviewers to do alone to their own app what takes two. */
  const requireAnother = (by: Reviewer, client: ManagedClient): Effect.Effect<void, Conflict> =>
    isRequired
      ? Effect.flatMap(isConcerned(by, client), (isOwn) => isOwn ? Effect.fail(ownApp) : Effect.void)
      : Effect.void

  /** Takes the first approval of this reviewer back; tells whether there was one. */
  const withdraw = Effect.fn("TwoPeople.withdraw")(function*(by: Reviewer, current: ManagedClient) {
    if (!(yield* approvals.withdraw(by, current))) return false
    const details = { version: current.version }
    yield* audit.record({ actor: by, action: "client.approval_withdrawn", clientId: current.id, details })
    return true
  })

  return { isEnough, requireAnother, withdraw, first: approvals.find, forget: approvals.forget }
})

const approvedWithout = (scopes: ReadonlyArray<string>) =>
  new Conflict({
    code: "approved_without",
    message: `The first reviewer approved it without ${allOf(scopes)}: leave out the same, or reject it.`,
    details: scopes.map((scope) => ({ path: "without", message: `must name ${scope}` }))
  })

const ownApp = new Conflict({
  code: "own_app",
  message: "This app is yours: another reviewer has to decide that."
})
