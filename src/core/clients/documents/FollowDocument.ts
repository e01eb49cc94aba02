import { type DateTime, Result } from "effect"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { differences, summary } from "../life/ChangeDiff.ts"
import { type Transition, transition } from "../life/Transition.ts"
import { ClientChange, type ManagedClient } from "../records/Client.ts"
import { type ReviewedVersion, reviewedVersionOf } from "../records/ReviewedFields.ts"
import type { Described } from "./DocumentContent.ts"

// What becomes of an app whose document says something else than its record, as pure functions.

/** What a document says, with the picture that was at the address of the logo. */
export interface Identity extends Described, Pick<ReviewedVersion, "logoDigest"> {}

/**
 * Brings an app to what its document says. Before a decision it is what reviewers look at, with all scopes that were
 * asked for so far. Once it was approved, what the document no longer says ends at once, even the last redirect URI,
 * and what it says in addition waits for review; its scopes are not touched, neither those that it has nor those that
 * wait. A rejected app stays as it was: nobody who has it rejected gets it into the queue by a new document.
 */
export const follow = (
  catalogue: Catalogue,
  current: ManagedClient,
  identity: Identity,
  asked: ReadonlyArray<ScopeName>,
  now: DateTime.Utc
): Result.Result<Transition | undefined, never> => {
  if (current.status === "rejected") return nothing
  if (current.status !== "pending") return amend(current, identity, now)
  const wanted = {
    ...reviewedVersionOf(current),
    ...identity,
    scopes: catalogue.inOrder([...current.scopes, ...asked])
  }
  if (differences(current, wanted).length === 0) return nothing
  return changed({ from: current, next: wanted, now, details: summary(current, wanted) })
}

const amend = (current: ManagedClient, identity: Identity, now: DateTime.Utc) => {
  const before = current.change
  const serving = { ...reviewedVersionOf(current), ...without(current, identity) }
  const wanted = { ...reviewedVersionOf(before?.isWaiting ? before : current), ...identity }
  const change = differences(serving, wanted).length === 0
    ? null
    : before !== null && differences(before, wanted).length === 0
    ? before
    : new ClientChange({
      ...wanted,
      rejectionReason: null,
      submittedAt: before?.isWaiting ? before.submittedAt : now
    })
  if (change === before && differences(current, serving).length === 0) return nothing
  return changed({
    from: current,
    next: { ...serving, change },
    now,
    details: summary(current, wanted),
    event: change?.isWaiting && !before?.isWaiting ? "changed" : null
  })
}

/** What is left of an app's identity where its document says no more than this. */
const without = (current: ManagedClient, identity: Identity) => ({
  redirectUris: current.redirectUris.filter((uri) => identity.redirectUris.includes(uri)),
  ...(identity.logoUrl === null ? { logoUrl: null, logoDigest: null } : {}),
  ...Object.fromEntries(links.filter((link) => identity[link] === null).map((link) => [link, null]))
})

const links = ["privacyUrl", "termsUrl", "contact"] as const

const changed = (of: Omit<Parameters<typeof transition>[0], "action">) =>
  Result.match(transition({ ...of, action: "client.document_changed" }), {
    onFailure: () => nothing,
    onSuccess: (made) => Result.succeed(made)
  })

const nothing: Result.Result<Transition | undefined, never> = Result.succeed(undefined)
