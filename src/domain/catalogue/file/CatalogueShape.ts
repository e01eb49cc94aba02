import { Option, Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { inWords } from "../../Input.ts"
import { OperationEntry } from "../../operations/OperationEntry.ts"
import { CatalogueFile, LevelEntry, ScopeEntry } from "./CatalogueFile.ts"
import { type Finding, type Place, proposer } from "./CatalogueProblem.ts"

/** What a file has that is in shape. Entries at fault are missing, and the others keep their place. */
export interface Entries {
  readonly levels: ReadonlyArray<LevelEntry | undefined>
  readonly scopes: ReadonlyArray<ScopeEntry | undefined>
  readonly operations: ReadonlyArray<OperationEntry | undefined>
  readonly profile: CatalogueFile["profile"] | undefined
  readonly samples: CatalogueFile["samples"] | undefined
  /** Names of entries at fault as well: who refers to one of these makes no second mistake. */
  readonly scopeNames: ReadonlySet<string>
  readonly levelIds: ReadonlySet<string>
}

interface Decoded {
  readonly entries: Entries
  /** Absent when something is not in shape. */
  readonly file: CatalogueFile | undefined
  readonly findings: ReadonlyArray<Finding>
}

/** Decodes a catalogue; finds all that is not in shape, and keeps the rest, so that its rules can be checked, too. */
export const decode = (value: unknown): Decoded => {
  const decoded = decodeFile(value)
  if (Result.isFailure(decoded)) {
    return { entries: inShape(value), file: undefined, findings: findings(decoded.failure.issue, []) }
  }
  const file = decoded.success
  const scopeNames = new Set(file.scopes.map(({ name }) => name))
  const levelIds = new Set(file.levels.map(({ id }) => id))
  return { entries: { ...file, scopeNames, levelIds }, file, findings: [] }
}

const decodeFile = Schema.decodeUnknownResult(CatalogueFile, {
  errors: "all",
  onExcessProperty: "error",
  reportInput: true
})

const inShape = (value: unknown): Entries => {
  const { levels, operations, profile, samples, scopes } = orNothing(Fields)(value) ?? {}
  const listOf = <A>(entry: Schema.Decoder<A>, list: unknown) => (orNothing(List)(list) ?? []).map(orNothing(entry))
  return {
    levels: listOf(LevelEntry, levels),
    scopes: listOf(ScopeEntry, scopes),
    operations: listOf(OperationEntry, operations),
    profile: orNothing(CatalogueFile.fields.profile)(profile),
    samples: orNothing(CatalogueFile.fields.samples)(samples),
    scopeNames: new Set(listOf(Named, scopes).flatMap((entry) => entry === undefined ? [] : [entry.name])),
    levelIds: new Set(listOf(Identified, levels).flatMap((entry) => entry === undefined ? [] : [entry.id]))
  }
}

const orNothing = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (value: unknown): A | undefined => Option.getOrUndefined(decode(value))
}

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const List = Schema.Array(Schema.Unknown)
const Named = Schema.Struct({ name: Schema.String })
const Identified = Schema.Struct({ id: Schema.String })

/** Findings of a schema in the words of the file. */
const findings = (issue: SchemaIssue.Issue, place: Place): ReadonlyArray<Finding> => {
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
