import { Option, Result, Schema } from "effect"
import { elementLines } from "../JsonArrayElements.ts"
import { Requirement } from "./Requirement.ts"
import type { Scope } from "./Scope.ts"
import { parseTemplate, type Template } from "./Template.ts"

/** One operation of the platform API. */
export interface Endpoint {
  readonly method: Method
  /** Path as it is written in the list: `/v2/teams/{teamId}`. */
  readonly path: string
  readonly template: Template
  readonly requirement: Requirement
  /** Says why no app may call it, not even a legacy one; absent where some may. */
  readonly neverForApps?: string
  readonly line: number
}

/** Methods of the list; `HEAD` and `OPTIONS` follow from these. */
export const Method = Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"])
export type Method = typeof Method.Type

/** The list of operations is not usable; the message has a line for each entry at fault. */
export class EndpointListError extends Schema.TaggedError<EndpointListError>()("EndpointListError", {
  problems: Schema.Array(Schema.Struct({ line: Schema.Int, problem: Schema.String }))
}) {
  override get message() {
    return ["The list of endpoints is not usable:", ...this.problems.map((at) => `  line ${at.line}: ${at.problem}`)]
      .join("\n")
  }
}

export interface Problem {
  readonly line: number
  readonly problem: string
}

/** Reads the JSON list and checks each entry by itself. */
export const parse = (
  text: string,
  isScope: IsScope
): Result.Result<ReadonlyArray<Endpoint>, EndpointListError> => {
  const entries = decodeList(text)
  if (Option.isNone(entries)) return fail([{ line: 1, problem: "the file must hold a JSON array" }])
  const lines = elementLines(text)
  return check(entries.value, isScope, (index) => lines[index] ?? 1)
}

/** Checks each entry of a list by itself; each has a line of its own below the first unless `lineOf` says otherwise. */
export const check = (
  entries: ReadonlyArray<unknown>,
  isScope: IsScope,
  lineOf = (index: number) => index + 2
): Result.Result<ReadonlyArray<Endpoint>, EndpointListError> => {
  const problems: Array<Problem> = []
  const endpoints: Array<Endpoint> = []
  for (const [index, entry] of entries.entries()) {
    const line = lineOf(index)
    const endpoint = parseEntry(entry, isScope, line)
    if (typeof endpoint === "string") problems.push({ line, problem: endpoint })
    else endpoints.push(endpoint)
  }
  return problems.length > 0 ? fail(problems) : Result.succeed(endpoints)
}

/** Tells which scopes the catalogue has. */
type IsScope = (name: string) => name is Scope

export const fail = (problems: ReadonlyArray<Problem>) => Result.fail(new EndpointListError({ problems }))

const decodeList = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))

const Entry = Schema.Struct({
  method: Method,
  path: Schema.String,
  access: Schema.Literals(["scope", "public", "scope-if-token", "closed"]),
  scope: Schema.optionalKey(Schema.String),
  neverForApps: Schema.optionalKey(Schema.NonEmptyString)
})
const decodeEntry = Schema.decodeUnknownResult(Entry, { onExcessProperty: "error" })

const parseEntry = (entry: unknown, isScope: IsScope, line: number): Endpoint | string => {
  const decoded = decodeEntry(entry)
  if (Result.isFailure(decoded)) return String(decoded.failure).replaceAll(/\s+/g, " ")
  const { method, neverForApps, path } = decoded.success
  const template = parseTemplate(path)
  if (typeof template === "string") return template
  const requirement = parseRequirement(decoded.success, isScope)
  if (typeof requirement === "string") return requirement
  return { method, path, template, requirement, line, ...(neverForApps === undefined ? {} : { neverForApps }) }
}

const parseRequirement = (
  { access, neverForApps, scope }: typeof Entry.Type,
  isScope: IsScope
): Requirement | string => {
  if (neverForApps !== undefined && access !== "closed") return `"${access}" takes no "neverForApps"`
  if (access === "public" || access === "closed") {
    if (scope !== undefined) return `"${access}" takes no scope`
    if (access === "public") return Requirement.Public()
    return neverForApps === undefined ? Requirement.LegacyGrant() : Requirement.Closed({ reason: "closed" })
  }
  if (scope === undefined) return `"${access}" needs a scope`
  if (!isScope(scope)) return `unknown scope "${scope}"`
  return access === "scope" ? Requirement.Scope({ scope }) : Requirement.ScopeIfToken({ scope })
}
