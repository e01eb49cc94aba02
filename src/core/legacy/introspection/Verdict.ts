import { DateTime, Option } from "effect"
import type { ClientId } from "../../../domain/Ids.ts"
import type { ActiveToken, Answer } from "./PreviousServer.ts"
import { tokenUse } from "./TokenUse.ts"

/** What became of a question, as the metric has it. */
export const outcomes = [
  "adopted",
  "inactive",
  "other_client",
  "no_refresh_token",
  "unknown_user",
  "ended_here",
  "unusable",
  "unavailable",
  "limited"
] as const
export type Outcome = (typeof outcomes)[number]

/** The token stands for no grant; the reason is for the owner of the app. */
export interface Refusal {
  readonly _tag: "Refusal"
  readonly outcome: Outcome
  readonly reason: string
}

/**
 * The answer decides nothing about the token: the settings here, or what the previous server says, must be mended
 * first.
 */
export interface Misfit {
  readonly _tag: "Misfit"
  /** For the operator. */
  readonly reason: string
}

/** The token is a live refresh token of the client. */
export interface Live {
  readonly _tag: "Live"
  readonly token: ActiveToken
  readonly issuedAt: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc | null
}

export const refusal = (outcome: Outcome, reason: string): Refusal => ({ _tag: "Refusal", outcome, reason })
export const misfit = (reason: string): Misfit => ({ _tag: "Misfit", reason })

/** Judges an answer about a token that this client has presented. */
export const judge = (answer: Answer, text: string, clientId: ClientId, now: DateTime.Utc): Live | Misfit | Refusal => {
  if (!answer.active) return refusal("inactive", "the previous server says that the token is not active")
  if (answer.client_id === undefined || answer.client_id === null) {
    return misfit("its answer has no client_id, so the token may be another app's")
  }
  if (answer.client_id !== clientId) return refusal("other_client", "the previous server gave the token to another app")
  const use = tokenUse(text, answer)
  if (use === "other") return refusal("no_refresh_token", "the previous server says that it is no refresh token")
  if (use === "unsaid") return misfit("its answer does not say that the token is a refresh token (token_use)")
  const expiresAt = instantOf(answer.exp)
  if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now)) {
    return refusal("inactive", "the token has expired at the previous server")
  }
  return { _tag: "Live", token: answer, issuedAt: instantOf(answer.iat), expiresAt }
}

/** Time of a claim; some servers say 0 of a token without an end. */
const instantOf = (seconds: number | null | undefined): DateTime.Utc | null =>
  seconds ? Option.getOrNull(DateTime.make(seconds * 1000)) : null
