import { Effect, Result, Schema, SchemaIssue } from "effect"
import { BadRequest } from "./ApiError.ts"
import { oneOf } from "./Listed.ts"
import { Broken, broken, type Rule } from "./Rule.ts"

export interface Fault {
  readonly path: string
  readonly message: string
  /** Rule by which pages say it; programs read the message. */
  readonly rule?: Rule
}

/** Decodes a caller's input; the error names every field at fault. */
export const decode =
  <S extends Schema.Decoder<unknown>>(schema: S) => (input: unknown): Effect.Effect<S["Type"], BadRequest> =>
    Schema.decodeUnknownEffect(schema)(input, { errors: "all" }).pipe(
      Effect.mapError(({ issue }) => invalid(faults(issue)))
    )

/** Error that names these fields. */
export const invalid = (details: ReadonlyArray<Fault>): BadRequest =>
  new BadRequest({ code: "invalid_input", message: "Some fields are not valid; nothing was changed.", details })

/** Faults of a part of a form, to be shown with those of the other parts. */
export const faultsOf = (part: Result.Result<unknown, BadRequest>): ReadonlyArray<Fault> =>
  Result.isFailure(part) ? part.failure.details ?? [] : []

/** Faults that decoding found, as far as anybody reads them: a list with thousands of wrong entries has as many. */
export const faults = (issue: SchemaIssue.Issue): ReadonlyArray<Fault> => {
  const { issues, rules } = told(issue)
  return issues.slice(0, mostTold).map(({ message, path = [] }) => {
    const rule = rules.get(message)
    return {
      path: path.map((segment) => String(typeof segment === "object" ? segment.key : segment)).join("."),
      message: inWords(message, path.length === 0),
      ...(rule === undefined ? {} : { rule })
    }
  })
}

/** A fault in the words of our own rules, such as `must be a string`: schemas write `Expected string`. */
export const inWords = (message: string, isWhole: boolean): string => {
  const expected = /^Expected (.*)$/s.exec(message)?.[1]
  if (expected === undefined) return message
  // The whole has the name of its schema, which callers do not know.
  if (isWhole) return expected === "a valid JSON body" ? "must be valid JSON" : "must be a JSON object"
  return `must be ${oneOf(expected.split(" | ").map((type) => types[type] ?? type))}`
}

const types: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object"
}

/**
 * Faults of a query. A parameter that came several times has no value: the fault says that, and not what its type
 * should be.
 */
export const queryFaults = (
  issue: SchemaIssue.Issue,
  query: Readonly<Record<string, string | ReadonlyArray<string>>>
): ReadonlyArray<Fault> =>
  faults(issue).map((fault) =>
    typeof query[fault.path] === "object" && fault.message !== unknownField
      ? { path: fault.path, message: "may come only once" }
      : fault
  )

const mostTold = 50
const unknownField = "is not a known field"

/**
 * Messages of an issue, and the rules that they come from. Formatters hand on nothing but messages, so the rules are
 * kept aside by them: the sentence of a rule is no other's.
 */
const told = (issue: SchemaIssue.Issue) => {
  const rules = new Map<string, Rule>()
  const note = (annotations: unknown) => {
    if (isBroken(annotations)) rules.set(annotations.message, annotations.rule)
  }
  const { issues } = SchemaIssue.makeFormatterStandardSchemaV1({
    // Callers know fields, and not the keys and properties of schemas.
    leafHook: (issue) => {
      if (issue._tag === "UnexpectedKey") return unknownField
      if (issue._tag === "MissingKey") {
        note(required)
        return issue.annotations?.messageMissingKey ?? required.message
      }
      note("annotations" in issue ? issue.annotations : "ast" in issue ? issue.ast.annotations : undefined)
      return SchemaIssue.defaultLeafHook(issue)
    },
    checkHook: (issue) => {
      note(issue.filter.annotations)
      if (issue.issue._tag === "InvalidValue") note(issue.issue.annotations)
      return SchemaIssue.defaultCheckHook(issue)
    }
  })(issue)
  return { issues, rules }
}

const isBroken = Schema.is(Broken)
const required = broken("required")
