import { Effect, Option } from "effect"
import { CatalogueFile } from "../../../domain/catalogue/file/CatalogueFile.ts"
import { write } from "../../../domain/catalogue/file/WriteCatalogue.ts"
import * as OperatorCommand from "../OperatorCommand.ts"
import { asked } from "./Asked.ts"

/** `slotkey catalogue show` */
export const show = OperatorCommand.make({
  name: "show",
  description: "Print the catalogue of CATALOGUE, or the built-in one, as a file that can be loaded again",
  examples: [
    ["catalogue show", "Which scopes and operations a server with these settings has"],
    ["catalogue show > slotkey.catalogue.json", "Begin a catalogue with the one that is there"]
  ],
  input: {},
  answer: CatalogueFile.annotate({ identifier: "CatalogueFile" }),
  run: Effect.fnUntraced(function*() {
    const { file: path, load } = yield* asked(Option.none())
    const { file } = yield* load
    // Beside the built-in one it is elsewhere.
    return path === null ? { ...file, $schema: "./node_modules/slotkey/catalogue.schema.json" } : file
  }),
  lines: (file) => write(file).trimEnd().split("\n")
})
