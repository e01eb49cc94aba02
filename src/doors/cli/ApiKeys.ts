import { Console, Effect, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { AccountCommandServices, actor, getAccount } from "./Services.ts"

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(Flag.withDescription("The e-mail address of the account that the key acts as")),
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for"))
  },
  Effect.fnUntraced(function*({ email, name }) {
    const { id } = yield* getAccount(email)
    const { key } = yield* (yield* ApiKeys).create(id, name, actor)
    // Standard output holds the key alone, so that a script can read it.
    yield* Console.log(Redacted.value(key))
  })
).pipe(Command.withDescription("Create an API key and print it, once"))

/** `slotkey api-keys …` */
export const apiKeys = Command.make("api-keys").pipe(
  Command.withDescription("Keys with which scripts use the management API"),
  Command.withSubcommands([create]),
  Command.provide(AccountCommandServices)
)
