import { Result } from "effect"
import { Conflict } from "../../../domain/ApiError.ts"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../../domain/Ids.ts"
import type { GrantedScopes } from "../../../domain/scopes/Scope.ts"
import { conflict } from "../life/Transition.ts"
import type { ManagedClient } from "../records/Client.ts"
import type { Decision } from "./DecisionStore.ts"

// Which decision a reviewer may take back, and what ends with it.

export const tooLate = new Conflict({
  code: "decision_stands",
  message: "The time in which this decision could be undone is over, and its mail is on its way."
})

/** Decision that this reviewer takes back, which has to be the last thing that happened to the app. */
export const mayUndo = (
  by: UserId,
  { version }: ManagedClient,
  last: Decision | undefined
): Result.Result<Decision, Conflict> => {
  if (last === undefined || last.versionAfter !== version) {
    return conflict("nothing_to_undo", "The last change of this app is no decision that can be undone.")
  }
  if (last.reviewer !== by) {
    return conflict("decided_by_another", "Another reviewer decided this: only they can undo it.")
  }
  return last.isOpen ? Result.succeed(last) : Result.fail(tooLate)
}

/**
 * Scopes that users could give before an approval, whose grants stay when it is taken back: none where they could not
 * reach the app at all, or not at the same addresses. Nothing for other decisions, with which no grant ends.
 */
export const givableBefore = (
  { included }: Catalogue,
  { before, kind }: Decision,
  { redirectUris }: ManagedClient
): GrantedScopes | undefined => {
  if (kind === "approved") return []
  if (kind !== "change-approved") return undefined
  if (redirectUris.some((uri) => !before.redirectUris.includes(uri))) return []
  return before.legacy ? null : [...before.scopes, ...before.scopes.flatMap(included)]
}
