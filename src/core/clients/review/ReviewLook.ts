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

/** What was not looked at, and why. */
export type Unseen =
  | { readonly of: "power"; readonly why: "low_risk"; readonly risk: Risk }
  | { readonly of: "purpose"; readonly why: "not_written" | "no_words" }

/** A look at one side of an app: what was looked at, and what stood out. Nothing stands out where nobody looked. */
export type ReviewLook =
  | { readonly seen: Seen; readonly found: ReadonlyArray<ReviewCheck> }
  | { readonly unseen: Unseen; readonly found: readonly [] }

/** Whatever stood out. */
export const foundIn = (looks: ReadonlyArray<ReviewLook>): ReadonlyArray<ReviewCheck> =>
  looks.flatMap(({ found }) => found)

/** Outcome of a look, for programs. */
export const resultOf = (look: ReviewLook) =>
  "unseen" in look ? "not_looked" : look.found.length > 0 ? "stands_out" : "nothing_found"
