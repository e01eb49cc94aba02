import { assert, describe, it } from "@effect/vitest"
import { exitCodes } from "../../src/doors/cli/Failure.ts"
import { serve, work } from "../../src/doors/cli/Processes.ts"
import { testServer } from "../../src/testing/server/Command.ts"
import { answerOf, commands, leaves } from "../support/CommandTree.ts"
import { assertTable } from "../support/DocumentTable.ts"
import * as JsonShape from "../support/JsonShape.ts"

describe("docs/operations/cli.md", () => {
  it("lists every command with what it prints with --json (UPDATE_DOCS=1 writes the tables)", () => {
    assertTable(
      "docs/operations/cli.md",
      "commands",
      ["command", "what it does", "with `--json`"],
      commands.map((leaf) => {
        const { isStream, schema } = answerOf(leaf)
        const shape = JsonShape.of(schema).text
        return [`\`${leaf.path}\``, leaf.command.description ?? "", `${isStream ? "one in a line: " : ""}${shape}`]
      })
    )
    const objects = new Map(commands.flatMap((leaf) => [...JsonShape.of(answerOf(leaf).schema).objects]))
    assertTable("docs/operations/cli.md", "objects", ["object", "fields"], [...objects].sort())
  })

  it("lists the exit codes", () => {
    const meanings: Record<keyof typeof exitCodes, string> = {
      done: "it is done",
      failed:
        "it could not be done: the database is away, a rule forbids it, `doctor` found something broken, a rehearsal a request that would be refused, or a comparison a catalogue that is behind",
      usage: "the command line or its input does not fit, or was not confirmed; nothing was changed",
      notFound: "what it names does not exist"
    }
    assertTable(
      "docs/operations/cli.md",
      "exit codes",
      ["code", "meaning"],
      Object.entries(exitCodes).map(([name, code]) => [String(code), meanings[name as keyof typeof exitCodes]])
    )
  })

  it("has an example for every command", () => {
    for (
      const { command, path } of [
        ...commands,
        ...leaves(serve, "serve"),
        ...leaves(work, "work"),
        ...leaves(testServer, "test-server")
      ]
    ) {
      assert.isNotEmpty(command.examples, path)
      for (const example of command.examples) assert.isTrue(example.command.startsWith(`slotkey ${path}`), path)
    }
  })
})
