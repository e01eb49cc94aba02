import { Effect, Schema } from "effect"
import { Argument } from "effect/cli"
import { loadCatalogue } from "../../../foundation/config/LoadCatalogue.ts"
import * as OperatorCommand from "../OperatorCommand.ts"

/** `slotkey catalogue types` */
export const types = OperatorCommand.make({
  name: "types",
  description: "Print the declaration by which TypeScript knows the scopes of a catalogue in programs that use slotkey",
  examples: [["catalogue types slotkey.catalogue.json > slotkey.d.ts", "Completion and errors for your own scopes"]],
  input: { file: Argument.String("file").pipe(Argument.withDescription("A catalogue")) },
  answer: Schema.Struct({ declaration: Schema.String }),
  run: Effect.fnUntraced(function*({ file: path }) {
    const { file } = yield* loadCatalogue(path)
    return { declaration: declarationOf(file.scopes.map(({ name }) => name)) }
  }),
  lines: ({ declaration }) => declaration.split("\n")
})

// The import makes the file a module, which may add to what the package declares (TypeScript handbook, "Declaration
// Merging").
const declarationOf = (names: ReadonlyArray<string>): string =>
  `// Made by \`slotkey catalogue types\`: make it again when the catalogue changes.
import "slotkey"

declare module "slotkey" {
  interface Register {
    catalogue: {
      scope:${names.map((name) => `\n        | ${JSON.stringify(name)}`).join("")}
    }
  }
}`
