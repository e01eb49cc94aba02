import { Schema } from "effect"
import type { ClientUse, Outcome } from "../../usage/Use.ts"

/**
 * Cause of a refused API call: the token lacks the scope, the operation is closed to apps (or to those with scopes), it
 * is not listed, or its path is not written in the one way that every server reads alike.
 */
const CallRefusal = Schema.Literals(["insufficient_scope", "closed", "unlisted", "malformed"])
type CallRefusal = typeof CallRefusal.Type

/** An operation of the platform API whose calls by a legacy app were refused. */
export const RefusedCall = Schema.Struct({
  cause: CallRefusal,
  /** Method and path as they are listed; `null` for all calls of what is not listed. */
  operation: Schema.NullOr(Schema.String),
  requests: Schema.Int,
  /** Day of the last one in UTC, as `2026-11-27`. */
  lastDay: Schema.String
}).annotate({ identifier: "RefusedCall" })
export type RefusedCall = typeof RefusedCall.Type

/** Refused calls by cause and operation, the most frequent first. */
export const refusedIn = ({ days, operations }: ClientUse): ReadonlyArray<RefusedCall> =>
  CallRefusal.literals.flatMap((cause): ReadonlyArray<RefusedCall> => {
    const is = ({ outcome }: { readonly outcome: Outcome }) => outcome === cause
    const listed = operations.filter(is).map(({ calls, lastDay, operation }) => ({
      cause,
      operation,
      requests: calls,
      lastDay
    }))
    // Calls of what is not listed have a need, and no operation.
    const all = days.filter(is)
    const others = sum(all.map(({ calls }) => calls)) - sum(listed.map(({ requests }) => requests))
    return others > 0
      ? [...listed, { cause, operation: null, requests: others, lastDay: all.at(-1)?.day ?? "" }]
      : listed
  }).toSorted((a, b) => b.requests - a.requests || (keyOf(a) < keyOf(b) ? -1 : 1))

const keyOf = ({ cause, operation }: RefusedCall): string => `${cause} ${operation ?? ""}`

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)
