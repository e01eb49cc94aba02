import { DateTime, Effect } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { isOver } from "../../domain/catalogue/Retirement.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import type { Client } from "../clients/records/Client.ts"
import { type Answer, grantAnswers } from "../grants/GrantAnswers.ts"
import { declinableOf } from "./Given.ts"
import type { Lacking } from "./Lacking.ts"

/** Scopes that an app may ask for, and that a user with a live grant has not given. */
export interface Missing {
  /** Those that the user will be asked for. */
  readonly lacking: ReadonlyArray<ScopeName>
  /** Those that the user declined, and that the app can do without. */
  readonly declined: ReadonlyArray<ScopeName>
}

/**
 * What an app lacks of a user, by the answers of the user's live grants, the newest first. What comes with a wider
 * scope is given, a legacy grant gives everything, and the last word on a scope counts: as where an app asks (`Given`).
 * A scope that was declined is lacking once the app requires it.
 */
export const missingOf = (
  catalogue: Catalogue,
  client: Client,
  answers: ReadonlyArray<Answer>,
  now: DateTime.Utc
): Missing => {
  const open = askedOf(catalogue, client, now).filter((scope) => !isGiven(catalogue, scope, answers))
  const mayLack = declinableOf(catalogue, client, open)
  const isDeclined = (scope: ScopeName) =>
    mayLack.includes(scope) && answers.some(({ declined }) => declined?.includes(scope))
  return { lacking: open.filter((scope) => !isDeclined(scope)), declined: open.filter(isDeclined) }
}

/**
 * Counts the users of whom an app lacks scopes, as far as `mostCounted` of its grants for the API: what is given for
 * another resource says nothing of it.
 */
export const lackingUsers = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const answersOf = yield* grantAnswers

  return Effect.fn("Lacking.of")(function*(client: Client) {
    const now = yield* DateTime.now
    const { groups, isComplete } = yield* answersOf(client.id)
    const found = groups.map(({ answers, users }) => ({ users, ...missingOf(catalogue, client, answers, now) }))
    const sum = (isCounted: (missing: Missing) => boolean) =>
      found.reduce((sum, group) => isCounted(group) ? sum + group.users : sum, 0)
    const asked = askedOf(catalogue, client, now)
    const mayLack = declinableOf(catalogue, client, asked)
    return {
      users: sum(() => true),
      isComplete,
      lacking: sum(({ lacking }) => lacking.length > 0),
      scopes: asked.map((scope) => ({
        scope,
        isOptional: mayLack.includes(scope),
        lacking: sum(({ lacking }) => lacking.includes(scope)),
        declined: sum(({ declined }) => declined.includes(scope))
      })).filter(({ declined, lacking }) => lacking + declined > 0)
    } satisfies Lacking
  })
})

/**
 * Scopes that an app may ask its users for today. One that is not approved may ask for nothing, and nobody knows what a
 * legacy app needs (specification §5.6).
 */
const askedOf = (catalogue: Catalogue, client: Client, now: DateTime.Utc): ReadonlyArray<ScopeName> =>
  client.status !== "approved" || client.legacy
    ? []
    : catalogue.inOrder(client.scopes).filter((scope) => catalogue.isScope(scope) && !isOver(catalogue, scope, now))

const isGiven = ({ covers }: Catalogue, scope: ScopeName, answers: ReadonlyArray<Answer>): boolean => {
  for (const { declined, scopes } of answers) {
    if (declined?.some((one) => covers([scope], one))) return false
    if (covers(scopes, scope)) return true
  }
  return false
}
