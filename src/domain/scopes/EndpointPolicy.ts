import { Context, Effect, Layer, Result } from "effect"
import { check, type Endpoint, type EndpointListError, fail, parse, type Problem } from "./EndpointList.ts"
import { type Operation, preflightRules, type Rule, rules } from "./EndpointRules.ts"
import { segments } from "./RequestPath.ts"
import { Requirement } from "./Requirement.ts"
// Not read from a file: a program that uses the library may be bundled, and then has no file beside it.
import catalogue from "./scheduling.catalogue.json" with { type: "json" }
import { isScope } from "./Scope.ts"

/** Scope that each operation of the platform API needs, as the catalogue has it: checked and compiled when loaded. */
export class EndpointPolicy extends Context.Service<EndpointPolicy, Policy>()("slotkey/domain/scopes/EndpointPolicy") {
  static readonly layer: Layer.Layer<EndpointPolicy, EndpointListError> = Layer.effect(
    EndpointPolicy,
    Effect.suspend(() => Effect.fromResult(Result.flatMap(check(catalogue.operations, isScope), compile)))
  )
}

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

/** Checks a list of operations and compiles it. */
export const load = (text: string): Result.Result<Policy, EndpointListError> =>
  Result.flatMap(parse(text, isScope), compile)

/** Compiles operations; fails on two that match the same paths. */
export const compile = (endpoints: ReadonlyArray<Endpoint>): Result.Result<Policy, EndpointListError> => {
  const problems: Array<Problem> = []
  const tries = new Map<string, Node>()
  for (const [method, listed] of Map.groupBy(endpoints, (endpoint) => endpoint.method)) {
    tries.set(method, trie(rules(method, listed, problems)))
  }
  if (problems.length > 0) return fail(problems)

  const get = tries.get("GET")
  if (get !== undefined) tries.set("HEAD", get)
  tries.set("OPTIONS", trie(preflightRules(endpoints)))

  const find = (method: string, target: string): Match => {
    const root = tries.get(method)
    if (root === undefined) return unlisted
    const path = segments(target)
    if (path === undefined) return malformed
    const found = ruleAt(root, path, 0)
    // Many routers ignore case. If that would lead to another operation, nobody passes.
    if (upperCase.test(target) && ruleAt(root, path.map((segment) => segment.toLowerCase()), 0) !== found) {
      return malformed
    }
    return found ?? unlisted
  }
  return Result.succeed({ endpoints, find, match: (method, target) => find(method, target).requirement })
}

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  rule: Rule | undefined
}

const unlisted: Match = { requirement: Requirement.Closed({ reason: "unlisted" }), operation: undefined }
const malformed: Match = { requirement: Requirement.Closed({ reason: "malformed" }), operation: undefined }

/** An upper-case letter, written or escaped; any escape or non-ASCII letter counts, too, and costs a second match. */
const upperCase = /[A-Z%]/

const trie = (all: ReadonlyArray<Rule>): Node => {
  const root = node()
  for (const rule of all) {
    let at = root
    for (const segment of rule.template) at = segment === null ? at.parameter ??= node() : child(at, segment)
    at.rule = rule
  }
  return root
}

const node = (): Node => ({ literals: new Map(), parameter: undefined, rule: undefined })

const child = (at: Node, segment: string): Node => {
  const found = at.literals.get(segment) ?? node()
  at.literals.set(segment, found)
  return found
}

/** Tries literals first. There is a rule for every meeting of two, so the first rule found is the most specific one. */
const ruleAt = (at: Node, path: ReadonlyArray<string>, index: number): Rule | undefined => {
  const segment = path[index]
  if (segment === undefined) return at.rule
  const literal = at.literals.get(segment)
  const found = literal === undefined ? undefined : ruleAt(literal, path, index + 1)
  if (found !== undefined || at.parameter === undefined) return found
  return ruleAt(at.parameter, path, index + 1)
}
