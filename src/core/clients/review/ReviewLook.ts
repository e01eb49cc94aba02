import type { DateTime } from "effect"
import type { Risk } from "../../../domain/catalogue/file/ScopeRisk.ts"
import type { ReviewCheck } from "./ReviewCheck.ts"

/** What was looked at, with what a sentence about it names. */
export type Seen =
  | { readonly of: "name" }
  | { readonly of: "redirects" }
  | { readonly of: "owner" }
  /** Number of words of the purpose. */
  | { readonly of: "power"; readonly words: number }
  | { readonly of: "purpose" }
  /** Status of its answer, and the host that gave it, where redirects led to another. */
  | {
    readonly of: "website"
    readonly at: DateTime.Utc
    readonly status: number | null
    readonly host: string | null
  }
  /** Mail hosts, against a list of so many of this time. */
  | {
    readonly of: "mail"
    readonly hosts: ReadonlyArray<string>
    readonly listed: number
    readonly at: DateTime.Utc
  }

/** What was not looked at, and why. */
export type Unseen =
  | { readonly of: "power"; readonly why: "low_risk"; readonly risk: Risk }
  | { readonly of: "power"; readonly why: "no_purpose" }
  | { readonly of: "owner"; readonly why: "no_owner" }
  | { readonly of: "purpose"; readonly why: "not_written" | "no_words" | "dynamic" }
  /** The app describes itself at this host. */
  | { readonly of: "purpose"; readonly why: "document"; readonly host: string }
  | { readonly of: "mail"; readonly why: "no_list" | "no_address" }
  | { readonly of: "website"; readonly why: "not_yet" | "not_https" }
  | { readonly of: "website"; readonly why: "refused"; readonly at: DateTime.Utc; readonly status: number }

/** A look at one side of an app: what was looked at, and what stood out. Nothing stands out where nobody looked. */
export type ReviewLook =
  | { readonly seen: Seen; readonly found: ReadonlyArray<ReviewCheck> }
  | { readonly unseen: Unseen; readonly found: readonly [] }

/** Whatever stood out. */
export const foundIn = (looks: ReadonlyArray<ReviewLook>): ReadonlyArray<ReviewCheck> =>
  looks.flatMap(({ found }) => found)

export type LookResult = "stands_out" | "nothing_found" | "not_looked"

/** Outcome of a look, for programs. */
export const resultOf = (look: ReviewLook): LookResult =>
  "unseen" in look ? "not_looked" : look.found.length > 0 ? "stands_out" : "nothing_found"
