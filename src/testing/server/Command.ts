import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"

/** `slotkey test-server` */
export const testServer = Command.make("test-server", {
  port: Flag.Int("port").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))),
    Flag.withDescription("The port of the server, on 127.0.0.1; 0 for a free one"),
    Flag.withDefault(0)
  ),
  catalogue: Flag.String("catalogue").pipe(
    Flag.withDescription("The catalogue of your API (docs/catalogue.md); the built-in one if it is not given"),
    Flag.optional
  ),
  stdin: Flag.Boolean("stdin").pipe(
    Flag.withDescription("End when standard input ends, as it does when the program that started this one is killed"),
    Flag.withDefault(false)
  )
}, ({ catalogue, ...options }) =>
  // Loaded by this command alone: no other needs the test kit.
  Effect.flatMap(Effect.promise(() => import("./Process.ts")), ({ run }) =>
    run({ ...options, catalogue: Option.getOrUndefined(catalogue) }))).pipe(
    Command.withDescription(
      "Start a server in memory for tests: prints one line of JSON, and takes commands over HTTP"
    ),
    Command.withExamples([
      { command: "slotkey test-server", description: "For the tests of an app, in any language (docs/testing.md)" },
      {
        command: "slotkey test-server --port 4000 --stdin",
        description: "At a port that the app knows, until its tests end"
      }
    ])
  )
