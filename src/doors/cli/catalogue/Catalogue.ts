import { Command } from "effect/cli"
import { check } from "./Check.ts"
import { importOpenApi } from "./ImportOpenApi.ts"
import { show } from "./Show.ts"
import { types } from "./Types.ts"

/** `slotkey catalogue …` */
export const catalogue = Command.make("catalogue").pipe(
  Command.withDescription("The catalogue: levels, scopes, and the operations of the platform's API"),
  Command.withSubcommands([check, importOpenApi, show, types])
)
