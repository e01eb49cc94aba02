import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { slotkey } from "../../support/Cli.ts"
import { commands } from "../../support/CommandTree.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

const script = (shell: string) => Effect.map(slotkey(["--completions", shell]), ({ stdout }) => stdout)

const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0

/** What the shell prints that runs these lines. */
const runIn = (shell: string, options: ReadonlyArray<string>, lines: string) =>
  Effect.map(temporaryFolder, (folder) => {
    const file = join(folder, "script")
    writeFileSync(file, lines)
    const env = { PATH: process.env["PATH"], HOME: folder }
    const { status, stderr, stdout } = spawnSync(shell, [...options, file], { encoding: "utf8", env })
    assert.deepStrictEqual([status, stderr], [0, ""])
    return stdout
  })

describe("slotkey --completions", () => {
  it.effect("prints a script for bash that completes every command, and its flags", () =>
    Effect.gen(function*() {
      const bash = yield* script("bash")
      const completed = (words: ReadonlyArray<string>) =>
        `COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; ` +
        `COMP_LINE="${words.join(" ")}"; COMPREPLY=(); _slotkey; echo "\${COMPREPLY[*]}"\n`
      const calls = commands.map(({ path }) => completed(["slotkey", ...path.split(" "), "--js"]))
      const out = yield* runIn(
        "bash",
        ["--norc"],
        `${bash}\n${calls.join("")}${completed(["slotkey", "clients", "rot"])}`
      )
      const answers = out.trimEnd().split("\n").map((line) => line.trim())
      assert.deepStrictEqual(answers, [...commands.map(() => "--json"), "rotate-secret"])
    }))

  it.effect.skipIf(!has("zsh"))(
    "prints a script that zsh can read",
    () => Effect.flatMap(script("zsh"), (zsh) => runIn("zsh", ["-n"], zsh))
  )

  it.effect.skipIf(!has("fish"))("prints a script for fish that completes commands", () =>
    Effect.gen(function*() {
      const out = yield* runIn("fish", ["--no-config"], `${yield* script("fish")}\ncomplete -C "slotkey clients rot"\n`)
      assert.match(out, /^rotate-secret\t/)
    }))
})
