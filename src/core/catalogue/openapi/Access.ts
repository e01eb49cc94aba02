import type { OperationEntry } from "../../../domain/operations/OperationEntry.ts"
import { isSubset } from "../../../domain/scopes/Scope.ts"
import { type Alternatives, Condition } from "./Condition.ts"

// Conditions of a document in the words of a catalogue, and the other way round.

type Access = Pick<OperationEntry, "access" | "allOf" | "anyOf" | "neverForApps" | "scope">

/** Entry for a condition; of one that has no form there, the note says what was left out to be stricter. */
export const accessFor = (condition: Condition): { readonly access: Access; readonly note?: string } => {
  switch (condition._tag) {
    case "Unknown":
      return { access: { access: "closed" } }
    case "Public":
      return { access: { access: "public" } }
    case "Foreign":
      return { access: { access: "closed", neverForApps: `${takes}${condition.takes}` } }
    case "Scopes": {
      const { alternatives, optional } = condition
      const access = optional ? "scope-if-token" : "scope"
      const [first = [], ...others] = alternatives
      const singles = alternatives.filter(({ length }) => length === 1).flat()
      const [single] = singles
      if (others.length === 0 && singles.length === 0) return { access: { access, allOf: first } }
      const taken: Access = single === undefined
        ? { access, allOf: first }
        : singles.length === 1
        ? { access, scope: single }
        : { access, anyOf: singles }
      if (singles.length === alternatives.length) return { access: taken }
      return { access: taken, note: `the document is less strict, which has no form here: ${inWords(condition)}` }
    }
  }
}

/** Tests if an entry says what the document says. What the document leaves open, or has no form, may be stricter. */
export const agrees = (entry: Access, condition: Condition): boolean => {
  const said = conditionOf(entry)
  // An operation that was closed by hand, with a reason of its own, stays so.
  if (entry.neverForApps !== undefined && !entry.neverForApps.startsWith(takes)) return true
  switch (condition._tag) {
    case "Unknown":
      return true
    case "Public":
      return said._tag === "Public"
    case "Foreign":
      return entry.access === "closed"
    case "Scopes":
      return said._tag === "Scopes" && said.optional === condition.optional &&
        isWithin(said.alternatives, condition.alternatives) &&
        (isWithin(condition.alternatives, said.alternatives) || accessFor(condition).note !== undefined)
  }
}

/** Text for people: "contacts.read or deals.read". */
export const inWords = (condition: Condition): string => {
  switch (condition._tag) {
    case "Unknown":
      return "closed"
    case "Public":
      return "public"
    case "Foreign":
      return `closed, ${takes}${condition.takes}`
    case "Scopes":
      return condition.alternatives.map((scopes) => scopes.join(" and ")).join(", or ") +
        (condition.optional ? ", if there is a token" : "")
  }
}

/** The condition that an entry states. */
export const conditionOf = ({ access, allOf, anyOf, scope }: Access): Condition => {
  if (access === "public") return Condition.Public()
  if (access === "closed") return Condition.Unknown()
  const alternatives: Alternatives = allOf === undefined
    ? (anyOf ?? (scope === undefined ? [] : [scope])).map((name) => [name])
    : [allOf]
  return Condition.Scopes({ alternatives, optional: access === "scope-if-token" })
}

/** Tests if each way in is one of the others' as well. */
const isWithin = (ones: Alternatives, others: Alternatives): boolean =>
  ones.every((one) => others.some((other) => isSubset(other, one)))

/** Beginning of the reason that an import gives for operations without tokens. */
const takes = "takes "
