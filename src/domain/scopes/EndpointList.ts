import { Array, Option, Result, Schema } from "effect"
import { elementLines } from "../JsonArrayElements.ts"
import type { Catalogue } from "./Catalogue.ts"
import { OperationEntry } from "./CatalogueFile.ts"
import { allOf, anyOf, Requirement, type ScopesNeeded } from "./Requirement.ts"
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
  return check(entries.value, names, (index) => lines[index] ?? 1)
}

/** Checks each entry of a list by itself; each has a line of its own below the first unless `lineOf` says otherwise. */
export const check = (
  entries: ReadonlyArray<unknown>,
  names: Names,
  lineOf = (index: number) => index + 2
): Result.Result<ReadonlyArray<Endpoint>, EndpointListError> => {
  const problems: Array<Problem> = []
  const endpoints: Array<Endpoint> = []
  for (const [index, entry] of entries.entries()) {
    const line = lineOf(index)
    const endpoint = parseEntry(entry, names, line)
    if (typeof endpoint === "string") problems.push({ line, problem: endpoint })
    else endpoints.push(endpoint)
  }
  return problems.length > 0 ? fail(problems) : Result.succeed(endpoints)
}

/** Scopes that a list may name, and which of them let an app change something. */
type Names = Pick<Catalogue, "isScope" | "isWrite">

export const fail = (problems: ReadonlyArray<Problem>) => Result.fail(new EndpointListError({ problems }))

const decodeList = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))

const decodeEntry = Schema.decodeUnknownResult(OperationEntry, { onExcessProperty: "error" })

const parseEntry = (entry: unknown, names: Names, line: number): Endpoint | string => {
  const decoded = decodeEntry(entry)
  if (Result.isFailure(decoded)) return decoded.failure.message.replaceAll(/\s+/g, " ")
  const { method, neverForApps, path } = decoded.success
  const template = parseTemplate(path, decoded.success.case === "exact")
  if (typeof template === "string") return template
  const requirement = parseRequirement(decoded.success, names)
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
  { isScope, isWrite }: Names
): ScopesNeeded | string => {
  const names = several.allOf ?? several.anyOf ?? (scope === undefined ? [] : [scope])
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined) return `unknown scope "${unknown}"`
  const scopes = names.filter(isScope)
  const twice = scopes.find((name, at) => scopes.indexOf(name) < at)
  if (twice !== undefined) return `names the scope "${twice}" twice`
  if (!Array.isReadonlyArrayNonEmpty(scopes)) return "needs a scope"
  return several.allOf === undefined ? anyOf(scopes, isWrite) : allOf(scopes)
}
