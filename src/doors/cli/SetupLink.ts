import { Effect, Option, Redacted, Schema } from "effect"
import { Command } from "effect/cli"
import { SetupLinks } from "../../core/accounts/local/SetupLinks.ts"
import { Conflict } from "../../domain/ApiError.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { AccountCommandServices, requirePasswords } from "./Services.ts"

/** `slotkey setup-link` */
export const setupLink = OperatorCommand.make({
  name: "setup-link",
  description: "Print a link that makes the first administrator: for one use, within a day",
  examples: [["setup-link", "Where the server's own link is no longer at hand"]],
  input: {},
  answer: Schema.Struct({ link: Schema.String }),
  run: Effect.fnUntraced(function*() {
    yield* requirePasswords
    const link = yield* (yield* SetupLinks).mint
    if (Option.isSome(link)) return { link: Redacted.value(link.value) }
    return yield* new Conflict({ code: "set_up_already", message: "There is an administrator already." })
  }),
  lines: ({ link }) => [link]
}).pipe(Command.provide(AccountCommandServices))
