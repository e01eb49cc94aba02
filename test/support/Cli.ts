// @effect-diagnostics strictEffectProvide:off
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect, Layer, Sink, Stdio, Stream } from "effect"
import { Command } from "effect/cli"
import { spawn } from "node:child_process"
import { format } from "node:util"
import { teardown } from "../../src/doors/cli/Failure.ts"
import { operatorCommands } from "../../src/doors/cli/OperatorCommands.ts"
import * as Slotkey from "../../src/doors/cli/Slotkey.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { temporaryFolder } from "./TestDatabase.ts"

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Surroundings {
  readonly env?: Record<string, string>
  readonly input?: string
  /** Called with each line of standard output as it comes. */
  readonly onLine?: (line: string) => void
}

/** Runs the real CLI in its own process. Its environment holds `PATH` and `env`, nothing else. */
export const slotkeyProcess = (
  args: ReadonlyArray<string>,
  { env = {}, input = "" }: Surroundings = {}
): Effect.Effect<Ran> =>
  Effect.callback<Ran>((resume) => {
    const child = spawn(process.execPath, ["--require=./src/start.cjs", "src/cli.ts", ...args], {
      env: { PATH: process.env["PATH"], ...env }
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk) => stdout += chunk)
    child.stderr.on("data", (chunk) => stderr += chunk)
    child.on("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    // Writing fails if the command exits before it has read its input.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    return Effect.sync(() => child.kill())
  })

/** The same commands in the process of the test, for a start of a process takes a second. */
export const slotkey = (
  args: ReadonlyArray<string>,
  { env = {}, input = "", onLine = () => {} }: Surroundings = {}
): Effect.Effect<Ran> =>
  Effect.suspend(() => {
    let stdout = ""
    let stderr = ""
    const console: Console.Console = Object.assign(Object.create(globalThis.console), {
      log: (...words: ReadonlyArray<unknown>) => {
        stdout += `${format(...words)}\n`
        onLine(format(...words))
      },
      error: (...words: ReadonlyArray<unknown>) => stderr += `${format(...words)}\n`
    })
    const stdio = Stdio.layerTest({
      stderr: () =>
        Sink.forEach((text) =>
          Effect.sync(() => stderr += typeof text === "string" ? text : new TextDecoder().decode(text))
        ),
      args: Effect.succeed([...args]),
      stdin: input === "" ? Stream.empty : Stream.make(new TextEncoder().encode(input))
    })
    const program = Slotkey.run(Slotkey.slotkey.pipe(Command.withSubcommands(operatorCommands))).pipe(
      Effect.provide(Layer.merge(NodeServices.layer, stdio)),
      Effect.provideService(Console.Console, console),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env))
    )
    // A runtime of its own, as in a process: the layers of the test are not shared.
    return Effect.map(Effect.promise((signal) => Effect.runPromiseExit(program, { signal })), (exit) => {
      let code: number | null = null
      teardown(exit, (given) => code = given)
      return { code, stdout, stderr }
    })
  })

/** A data folder with an up-to-date database that no server is using; it is deleted when the scope closes. */
export const migratedFolder = Effect.tap(
  temporaryFolder,
  (folder) => Effect.scoped(Effect.orDie(Layer.build(Database.layerEmbedded(folder, "folder"))))
)
