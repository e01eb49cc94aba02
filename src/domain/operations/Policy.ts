import { Result } from "effect"
import { Requirement } from "../scopes/Requirement.ts"
import { type Endpoint, type EndpointListError, fail, type Problem } from "./EndpointList.ts"
import { type Operation, preflightRules, type Rule, rules } from "./EndpointRules.ts"
import * as PathTrie from "./PathTrie.ts"
import { beforeSlash, segments, undecoded } from "./RequestPath.ts"
import type { Placed, ShapeRules } from "./ShapeRules.ts"
import { matchesAll } from "./Template.ts"

/** Scope that each operation of the platform API needs. */
export interface Policy {
  readonly endpoints: ReadonlyArray<Endpoint>
  /**
   * Requirement of a call, by method and request target as they came over the wire. `HEAD` requires what `GET`
   * requires. `OPTIONS` is public where an app may use any method at all: a CORS preflight carries no credentials.
   */
  match(method: string, target: string): Requirement
  /** Same with the listed operation, if the call is one. */
  find(method: string, target: string): Match
}

interface Match {
  readonly requirement: Requirement
  readonly operation: Operation | undefined
}

/** Compiles operations; fails on those that nobody could tell apart. */
export const compile = (endpoints: ReadonlyArray<Endpoint>): Result.Result<Policy, EndpointListError> => {
  const problems: Array<Problem> = []
  const byMethod = new Map<string, ShapeRules<Rule> | undefined>()
  for (const [method, listed] of Map.groupBy(endpoints, (endpoint) => endpoint.method)) {
    byMethod.set(method, rules(method, listed, problems))
  }
  if (problems.length === 0) byMethod.set("OPTIONS", preflightRules(endpoints, problems))
  if (problems.length > 0) return fail(problems)
  const get = byMethod.get("GET")
  if (get !== undefined) byMethod.set("HEAD", get)

  const find = (method: string, target: string): Match => {
    const rules = byMethod.get(method)
    if (rules === undefined) return unlisted
    const path = segments(target)
    if (path !== undefined) {
      if (!rules.hasUpperCase && !upperCase.test(target)) return PathTrie.find(rules.plain, path, 0)?.rule ?? unlisted
      return agreed(rules.plain, path, target) ?? unlisted
    }
    const before = rules.slashed === undefined ? undefined : beforeSlash(target)
    if (rules.slashed === undefined || before === undefined) return malformed
    const slashed = before === "" ? [] : segments(before)
    return slashed === undefined ? malformed : agreed(rules.slashed, slashed, before) ?? malformed
  }
  return Result.succeed({ endpoints, find, match: (method, target) => find(method, target).requirement })
}

const unlisted: Match = { requirement: Requirement.Closed({ reason: "unlisted" }), operation: undefined }
const malformed: Match = { requirement: Requirement.Closed({ reason: "malformed" }), operation: undefined }

/** Rule of a path, if all routers read it alike. If one would find another operation, nobody passes. */
const agreed = (
  rules: PathTrie.PathTrie<Placed<Rule>>,
  path: ReadonlyArray<string>,
  target: string
): Match | undefined => {
  const isLower = !upperCase.test(target)
  // Many routers ignore case. They find what is found in lower case; others find the same if it is written like that.
  const isUnusual = !isLower && unusual.test(target)
  const found = PathTrie.find(rules, isLower ? path : lowerCase(path, isUnusual), 0)
  if (found === undefined) return undefined
  if (found.shape === undefined || !matchesAll(found.shape, path)) return malformed
  if (!isUnusual) return found.rule
  // Some look for an operation before they decode, so `%3A` is no colon to them.
  const raw = undecoded(target)
  const isAlike = PathTrie.find(rules, lowerCase(raw, true), 0) === found && matchesAll(found.shape, raw)
  return isAlike ? found.rule : malformed
}

/** An upper-case letter, written or escaped; any escape or non-ASCII letter counts, too, and costs a second look. */
const upperCase = /[A-Z%]/

/** Escape of a non-ASCII letter, or of a character that a listed path may have and that means another thing escaped. */
const unusual = /%(?:[89A-Fa-f]|2[4789Cc]|3[ADad]|40)/

/** Letters beyond ASCII may have the upper case of an ASCII one, as `ſ` has `S`. */
const lowerCase = (path: ReadonlyArray<string>, isUnusual: boolean): ReadonlyArray<string> =>
  path.map((segment) => isUnusual ? segment.toUpperCase().toLowerCase() : segment.toLowerCase())
