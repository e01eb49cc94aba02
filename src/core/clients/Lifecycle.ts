import { DateTime, type Duration, Result } from "effect"
import type { BadRequest } from "../../domain/ApiError.ts"
import * as Input from "../../domain/Input.ts"
import { inOrder, level } from "../../domain/scopes/Scope.ts"
import { differences, summary, type Version, versionOf } from "./ChangeDiff.ts"
import { ClientChange, ManagedClient } from "./Client.ts"
import { misfits } from "./RedirectUri.ts"
import type { ClientEdit } from "./Registration.ts"
import { conflict, type Decision, done, stale } from "./Transition.ts"

/**
 * The owner changes the app. Before an approval it changes as it is and waits for review (again); afterwards additions
 * and what users see go to review while the approved version serves, and everything else holds at once.
 */
export const edit = (
  current: ManagedClient,
  input: ClientEdit,
  now: DateTime.Utc,
  /** The requests of the last days that named no scope: whoever sends the like is refused once scopes are saved. */
  unscopedRequests = 0
): Decision<BadRequest> => {
  if (input.version !== undefined && input.version !== current.version) return stale
  const saves = current.legacy && input.scopes !== undefined && input.scopes.length > 0
  if (saves && unscopedRequests > 0 && input.breakOldUrls !== true) return oldUrls(unscopedRequests)
  const base = versionOf(current.change !== null && isWaiting(current.change) ? current.change : current)
  const wanted: Version = {
    name: input.name ?? base.name,
    website: input.website ?? base.website,
    logoUrl: input.logoUrl === undefined ? base.logoUrl : input.logoUrl,
    redirectUris: input.redirectUris ?? base.redirectUris,
    scopes: inOrder(input.scopes ?? base.scopes)
  }
  const problems = faults(current, wanted)
  if (problems.length > 0) return Result.fail(Input.refuse(problems))
  const purpose = input.purpose ?? current.purpose
  const same = purpose === current.purpose && differences(base, wanted).length === 0
  if (same && current.status !== "rejected") return Result.succeed(undefined)
  return current.status === "pending" || current.status === "rejected"
    ? revise(current, wanted, purpose, now)
    : amend(current, wanted, purpose, now)
}

/** The owner asks for another look at a refused app. */
export const resubmit = (current: ManagedClient, now: DateTime.Utc): Decision =>
  current.status === "rejected"
    ? revise(current, versionOf(current), current.purpose, now)
    : current.status === "pending"
    ? Result.succeed(undefined)
    : conflict("not_rejected", "Only a rejected app can be submitted again.")

/** The owner takes back a change that waits or was refused. */
export const withdraw = (current: ManagedClient, now: DateTime.Utc): Decision =>
  current.change === null
    ? conflict("no_change", "This app has no change in review.")
    : done(current, { change: null }, now, "client.change_withdrawn", summary(current, current.change), null)

export const approve = (current: ManagedClient, version: number, now: DateTime.Utc): Decision => {
  if (version !== current.version) return stale
  const { change } = current
  if (current.status === "pending") {
    const next = { status: "approved", rejectionReason: null, reviewedAt: now } as const
    return done(current, next, now, "client.approved", {}, "approved")
  }
  if (change === null || !isWaiting(change)) return decided
  const legacy = current.legacy && change.scopes.length === 0
  const next = { ...versionOf(change), legacy, change: null, reviewedAt: now }
  return done(current, next, now, "client.change_approved", summary(current, change), "change-approved")
}

export const reject = (current: ManagedClient, reason: string, version: number, now: DateTime.Utc): Decision => {
  if (version !== current.version) return stale
  const { change } = current
  if (current.status === "pending") {
    const next = { status: "rejected", rejectionReason: reason, reviewedAt: now } as const
    return done(current, next, now, "client.rejected", { reason }, "rejected")
  }
  if (change === null || !isWaiting(change)) return decided
  const next = { change: new ClientChange({ ...change, rejectionReason: reason }), reviewedAt: now }
  return done(current, next, now, "client.change_rejected", { ...summary(current, change), reason }, "change-rejected")
}

export const suspend = (
  current: ManagedClient,
  reason: string,
  version: number | undefined,
  now: DateTime.Utc
): Decision => {
  if (version !== undefined && version !== current.version) return stale
  if (current.status !== "approved") return conflict("not_approved", "Only an approved app can be suspended.")
  const next = { status: "suspended", rejectionReason: reason } as const
  return done(current, next, now, "client.suspended", { reason }, "suspended")
}

