import { Schema, SchemaIssue, Struct } from "effect"
import { allOf } from "./Listed.ts"
import { sentences } from "./RuleSentences.ts"

/** Name of a rule that a field of an input can break. */
export type RuleCode = keyof typeof sentences

/** Data of the sentence, by the names in its braces. */
type RuleValues<C extends RuleCode> = Readonly<Record<NamesIn<(typeof sentences)[C]>, RuleValue>>
type RuleValue = string | number | ReadonlyArray<string>

type NamesIn<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type PlainCode = { [C in RuleCode]: [NamesIn<(typeof sentences)[C]>] extends [never] ? C : never }[RuleCode]

/** A name of its own for the declarations of the package, which would list all codes in the place of it. */
interface BrokenRule extends
  Schema.Codec<{
    /** Says in English, for programs, what is wrong; it goes on from the name of the field. */
    readonly message: string
    /** The same for pages, which say it in the language of their reader. */
    readonly rule: Rule
  }>
{}

export interface Rule {
  readonly code: RuleCode
  readonly values: Readonly<Record<string, RuleValue>>
}

export const Rule: Schema.Codec<Rule> = Schema.Struct({
  code: Schema.Literals(Struct.keys(sentences)),
  values: Schema.Record(
    Schema.String,
    Schema.Union([Schema.String, Schema.Number, Schema.Array(Schema.String)])
  )
})

/** A rule that was broken, with what its sentence is made of. */
export const Broken: BrokenRule = Schema.Struct({ message: Schema.String, rule: Rule })
export type Broken = typeof Broken.Type

/** Breaks a rule. */
export const broken: {
  (code: PlainCode): Broken
  <C extends RuleCode>(code: C, values: RuleValues<C>): Broken
} = (code: RuleCode, values: Rule["values"] = {}) => ({
  message: sentences[code].replaceAll(/\{(\w+)\}/g, (_, name) => inWords(values[name])),
  rule: { code, values }
})

const inWords = (value: RuleValue = ""): string => typeof value === "object" ? allOf(value) : String(value)

/** Check of a schema: finds the rule that a value breaks. */
export const ruled = <A>(find: (value: A) => Broken | undefined) =>
  Schema.makeFilter<A>((value) => {
    const found = find(value)
    return found === undefined ? undefined : breach(found)
  })

/** Issue of a value that breaks a rule. */
export const breach = (found: Broken): SchemaIssue.Issue => new SchemaIssue.InvalidValue({ ...found })
