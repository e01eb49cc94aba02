import { Data, Option, Schema } from "effect"
import { oneOf } from "../../../domain/Listed.ts"
import { isSubset } from "../../../domain/scopes/Scope.ts"
import { inQuotes } from "../../../domain/Text.ts"
import type { SecuritySchemes } from "./SecuritySchemes.ts"

/** Who may call an operation, as far as its security requirements tell. */
export type Condition = Data.TaggedEnum<{
  /** They do not tell, or nothing that a catalogue can say. */
  Unknown: {}
  /** Anyone. */
  Public: {}
  /** A token with all scopes of one of the alternatives, or no token at all where it is `optional`. */
  Scopes: { readonly alternatives: Alternatives; readonly optional: boolean }
  /** Another credential than an access token: "apiKey". */
  Foreign: { readonly takes: string }
}>
export const Condition = Data.taggedEnum<Condition>()

export type Alternatives = ReadonlyArray<ReadonlyArray<string>>

interface Judgement {
  readonly condition: Condition
  /** What a person has to look at. */
  readonly notes: ReadonlyArray<string>
}

/**
 * Judges the security requirements of an operation: any one of them is enough, and all schemes of one are needed. Some
 * documents leave them out and mean nobody in particular, so that nothing said is not public. `admit` tells what is
 * wrong with the name of a scope.
 */
export const judge = (
  security: unknown,
  schemes: SecuritySchemes,
  admit: (scope: string) => string | undefined
): Judgement => {
  if (security === undefined) return unknown("the document does not say who may call it")
  const decoded = decodeSecurity(security)
  if (Option.isNone(decoded)) return unknown("its security is no list of requirements")
  if (decoded.value.length === 0) return { condition: Condition.Public(), notes: [] }

  const requirements = decoded.value.map((requirement) => requirementOf(requirement, schemes))
  const tokens = requirements.filter(({ takesToken }) => takesToken)
  const optional = requirements.some(({ isEmpty }) => isEmpty)
  if (tokens.length === 0) {
    const takes = [...new Set(requirements.map(({ foreign }) => foreign.join(" and ")))]
    return { condition: optional ? Condition.Public() : Condition.Foreign({ takes: oneOf(takes) }), notes: [] }
  }
  // Without a token anyone may call it, and with one as well.
  if (optional && tokens.some(({ scopes }) => scopes.length === 0)) return { condition: Condition.Public(), notes: [] }

  const notes = new Set<string>()
  const usable = tokens.filter(({ foreign, scopes, undeclared }) => {
    const faults = scopes.map(admit).filter((fault) => fault !== undefined)
    for (const name of undeclared) notes.add(`its security scheme ${inQuotes(name)} is not declared`)
    for (const fault of faults) notes.add(fault)
    if (scopes.length === 0) notes.add("the document lets any valid token call it, whatever its scopes")
    const isUsable = scopes.length > 0 && faults.length === 0
    if (isUsable && foreign.length > 0) notes.add(`it also takes ${foreign.join(" and ")}, which your API has to check`)
    return isUsable
  })
  if (usable.length === 0) return { condition: Condition.Unknown(), notes: [...notes] }
  const alternatives = least(usable.map(({ scopes }) => scopes))
  return { condition: Condition.Scopes({ alternatives, optional }), notes: [...notes] }
}

const unknown = (note: string): Judgement => ({ condition: Condition.Unknown(), notes: [note] })

const SecurityRequirement = Schema.Record(Schema.String, Schema.Array(Schema.String))
const decodeSecurity = Schema.decodeUnknownOption(Schema.Array(SecurityRequirement))

const requirementOf = (requirement: typeof SecurityRequirement.Type, { foreign, tokens }: SecuritySchemes) => {
  const names = Object.keys(requirement)
  const ofTokens = names.filter((name) => !foreign.has(name))
  return {
    isEmpty: names.length === 0,
    takesToken: ofTokens.length > 0,
    undeclared: ofTokens.filter((name) => !tokens.has(name)),
    // What else a scheme lists, such as roles of an API key (OpenAPI 3.1), is none of a token's scopes.
    scopes: [...new Set(ofTokens.flatMap((name) => requirement[name] ?? []))],
    foreign: [...new Set(names.flatMap((name) => foreign.get(name) ?? []))]
  }
}

/** Alternatives without those that ask for more than another one does. */
const least = (alternatives: Alternatives): Alternatives =>
  alternatives.filter((one, index) =>
    !alternatives.some((other, at) => at !== index && isSubset(other, one) && (at < index || !isSubset(one, other)))
  )
