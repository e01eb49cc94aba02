import { Console, Effect, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import { SetupLinks } from "../../core/accounts/SetupLinks.ts"
import { Conflict } from "../../domain/ApiError.ts"
import { AccountCommandServices } from "./Services.ts"

/** `slotkey setup-link` */
export const setupLink = Command.make(
  "setup-link",
  {},
  Effect.fnUntraced(function*() {
    const link = yield* (yield* SetupLinks).mint
    if (Option.isNone(link)) {
      return yield* new Conflict({ code: "set_up_already", message: "There is an administrator already." })
    }
    yield* Console.log(Redacted.value(link.value))
  })
).pipe(
  Command.withDescription("Print a link that makes the first administrator: for one use, within a day"),
  Command.provide(AccountCommandServices)
)
