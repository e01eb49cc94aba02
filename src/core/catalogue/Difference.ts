import { Schema } from "effect"
import { make } from "../../domain/catalogue/Catalogue.ts"
import type { CatalogueFile, ScopeEntry } from "../../domain/catalogue/file/CatalogueFile.ts"
import type { CheckedCatalogue } from "../../domain/catalogue/file/CatalogueRules.ts"
import { alternatives, type Requirement } from "../../domain/scopes/Requirement.ts"
import { type Caller, gained, type Judged } from "./Reach.ts"
import { type SampleCall, sampleCalls } from "./SampleCalls.ts"
import { changedTexts } from "./Texts.ts"

/** Someone who may do what they could not do before, or not any more what they could. */
export const Reach = Schema.Struct({
  /** Scopes that a token has together: none is any token at all. `anyone` has no token, `legacy` is a legacy grant. */
  who: Schema.Union([Schema.Literals(["anyone", "legacy"]), Schema.Array(Schema.String)]),
  /** Operations, as `GET /api/contacts/{id}`, or scopes that these cover from then on. */
  reaches: Schema.Array(Schema.String),
  what: Schema.Literals(["operations", "new operations", "scopes"])
})
export type Reach = typeof Reach.Type

/** What one catalogue has and the other has not. */
export const Difference = Schema.Struct({
  added: Schema.Array(Schema.String),
  /** Retired from then on, or on other days than before. */
  retired: Schema.Array(Schema.String),
  /** Retired before, and not any more. */
  revived: Schema.Array(Schema.String),
  gone: Schema.Array(Schema.String),
  /** Names whose level or access is another one. */
  changed: Schema.Array(Schema.Struct({ scope: Schema.String, change: Schema.String })),
  /** Places whose words for people are others. */
  texts: Schema.Array(Schema.String),
  operations: Schema.Array(Schema.Struct({ operation: Schema.String, before: Schema.String, after: Schema.String })),
  widened: Schema.Array(Reach),
  narrowed: Schema.Array(Reach)
})
export type Difference = typeof Difference.Type

/** What is compared of a catalogue. */
export type Compared = Pick<CheckedCatalogue, "file" | "policy">

/** Compares two catalogues, for all callers and all calls. */
export const compare = (before: Compared, after: Compared): Difference => {
  const [old, next] = [entriesOf(before.file), entriesOf(after.file)]
  const both = [...old.values()].flatMap((was) => {
    const is = next.get(was.name)
    return is === undefined ? [] : [{ was, is, name: was.name }]
  })
  const names = both.map(({ name }) => name)
  const sides = { before: judging(before), after: judging(after) }
  const calls = sampleCalls(before.policy.endpoints, after.policy.endpoints)
  return {
    added: without(next, old),
    gone: without(old, next),
    retired: both.filter(({ is, was }) => is.retired !== undefined && daysOf(is) !== daysOf(was)).map(({ name }) =>
      name
    ),
    revived: both.filter(({ is, was }) => was.retired !== undefined && is.retired === undefined).map(({ name }) =>
      name
    ),
    changed: both.flatMap(({ is, name, was }) => {
      const change = meaningOf(was, is)
      return change === undefined ? [] : [{ scope: name, change }]
    }),
    texts: changedTexts(before.file, after.file),
    operations: changedOperations(before, after),
    widened: [
      ...reached(sides.before, sides.after, calls ?? [], names),
      ...implied(sides.before, sides.after, names),
      ...(calls === undefined ? [unknown] : [])
    ],
    narrowed: reached(sides.after, sides.before, calls ?? [], names).map((reach) => ({
      ...reach,
      what: "operations" as const
    }))
  }
}

/** Who does not know what is widened has to answer for it. */
const unknown: Reach = {
  who: [],
  what: "operations",
  reaches: ["more than could be compared: the operations of both catalogues meet on too many paths"]
}

/**
 * Widening that users have to be asked about, or an operator to answer for. What the API gets is no widening for a
 * legacy grant, whose user has allowed all of it (specification §5.6).
 */
export const needsConsent = ({ what, who }: Reach): boolean => who !== "legacy" || what !== "new operations"

