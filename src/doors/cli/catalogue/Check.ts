import { Effect, Result, Schema } from "effect"
import { BadRequest } from "../../../domain/ApiError.ts"
import { hashOf } from "../../../domain/catalogue/file/CatalogueHash.ts"
import { counted } from "../../../domain/Counted.ts"
import { Problem, sentenceOf } from "../../../domain/files/FileProblem.ts"
import * as OperatorCommand from "../OperatorCommand.ts"
import { asked, file } from "./Asked.ts"

const Findings = Schema.Struct({
  /** `null` for the built-in catalogue. */
  file: Schema.NullOr(Schema.String),
  /** What it means, in one word; `null` if it cannot be used. */
  hash: Schema.NullOr(Schema.String),
  scopes: Schema.Int,
  operations: Schema.Int,
  problems: Schema.Array(Problem),
  warnings: Schema.Array(Problem)
})

/** `slotkey catalogue check` */
export const check = OperatorCommand.make({
  name: "check",
  description: "Say all that is wrong with a catalogue, with line and place; no server and no database is asked",
  examples: [
    ["catalogue check slotkey.catalogue.json", "Before it is used, and in the CI of what it is for"],
    ["catalogue check --json", "The one of CATALOGUE, or the built-in one, for a program"]
  ],
  input: { file },
  answer: Findings,
  run: Effect.fnUntraced(function*({ file: named }) {
    const { file, load } = yield* asked(named)
    const checked = yield* Effect.result(load)
    if (Result.isFailure(checked)) {
      return { file, hash: null, scopes: 0, operations: 0, problems: checked.failure.problems, warnings: [] }
    }
    const { file: { operations, scopes }, warnings } = checked.success
    const hash = hashOf(checked.success.file)
    return { file, hash, scopes: scopes.length, operations: operations.length, problems: [], warnings }
  }),
  lines: ({ file, hash, operations, problems, scopes, warnings }) => {
    const name = file ?? "The built-in catalogue"
    const told = [...problems.map(sentenceOf), ...warnings.map((warning) => `warning: ${sentenceOf(warning)}`)]
    return [
      hash === null
        ? `${name} has ${counted(problems.length, "problem")}:`
        : `${name} can be used: ${counted(scopes, "scope")}, ${counted(operations, "operation")}, hash ${hash}`,
      ...told.map((line) => `  ${line}`)
    ]
  },
  verdict: ({ hash }) => hash === null ? unusable : undefined
})

const unusable = new BadRequest({ code: "catalogue_unusable", message: "The catalogue cannot be used." })
