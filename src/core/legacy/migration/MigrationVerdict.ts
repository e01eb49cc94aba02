import { Schema } from "effect"

/** Progress of a legacy client on its way to scopes (specification §5.6). */
export const MigrationVerdict = Schema.Literals([
  "not-started",
  "url-without-scope",
  "unknown-words",
  "too-early",
  "safe-to-save",
  "migrated"
])
export type MigrationVerdict = typeof MigrationVerdict.Type

/** Requests of the last days, by which a client is assessed. */
interface Requests {
  /** True until its scopes are saved. */
  readonly legacy: boolean
  readonly unscopedRequests: number
  readonly scopedRequests: number
  /** True if requests named words that are no scopes, which are ignored until scopes are saved. */
  readonly unknownWords: boolean
  /** True once it was observed for `MIGRATION_OBSERVATION`: before that, what was not seen may still come. */
  readonly observed: boolean
}

/** One request without scope is enough to advise against saving: saved scopes break such URLs. */
export const verdictOf = (
  { legacy, observed, scopedRequests, unknownWords, unscopedRequests }: Requests
): MigrationVerdict => {
  if (!legacy) return "migrated"
  if (unscopedRequests > 0) return scopedRequests === 0 ? "not-started" : "url-without-scope"
  if (unknownWords) return "unknown-words"
  if (!observed) return "too-early"
  return scopedRequests === 0 ? "not-started" : "safe-to-save"
}
