import type { Topic } from "../../../domain/catalogue/JudgedArea.ts"
import type { Danger } from "../../../domain/catalogue/Judgement.ts"
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
  /** The purpose has few words beside the worst that the app may do. */
  | { readonly check: "purpose_short"; readonly words: number; readonly danger: Danger }
  /** The purpose has no word of these, in which the app changes something. */
  | { readonly check: "purpose_names_no_area"; readonly areas: ReadonlyArray<Topic> }
  /** `total` apps have the same purpose, `others` of them with other owners. */
  | { readonly check: "website_silent"; readonly why: "no_address" | "redirects" | "silent" }
  /** Mail hosts of the owner or the contact that are on the operator's list. */
  | { readonly check: "mail_host_throwaway"; readonly hosts: ReadonlyArray<string> }
  /** It answers with a status that means an error. */
  | { readonly check: "website_fails"; readonly status: number }
  | { readonly check: "purpose_copied"; readonly total: number; readonly others: number }

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
