import { Console, Effect, Option } from "effect"
import { CliConfig, Completions, GlobalFlag } from "effect/cli"

const withJson = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: Effect.fnUntraced(function*(shell, { command }) {
    if (Option.isNone(shell)) return
    yield* Console.log(Completions.generate(command.name, shell.value, offerJson(Completions.fromCommand(command))))
  })
})

const offerJson = (command: Completions.CommandDescriptor): Completions.CommandDescriptor => ({
  ...command,
  flags: command.subcommands.length === 0 ? [...command.flags, json] : command.flags,
  subcommands: command.subcommands.map(offerJson)
})

const json: Completions.FlagDescriptor = {
  name: "json",
  aliases: [],
  description: "Print the answer as JSON",
  type: { _tag: "Boolean" },
  negation: false
}

/** Flag `--completions`, whose scripts offer `--json`, too: Effect's leave flags out that all commands have. */
export const completions = CliConfig.layer({
  builtIns: GlobalFlag.BuiltIns.map((builtIn) => builtIn === GlobalFlag.Completions ? withJson : builtIn)
})
