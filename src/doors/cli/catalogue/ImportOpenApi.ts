import { Effect, FileSystem, Option, Schema, Struct } from "effect"
import { Argument, Flag } from "effect/cli"
import { withAdditions } from "../../../core/catalogue/openapi/CatalogueEdits.ts"
import { drift, noDrift } from "../../../core/catalogue/openapi/Drift.ts"
import { newCatalogue } from "../../../core/catalogue/openapi/NewCatalogue.ts"
import type { Level } from "../../../core/catalogue/openapi/ScopeGuesses.ts"
import { todoOfNew, todoOfUpdate, user } from "../../../core/catalogue/openapi/Todo.ts"
import { BadRequest, Conflict } from "../../../domain/ApiError.ts"
import { LevelEntry } from "../../../domain/catalogue/file/CatalogueFile.ts"
import { largestFile, read } from "../../../domain/catalogue/file/ReadCatalogue.ts"
import { optionalText } from "../Flags.ts"
import * as InputFile from "../InputFile.ts"
import * as OperatorCommand from "../OperatorCommand.ts"
import { Comparison, comparison, linesOf } from "./Comparison.ts"

/** `slotkey catalogue import-openapi` */
export const importOpenApi = OperatorCommand.make({
  name: "import-openapi",
  description: "Make a catalogue from an OpenAPI document, or compare one to it; no server and no database is asked",
  examples: [
    ["catalogue import-openapi openapi.yaml --out slotkey.catalogue.json", "Begin a catalogue; look for TODO in it"],
    [
      "catalogue import-openapi openapi.yaml --update slotkey.catalogue.json",
      "Add what is new in the document, and tell what is changed or gone"
    ],
    [
      "catalogue import-openapi openapi.yaml --check slotkey.catalogue.json",
      "In the CI of an API: fails when the catalogue lacks an operation or a scope, or says something else of one"
    ]
  ],
  input: {
    file: Argument.String("file").pipe(Argument.withDescription("An OpenAPI 3 document, YAML or JSON")),
    out: optionalText("out", "Write a new catalogue to this file"),
    update: optionalText("update", "Add to this catalogue what it lacks, and leave everything else as it is"),
    check: optionalText("check", "Compare this catalogue to the document, and write nothing"),
    prefix: optionalText("prefix", "Base path of all operations, instead of what the document says: /api"),
    level: Flag.String("level").pipe(
      Flag.withDescription(
        "With --out: a level of scopes, and the path parameter that names its object: workspace=workspaceId. Can be repeated; " +
          "the first one is for scopes that show no other"
      ),
      Flag.atLeast(0)
    )
  },
  answer: Comparison,
  run: Effect.fnUntraced(function*({ check, file, level, out, prefix, update }) {
    if ([out, update, check].filter(Option.isSome).length !== 1) return yield* whichFile
    if (level.length > 0 && Option.isNone(out)) return yield* levelsAreThere
    const given = yield* Effect.forEach(level, levelOf)
    const text = yield* InputFile.wholeText(file, longestDocument)
    // Loaded by this command alone: no other needs to read YAML.
    const { draft } = yield* Effect.promise(() => import("../../../core/catalogue/openapi/CatalogueDraft.ts"))
    const drafted = (levels: ReadonlyArray<Level>) =>
      Effect.fromResult(draft(text, { levels, prefix: Option.getOrUndefined(prefix) }))

    if (Option.isSome(out)) {
      const found = yield* drafted(given.length > 0 ? given : [user])
      yield* write(out.value, newCatalogue(found), "wx")
      return comparison(found, noDrift, { written: out.value, todo: todoOfNew(found) })
    }
    const catalogueFile = Option.getOrThrow(Option.orElse(update, () => check))
    const old = yield* InputFile.wholeText(catalogueFile, largestFile)
    const { file: catalogue } = yield* Effect.mapError(
      Effect.fromResult(read(new TextEncoder().encode(old), catalogueFile)),
      ({ message }) => new BadRequest({ code: "catalogue_unusable", message })
    )
    const found = yield* drafted(catalogue.levels)
    const differences = drift(catalogue, found)
    if (Option.isSome(check)) return comparison(found, differences, { checked: catalogueFile })
    const updated = withAdditions(old, differences.added)
    if (updated === old) return comparison(found, differences, {})
    yield* write(catalogueFile, updated, "w")
    return comparison(found, differences, { written: catalogueFile, todo: todoOfUpdate(differences.added) })
  }),
  lines: linesOf,
  verdict: ({ added, changed, checked }) =>
    checked !== null && added.operations.length + added.scopes.length + changed.length > 0
      ? catalogueBehind
      : undefined
})

/** Writes a file, with "wx" one that is not there yet. */
const write = (path: string, text: string, flag: "w" | "wx") =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.writeFileString(path, text, { flag })).pipe(
    Effect.mapError(() =>
      new BadRequest({
        code: "file_unwritable",
        message: flag === "w"
          ? `The file ${path} cannot be written.`
          : `The file ${path} exists or cannot be written: --update adds to one that exists.`
      })
    )
  )

/** In characters. The longest documents that are published have some twelve million. */
const longestDocument = 2 ** 24

/** Level that a flag names, such as `workspace=workspaceId`. */
const levelOf = (flag: string): Effect.Effect<Level, BadRequest> => {
  const [id, ...parameter] = flag.split("=")
  return Effect.mapError(
    decodeLevel({ id, ...parameter.length === 0 ? {} : { parameter: parameter.join("=") } }),
    () =>
      new BadRequest({
        code: "level_malformed",
        message: `The level "${flag}" is no name, or a name and a path parameter such as workspace=workspaceId.`
      })
  )
}

const decodeLevel = Schema.decodeUnknownEffect(LevelEntry.mapFields(Struct.pick(["id", "parameter"])))

const whichFile = new BadRequest({
  code: "file_missing",
  message: "Say one of --out, --update and --check, with the file of the catalogue."
})

const levelsAreThere = new BadRequest({
  code: "level_superfluous",
  message: "--level goes with --out: a catalogue that is there has its levels."
})

const catalogueBehind = new Conflict({
  code: "catalogue_behind",
  message:
    "The catalogue does not say what the document says. --update adds what is new; the rest is for you to decide."
})
