import type { ClientId } from "../../../domain/Ids.ts"
import type { RelatedApp } from "../life/RelatedApp.ts"

/** A reason to look twice at an app, with what a sentence about it names. */
export type Cause =
  /** `total` apps have names that users cannot tell from its own; a reviewer approved one of them, or none of them. */
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
