import { Context, Option } from "effect"
import type { Command } from "effect/cli"
import { Answer } from "../../src/doors/cli/OperatorCommand.ts"
import { operatorCommands } from "../../src/doors/cli/OperatorCommands.ts"

/** A command that does something, with the words that call it. */
export interface Leaf {
  readonly path: string
  readonly command: Command.Command.Any
}

export const leaves = (command: Command.Command.Any, path: string): ReadonlyArray<Leaf> =>
  command.subcommands.length === 0
    ? [{ path, command }]
    : command.subcommands.flatMap(({ commands }) => commands.flatMap((sub) => leaves(sub, `${path} ${sub.name}`)))

/** All commands of operators. */
export const commands = operatorCommands.flatMap((command) => leaves(command, command.name))

/** Shape of what the command prints with `--json`. */
export const answerOf = ({ command }: Leaf) => Option.getOrThrow(Context.getOption(command.annotations, Answer))