/** Difference of what a name means: another level or access makes it another scope. */
export const meaningOf = (
  was: Pick<ScopeEntry, "access" | "level">,
  is: Pick<ScopeEntry, "access" | "level">
): string | undefined => {
  const changes = [
    ...(was.level === is.level ? [] : [`level ${was.level} → ${is.level}`]),
    ...(was.access === is.access ? [] : [`access ${was.access} → ${is.access}`])
  ]
  return changes.length === 0 ? undefined : changes.join(", ")
}

const daysOf = ({ retired }: ScopeEntry): string => `${retired?.since} ${retired?.until}`

const entriesOf = ({ scopes }: CatalogueFile) => new Map(scopes.map((scope) => [scope.name, scope]))

const without = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): ReadonlyArray<string> =>
  [...one.keys()].filter((name) => !other.has(name))

interface Side {
  readonly judged: (call: SampleCall) => Judged
  readonly operationOf: (call: SampleCall) => string
  readonly isListed: (call: SampleCall) => boolean
  readonly covers: (scope: string, other: string) => boolean
}

const judging = ({ file, policy }: Compared): Side => {
  const catalogue = make(file)
  return {
    judged: ({ method, path }) => ({ requirement: policy.match(method, path), catalogue }),
    operationOf: ({ method, path }) => {
      const { operation } = policy.find(method, path)
      return operation === undefined ? `${method} ${path}` : `${operation.method} ${operation.path}`
    },
    isListed: ({ method, path }) => policy.find(method, path).operation !== undefined,
    covers: (scope, other) => catalogue.covers([scope], other)
  }
}

/** Callers that pass at `after` and not at `before`, each with the operations. */
const reached = (
  before: Side,
  after: Side,
  calls: ReadonlyArray<SampleCall>,
  names: ReadonlyArray<string>
): ReadonlyArray<Reach> => {
  const found = new Map<
    string,
    { readonly who: Reach["who"]; readonly what: Reach["what"]; readonly reaches: Set<string> }
  >()
  for (const call of calls) {
    for (const caller of gained(before.judged(call), after.judged(call), names)) {
      const [who, what] = [whoOf(caller), before.isListed(call) ? "operations" : "new operations"] as const
      const key = JSON.stringify([who, what])
      const reach = found.get(key) ?? { who, what, reaches: new Set<string>() }
      reach.reaches.add(after.operationOf(call))
      found.set(key, reach)
    }
  }
  return [...found.values()].map(({ reaches, ...reach }) => ({ ...reach, reaches: [...reaches].sort() }))
}

const whoOf = (caller: Caller): Reach["who"] => caller === "none" ? "anyone" : caller === null ? "legacy" : caller

/** Scopes that cover older ones from then on, which counts where no operation needs these, too: other guards ask. */
const implied = (before: Side, after: Side, names: ReadonlyArray<string>): ReadonlyArray<Reach> =>
  names.flatMap((scope) => {
    const reaches = names.filter((other) => after.covers(scope, other) && !before.covers(scope, other))
    return reaches.length === 0 ? [] : [{ who: [scope], what: "scopes" as const, reaches }]
  })

const changedOperations = (before: Compared, after: Compared): Difference["operations"] => {
  const [old, next] = [listedOf(before), listedOf(after)]
  return [...new Set([...old.keys(), ...next.keys()])].sort().flatMap((operation) => {
    const [was, is] = [old.get(operation) ?? unlisted, next.get(operation) ?? unlisted]
    return was === is ? [] : [{ operation, before: was, after: is }]
  })
}

const listedOf = ({ policy }: Compared): ReadonlyMap<string, string> =>
  new Map(policy.endpoints.map(({ method, path, requirement }) => [`${method} ${path}`, inWords(requirement)]))

const unlisted = "not listed"

const inWords = (requirement: Requirement): string => {
  switch (requirement._tag) {
    case "Public":
      return "public"
    case "ScopeIfToken":
      return `${scopesOf(requirement)} if there is a token`
    case "Scope":
      return scopesOf(requirement)
    case "LegacyGrant":
      return "closed to all but legacy apps"
    case "Closed":
      return "closed to all apps"
  }
}

const scopesOf = (requirement: Requirement): string =>
  alternatives(requirement).map((together) => together.join(" and ")).join(" or ")
