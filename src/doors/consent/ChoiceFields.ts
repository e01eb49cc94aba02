import { Schema, Struct } from "effect"
import { type Choice, chosenEnds } from "../../core/consent/Choice.ts"
import type { Parameters } from "../../domain/Parameters.ts"

/** Name of the checkbox of a scope that the user may decline. */
export const scopeField = (scope: string): string => `${prefix}${scope}`

/** Choice in the form of a decision; `undefined` where no button of the page sent it. */
export const choiceIn = (fields: Parameters): Choice | undefined => {
  const decision = fields.get("decision")
  const end = fields.get("end") ?? "server"
  if (!isDecision(decision) || !isEnd(end)) return undefined
  const ticked = [...fields.keys()].flatMap((name) => name.startsWith(prefix) ? [name.slice(prefix.length)] : [])
  return { decision, ticked, end }
}

const prefix = "scope:"
const isDecision = Schema.is(Schema.Literals(["allow", "see", "keep", "deny"]))
const isEnd = Schema.is(Schema.Literals(["server", ...Struct.keys(chosenEnds)]))
