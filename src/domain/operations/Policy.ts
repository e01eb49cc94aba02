import { Result } from "effect"
import { Requirement } from "../scopes/Requirement.ts"
import { type Endpoint, type EndpointListError, fail, Method, type Problem } from "./EndpointList.ts"
import { type Operation, type Rule, rules } from "./EndpointRules.ts"
import * as PathTrie from "./PathTrie.ts"
import { beforeSlash, pathOf, segments, undecoded } from "./RequestPath.ts"
import type { Placed, ShapeRules } from "./ShapeRules.ts"
import { matchesAll } from "./Template.ts"

/** Scope that each operation of the platform API needs. */
export interface Policy {
  readonly endpoints: ReadonlyArray<Endpoint>
  /**
   * Requirement of a call, by method and request target as they came over the wire. `HEAD` requires what `GET`
   * requires. `OPTIONS` is public where an app may use any method at all, because a CORS preflight carries no
   * credentials, and else is refused as the first of the methods that are listed there.
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
  if (problems.length > 0) return fail(problems)
  const get = byMethod.get("GET")
  if (get !== undefined) byMethod.set("HEAD", get)

  const find = (method: string, target: string): Match => {
    const rules = byMethod.get(method)
    if (rules === undefined) return method === "OPTIONS" ? preflight(target) : unlisted
    // What the query holds is nobody's path, so it costs no second look.
    const written = pathOf(target)
    const path = segments(written)
    if (path !== undefined) {
      const isLower = !upperCase.test(written)
      if (isLower && !rules.hasUpperCase) return PathTrie.find(rules.plain, path, 0)?.rule ?? unlisted
      return agreed(rules.plain, path, written, isLower) ?? unlisted
    }
    const before = rules.slashed === undefined ? undefined : beforeSlash(written)
    if (rules.slashed === undefined || before === undefined) return malformed
    const slashed = before === "" ? [] : segments(before)
    if (slashed === undefined) return malformed
    return agreed(rules.slashed, slashed, before, !upperCase.test(before)) ?? malformed
  }
  const preflight = (target: string): Match => {
    const found = Method.literals.map((method) => find(method, target))
    const isOpen = ({ requirement }: Match) => requirement._tag !== "Closed"
    const { operation, requirement } = found.find(isOpen) ?? found.find((one) => one !== unlisted) ?? unlisted
    return {
      requirement: requirement._tag === "Closed" ? requirement : Requirement.Public(),
      operation: operation && { method: "OPTIONS", path: operation.path }
    }
  }
  return Result.succeed({ endpoints, find, match: (method, target) => find(method, target).requirement })
}

const unlisted: Match = { requirement: Requirement.Closed({ reason: "unlisted" }), operation: undefined }
const malformed: Match = { requirement: Requirement.Closed({ reason: "malformed" }), operation: undefined }

/** Rule of a path, if all routers read it alike. If one would find another operation, nobody passes. */
const agreed = (
  rules: PathTrie.PathTrie<Placed<Rule>>,
  path: ReadonlyArray<string>,
  written: string,
  isLower: boolean
): Match | undefined => {
  // Many routers ignore case. They find what is found in lower case; others find the same if it is written like that.
  const isUnusual = !isLower && unusual.test(written)
  const found = PathTrie.find(rules, isLower ? path : lowerCase(path, isUnusual), 0)
  if (found === undefined) return undefined
  if (found.shape === undefined || !matchesAll(found.shape, path)) return malformed
  if (!isUnusual) return found.rule
  // Some look for an operation before they decode, so `%3A` is no colon to them.
  const raw = undecoded(written)
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
