import { Result, Schema, type SchemaIssue, Stream } from "effect"
import { faults } from "../../../domain/Input.ts"

const Value = Schema.optionalKey(Schema.NullOr(Schema.String))

/**
 * One authorization request as the log of another server has it: its query as it was sent, or its parameters, decoded.
 * Of `code_challenge` it matters whether a line has it: with `null` the request sent none, without it the log does not
 * say.
 */
export const LoggedRequest = Schema.Struct({
  query: Value,
  client_id: Value,
  redirect_uri: Value,
  scope: Value,
  response_type: Value,
  response_mode: Value,
  code_challenge: Value,
  code_challenge_method: Value
})
export type LoggedRequest = typeof LoggedRequest.Type

/** A line of a log that is not blank, with its request or the reason why it has none. */
export interface LoggedLine {
  readonly line: number
  readonly request: Result.Result<LoggedRequest, string>
}

/** Characters that a line may have: the largest request that a server takes, escaped, with much else beside it. */
const longest = 65_536

/**
 * Reads a log of one JSON object a line (NDJSON) as its text comes. A line at fault does not stop the reading of
 * others.
 */
export const readRequestLog = <E>(text: Stream.Stream<string, E>): Stream.Stream<LoggedLine, E> =>
  Stream.mapAccum(text, (): Reading => ({ last: 0, rest: "" }), readChunk, {
    onHalt: ({ last, rest }) => lineOf(last + 1, rest)
  })

interface Reading {
  /** Number of the last line that has ended. */
  readonly last: number
  /** Beginning of the next one; `null` when it is too long to be kept. */
  readonly rest: string | null
}

const readChunk = ({ last, rest }: Reading, chunk: string): readonly [Reading, ReadonlyArray<LoggedLine>] => {
  const [head = "", ...others] = chunk.split("\n")
  const found: Array<LoggedLine> = []
  let line = last
  let open = append(rest, head)
  for (const part of others) {
    found.push(...lineOf(++line, open))
    open = append("", part)
  }
  return [{ last: line, rest: open }, found]
}

const append = (rest: string | null, part: string): string | null =>
  rest === null || rest.length + part.length > longest ? null : rest + part

const lineOf = (line: number, content: string | null): ReadonlyArray<LoggedLine> => {
  if (content === null) {
    return [{ line, request: Result.fail(`has more than ${longest} characters`) }]
  }
  if (content.trim() === "") return []
  return [{ line, request: Result.mapError(decode(content), ({ issue }) => faultOf(issue)) }]
}

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(LoggedRequest))

const faultOf = (issue: SchemaIssue.Issue): string => {
  const [fault] = faults(issue)
  return fault === undefined || fault.path === "" ? "is not a JSON object" : `${fault.path} ${fault.message}`
}
