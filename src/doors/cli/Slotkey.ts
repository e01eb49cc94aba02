// @effect-diagnostics strictEffectProvide:off
import { Effect } from "effect"
import { Command } from "effect/cli"
import manifest from "../../../package.json" with { type: "json" }
import * as Logging from "../../foundation/log/Logging.ts"
import { completions } from "./Completions.ts"
import { explainFailure, explainInvocation } from "./Failure.ts"
import { Json } from "./OperatorCommand.ts"

/** Command `slotkey`, whose subcommands are those of operators and those that run the processes. */
export const slotkey = Command.make("slotkey").pipe(
  Command.withDescription("Commands for the operators of a Slotkey server")
)

/** Runs the command with its subcommands on the arguments of the process. */
export const run = <Input, E, R>(command: Command.Command<"slotkey", Input, {}, E, R>) =>
  command.pipe(
    Command.withGlobalFlags([Json]),
    Command.run({ version: manifest.version }),
    explainFailure,
    Effect.provide([Logging.layerCommand, explainInvocation, completions])
  )
