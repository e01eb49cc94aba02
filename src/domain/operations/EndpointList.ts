import { Array, Option, type Order, Result, Schema } from "effect"
import { elementLines } from "../JsonArrayElements.ts"
import { allOf, anyOf, Requirement, type ScopesNeeded } from "../scopes/Requirement.ts"
import type { Scope, ScopeName } from "../scopes/Scope.ts"
import { OperationEntry } from "./OperationEntry.ts"
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
  names: Names
): Result.Result<ReadonlyArray<Endpoint>, EndpointListError> => {
  const entries = decodeList(text)
  if (Option.isNone(entries)) return fail([{ line: 1, problem: "the file must hold a JSON array" }])
  const lines = elementLines(text)
  return collect(entries.value, (index) => lines[index] ?? 1, (entry, line) => {
    const decoded = decodeEntry(entry)
    if (Result.isFailure(decoded)) return decoded.failure.message.replaceAll(/\s+/g, " ")
    return endpointOf(decoded.success, names, line)
  })
}

/** Checks what the form of an entry does not say, for each by itself. */
export const check = (
  entries: ReadonlyArray<OperationEntry>,
  names: Names,
  lineOf: (index: number) => number
): Result.Result<ReadonlyArray<Endpoint>, EndpointListError> =>
  collect(entries, lineOf, (entry, line) => endpointOf(entry, names, line))

/** Scopes that a list may name, and which is the riskier: a catalogue knows. */
interface Names {
  readonly isScope: (name: string) => name is Scope
  readonly byRisk: Order.Order<ScopeName>
}

export const fail = (problems: ReadonlyArray<Problem>) => Result.fail(new EndpointListError({ problems }))

const decodeList = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))

const decodeEntry = Schema.decodeUnknownResult(OperationEntry, { onExcessProperty: "error" })

const collect = <A>(
  entries: ReadonlyArray<A>,
  lineOf: (index: number) => number,
  parseEntry: (entry: A, line: number) => Endpoint | string
): Result.Result<ReadonlyArray<Endpoint>, EndpointListError> => {
  const problems: Array<Problem> = []
  const endpoints: Array<Endpoint> = []
  for (const [index, entry] of entries.entries()) {
    const line = lineOf(index)
    const endpoint = parseEntry(entry, line)
    if (typeof endpoint === "string") problems.push({ line, problem: endpoint })
    else endpoints.push(endpoint)
  }
  return problems.length > 0 ? fail(problems) : Result.succeed(endpoints)
}

const endpointOf = (entry: OperationEntry, names: Names, line: number): Endpoint | string => {
  const { method, neverForApps, path } = entry
  const template = parseTemplate(path, entry.case === "exact")
  if (typeof template === "string") return template
  const requirement = parseRequirement(entry, names)
  if (typeof requirement === "string") return requirement
  return { method, path, template, requirement, line, ...(neverForApps === undefined ? {} : { neverForApps }) }
}

const parseRequirement = (entry: OperationEntry, names: Names): Requirement | string => {
  if (entry.access === "public") return Requirement.Public()
  if (entry.access === "closed") {
    return entry.neverForApps === undefined ? Requirement.LegacyGrant() : Requirement.Closed({ reason: "closed" })
  }
  const needed = parseNeeded(entry, names)
  if (typeof needed === "string") return needed
  return entry.access === "scope" ? Requirement.Scope(needed) : Requirement.ScopeIfToken(needed)
}

const parseNeeded = (
  { scope, ...several }: OperationEntry,
  { byRisk, isScope }: Names
): ScopesNeeded | string => {
  const names = several.allOf ?? several.anyOf ?? (scope === undefined ? [] : [scope])
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined) return `unknown scope "${unknown}"`
  const scopes = names.filter(isScope)
  const twice = scopes.find((name, at) => scopes.indexOf(name) < at)
  if (twice !== undefined) return `names the scope "${twice}" twice`
  if (!Array.isReadonlyArrayNonEmpty(scopes)) return "needs a scope"
  return several.allOf === undefined ? anyOf(scopes, byRisk) : allOf(scopes)
}
