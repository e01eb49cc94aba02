import { Option, Schema } from "effect"
import type { Operation } from "../../../domain/operations/EndpointRules.ts"

/**
 * Cause of a refused API call: the token lacks the scope, the operation is closed to apps (or to those with scopes), it
 * is not listed, or its path is not written in the one way that every server reads alike.
 */
export const CallRefusal = Schema.Literals(["insufficient_scope", "closed", "unlisted", "malformed"])
export type CallRefusal = typeof CallRefusal.Type

/** An operation of the platform API whose calls by a legacy app were refused. */
export const RefusedCall = Schema.Struct({
  cause: CallRefusal,
  /** Method and path as they are listed; `null` for all calls of what is not listed. */
  operation: Schema.NullOr(Schema.String),
  requests: Schema.Int,
  lastAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "RefusedCall" })
export type RefusedCall = typeof RefusedCall.Type

/** Begins the key in the column `scope` under which refused calls count; no scope and no word has such a key. */
export const refusedMark = "refused "

/** Key of calls that were refused. It has no part of the request, so there are only so many of one app. */
export const refusedKey = (cause: CallRefusal, operation: Operation | undefined): string =>
  `${refusedMark}${cause}${operation === undefined ? "" : ` ${operation.method} ${operation.path}`}`

export const parseRefusedKey = (key: string): Option.Option<Pick<RefusedCall, "cause" | "operation">> => {
  const [, cause, operation = null] = /^refused (\S+)(?: (.+))?$/.exec(key) ?? []
  return Option.map(decodeCause(cause), (cause) => ({ cause, operation }))
}

const decodeCause = Schema.decodeUnknownOption(CallRefusal)