export const resume = (current: ManagedClient, version: number | undefined, now: DateTime.Utc): Decision => {
  if (version !== undefined && version !== current.version) return stale
  if (current.status !== "suspended") return conflict("not_suspended", "Only a suspended app can be resumed.")
  return done(current, { status: "approved", rejectionReason: null }, now, "client.resumed", {}, "resumed")
}

/** The owner takes back that scopes were saved, so that URLs without scope work again (specification §5.6). */
export const undoMigration = (
  current: ManagedClient,
  version: number | undefined,
  period: Duration.Duration,
  now: DateTime.Utc
): Decision => {
  if (version !== undefined && version !== current.version) return stale
  if (current.migratedAt === null) return conflict("not_migrated", "This app has no saved scopes to take back.")
  if (DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(current.migratedAt, period))) {
    return conflict("undo_expired", "The time in which saved scopes can be taken back is over.")
  }
  // What waits for review would save scopes again when it is approved.
  const left = current.change === null ? null : new ClientChange({ ...current.change, scopes: [] })
  const next = { ...current, scopes: [], legacy: true, migratedAt: null }
  const change = left === null || differences(next, left).length === 0 ? null : left
  return done(current, { ...next, change }, now, "client.migration_undone", summary(current, next), null)
}

const isWaiting = (change: ClientChange): boolean => change.rejectionReason === null

const decided = conflict("not_in_review", "Nothing of this app waits for a decision.")

const oldUrls = (requests: number) =>
  conflict(
    "old_urls_in_use",
    `URLs without scope are still in use: ${requests} ${
      requests === 1 ? "request" : "requests"
    } of the last days named none. Whoever opens such a URL will be refused once scopes are saved. Confirm that to go on.`,
    // For programs; the page has a box for it.
    [{ path: "breakOldUrls", message: "must be true to go on" }]
  )

const faults = (current: ManagedClient, { redirectUris, scopes }: Version): ReadonlyArray<Input.Fault> => [
  ...misfits(current.kind, redirectUris),
  ...(scopes.length === 0 && !current.legacy ? [{ path: "scopes", message: "must name at least one scope" }] : [])
]

const revise = (current: ManagedClient, wanted: Version, purpose: string, now: DateTime.Utc): Decision => {
  const legacy = current.legacy && wanted.scopes.length === 0
  const changes = { ...summary(current, wanted), ...(purpose === current.purpose ? {} : { purpose }) }
  if (current.status === "pending") {
    return done(current, { ...wanted, purpose, legacy }, now, "client.edited", changes, null)
  }
  const next = { ...wanted, purpose, legacy, status: "pending", rejectionReason: null, submittedAt: now } as const
  return done(current, next, now, "client.resubmitted", changes, "resubmitted")
}

const amend = (current: ManagedClient, wanted: Version, purpose: string, now: DateTime.Utc): Decision => {
  const serving = holdingAtOnce(current, wanted)
  const previous = current.change !== null && isWaiting(current.change) ? current.change : null
  const left = differences(serving, wanted)
  const change = left.length > 0
    ? new ClientChange({ ...wanted, rejectionReason: null, submittedAt: previous?.submittedAt ?? now })
    : previous === null
    ? current.change
    : null
  const details = { ...summary(current, wanted), ...(purpose === current.purpose ? {} : { purpose }) }
  const event = change !== null && isWaiting(change) && previous === null ? "changed" : null
  return done(current, { ...serving, purpose, change }, now, "client.edited", details, event)
}

/** The version that serves after an edit of an approved app: without what was removed, not yet with what was added. */
const holdingAtOnce = (current: ManagedClient, wanted: Version): Version & { readonly legacy: boolean } => {
  // The last one is never taken away before its replacement is approved.
  const kept = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>): ReadonlyArray<A> => {
    const both = after.filter((value) => before.includes(value))
    return both.length > 0 ? both : before
  }
  const version = {
    ...versionOf(current),
    redirectUris: kept(current.redirectUris, wanted.redirectUris)
  }
  if (!current.legacy) return { ...version, scopes: kept(current.scopes, wanted.scopes), legacy: false }
  // Validation starts with all scopes or none: URLs that ask for those in review would break meanwhile.
  const atOnce = wanted.scopes.length > 0 && wanted.scopes.every((scope) => level(scope) === "user")
  return { ...version, scopes: atOnce ? wanted.scopes : current.scopes, legacy: !atOnce }
}
