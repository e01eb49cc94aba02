import { Schema } from "effect"

/** How far a client from before scopes is on its way (specification §5.6). */
export const MigrationVerdict = Schema.Literals(["not-started", "url-without-scope", "safe-to-save", "migrated"])
export type MigrationVerdict = typeof MigrationVerdict.Type

/** What the last days of a client were like. */
export interface Facts {
  /** Its scopes were not saved yet. */
  readonly legacy: boolean
  readonly unscopedRequests: number
  readonly scopedRequests: number
}

/** Saving scopes breaks whoever still opens a URL without: so one such request in the window is one too many. */
export const judge = ({ legacy, scopedRequests, unscopedRequests }: Facts): MigrationVerdict => {
  if (!legacy) return "migrated"
  if (scopedRequests === 0) return "not-started"
  return unscopedRequests > 0 ? "url-without-scope" : "safe-to-save"
}

/** The verdict for people. */
export const words = (verdict: MigrationVerdict, unscopedGrants: number): string => {
  switch (verdict) {
    case "not-started":
      return "not started"
    case "url-without-scope":
      return "URL still without scope: do not save scopes yet"
    case "safe-to-save":
      return "safe to save"
    case "migrated":
      return `migrated, ${unscopedGrants} old ${unscopedGrants === 1 ? "grant" : "grants"} left`
  }
}
