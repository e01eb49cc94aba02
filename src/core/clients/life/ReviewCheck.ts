import { Effect, Schema, Struct } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { ClientStatus } from "../records/Client.ts"

/** Another app that a reviewer should know of. */
export const RelatedApp = Schema.Struct({
  id: ClientId,
  ownerId: UserId,
  name: Schema.String,
  status: ClientStatus,
  /** True when the app does not have this name yet: a change to it waits for review. */
  wanted: Schema.Boolean
}).annotate({ identifier: "RelatedApp" })
export type RelatedApp = typeof RelatedApp.Type

/** A reason to look twice at an app, with what a sentence about it names. */
export type Cause =
  /** `total` apps have names that users cannot tell from its own, and one of them is approved, or none is. */
  | { readonly check: "name_resembles"; readonly total: number; readonly isApproved: boolean }
  | { readonly check: "name_mixes_scripts"; readonly word: string; readonly letters: ReadonlyArray<string> }
  | { readonly check: "name_in_styled_letters"; readonly letters: string }
  | { readonly check: "name_of_product" }
  | { readonly check: "hosts_differ"; readonly home: string; readonly hosts: ReadonlyArray<string> }
  | { readonly check: "scheme_without_owner"; readonly schemes: ReadonlyArray<string> }
  | { readonly check: "owner_was_refused"; readonly total: number }
  | { readonly check: "own_app" }

/**
 * Result of a check that found something. It refuses no app by itself: a reviewer decides, and gives a word for each of
 * the apps in `acceptTwins`.
 */
export interface ReviewCheck {
  readonly cause: Cause
  /** Apps that the cause is about, ten at most. */
  readonly apps: ReadonlyArray<RelatedApp>
  /** Approved apps that an approval has to name in its `acceptTwins`. */
  readonly acceptTwins: ReadonlyArray<ClientId>
}

/** A check about no other app. */
export const check = (cause: Cause): ReviewCheck => ({ cause, apps: [], acceptTwins: [] })

/** Some of the apps that something is true of, at most `mostShown`, and the number of all. */
export interface RelatedApps {
  readonly apps: ReadonlyArray<RelatedApp>
  readonly total: number
}

/** More are counted and not shown: names such as "Test" have hundreds. */
export const mostShown = 10

/** Apps in the rows of a statement, each of which has the number of all as `total`. */
export const relatedApps = <E>(query: Effect.Effect<ReadonlyArray<unknown>, E>): Effect.Effect<RelatedApps, E> =>
  Effect.map(allCounted(query), (found) => ({
    apps: found.map((row) => Struct.omit(row, ["total"])),
    total: found[0]?.total ?? 0
  }))

const allCounted = Rows.all(Schema.Struct({ ...RelatedApp.fields, total: Schema.Int }))
