import { DateTime, Duration, Result, Schema } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AccessDenied } from "../../domain/OAuthError.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import type { Client } from "../clients/records/Client.ts"
import type { Grant } from "../grants/Grant.ts"
import { declinableOf, type Given, heldOf } from "./Given.ts"

/** Ends that a user may choose for what they give, by the time from now; `server` is `GRANT_LIFETIME`. */
export const chosenEnds = { day: Duration.days(1), month: Duration.days(30) } as const
export type ChosenEnd = keyof typeof chosenEnds | "server"

/** What the user decides on a question. */
export interface Choice {
  /** `see` allows without the optional scopes that change something, and `keep` gives no more than the app has. */
  readonly decision: "allow" | "see" | "keep" | "deny"
  /** Scopes that are ticked, of those that the user was offered to decline. */
  readonly ticked: ReadonlyArray<string>
  readonly end: ChosenEnd
}

/** Nothing of what the app asked for is ticked: a mistake in the form, which stays open. */
export class NothingChosen extends Schema.TaggedError<NothingChosen>()("NothingChosen", {}) {}

/** The choice has something that only those may give who decide for the organization (`Withheld`). */
export class OrganizationDecides extends Schema.TaggedError<OrganizationDecides>()("OrganizationDecides", {}) {}

/**
 * What a choice gives. A scope that brings a declined one with it is declined, too, so that nothing comes back that was
 * not ticked.
 */
const givenBy = (
  { covers, isWrite }: Catalogue,
  scopes: GrantedScopes,
  offered: ReadonlyArray<ScopeName>,
  { decision, ticked }: Choice
): Pick<Given, "scopes" | "declined"> => {
  if (scopes === null) return { scopes, declined: null }
  const unticked = offered.filter((scope) => !ticked.includes(scope) || (decision === "see" && isWrite(scope)))
  const isDeclined = (scope: ScopeName) => unticked.some((declined) => covers([scope], declined))
  return { scopes: scopes.filter((scope) => !isDeclined(scope)), declined: listed(scopes.filter(isDeclined)) }
}

/** A request on which the user decides, and what they were offered to decline. */
interface Asked {
  readonly scopes: GrantedScopes
  readonly offered: ReadonlyArray<ScopeName>
  /** Tells if scopes have something that the user can't give. */
  isWithheld(scopes: GrantedScopes): boolean
}

/** What follows from a choice, for the app as it is now and the live grants that it has, the newest first. */
export const judge = (
  catalogue: Catalogue,
  client: Client,
  { isWithheld, offered, scopes }: Asked,
  choice: Choice,
  grants: ReadonlyArray<Grant>,
  now: DateTime.Utc
): Result.Result<Given, AccessDenied | NothingChosen | OrganizationDecides> => {
  if (choice.decision === "deny") return denied
  const mayLack = declinableOf(catalogue, client, scopes)
  if (choice.decision === "keep") {
    const held = heldOf(catalogue, scopes, grants, (scope) => mayLack.includes(scope))
    return held === undefined ? denied : Result.succeed(held)
  }
  const given = givenBy(catalogue, scopes, offered, choice)
  if (given.scopes?.length === 0) return Result.fail(new NothingChosen())
  if (isWithheld(given.scopes)) return Result.fail(new OrganizationDecides())
  // The app may have changed since the user was asked: what was unticked is never given for that.
  if (given.declined?.some((scope) => !mayLack.includes(scope))) return lacksRequired
  const expiresAt = choice.end === "server" ? null : DateTime.addDuration(now, chosenEnds[choice.end])
  return Result.succeed({ ...given, expiresAt })
}

const listed = (scopes: ReadonlyArray<ScopeName>) => scopes.length === 0 ? null : scopes

const denied = Result.fail(new AccessDenied({ error_description: "the user denied the request" }))
const lacksRequired = Result.fail(
  new AccessDenied({ error_description: "the user declined what the app requires by now" })
)
