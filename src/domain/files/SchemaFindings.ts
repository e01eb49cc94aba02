import { SchemaAST, SchemaIssue } from "effect"
import { inWords } from "../Input.ts"
import { type Finding, type Place, proposer } from "./FileProblem.ts"

/** Findings of a schema in the words of the file. */
export const findings = (issue: SchemaIssue.Issue, place: Place): ReadonlyArray<Finding> => {
  switch (issue._tag) {
    case "Pointer":
      return findings(issue.issue, [...place, ...issue.path.map((key) => typeof key === "number" ? key : String(key))])
    case "Composite":
      return issue.issues.flatMap((part) => findings(part, place))
    case "AnyOf":
      return issue.issues.length > 0
        ? issue.issues.flatMap((part) => findings(part, place))
        : [{ place, problem: mistaken(issue) }]
    case "MissingKey":
      return [{ place, problem: "is required" }]
    case "UnexpectedKey":
      return [{ place, problem: unknownKey(issue, String(place.at(-1))) }]
    default:
      return [{ place, problem: mistaken(issue) }]
  }
}

const unknownKey = ({ ast }: SchemaIssue.UnexpectedKey, key: string): string => {
  const message = ast.annotations?.["messageUnexpectedKey"]
  if (typeof message === "string") return message
  const known = SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
  return `"${key}" is no key here.${proposer(known)(key)}`
}

/** Fault of one value; of a word that is none of some, with a proposal. */
const mistaken = (issue: SchemaIssue.Issue): string => {
  const [{ message = "" } = {}] = formatted(issue).issues
  const problem = inWords(message.replace(/, got [^]*$/, ""), false)
  const words = [...problem.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word)
  const given = SchemaIssue.hasInput(issue) && typeof issue.input === "string" ? issue.input : undefined
  return given === undefined || !problem.startsWith("must be \"") ? problem : `${problem}.${proposer(words)(given)}`
}

const formatted = SchemaIssue.makeFormatterStandardSchemaV1()
