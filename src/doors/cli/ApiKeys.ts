import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { ApiKey } from "../../core/accounts/ApiKey.ts"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { operator } from "../../core/audit/Operator.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { AccountCommandServices, getAccount } from "./Services.ts"

const create = OperatorCommand.make({
  name: "create",
  description: "Create an API key and print it, once",
  examples: [
    ["api-keys create --email ann@example.com --name deployment", "A key that acts as Ann's account"],
    ["api-keys create --email ann@example.com --name import --days 30", "The same for a month"]
  ],
  input: {
    email: Flag.String("email").pipe(
      Flag.withDescription("The e-mail address or id of the account that the key acts as")
    ),
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for")),
    days: Flag.Int("days").pipe(
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 }))),
      Flag.optional,
      Flag.withDescription("The days after which the key ends; without them it works until it is revoked")
    )
  },
  answer: Schema.Struct({ ...ApiKey.fields, key: Schema.String }),
  run: Effect.fnUntraced(function*({ days, email, name }) {
    const { id } = yield* getAccount(email)
    const now = yield* DateTime.now
    const expiresAt = Option.getOrNull(Option.map(days, (days) => DateTime.add(now, { days })))
    const { info, key } = yield* (yield* ApiKeys).create(id, name, operator, expiresAt)
    return { ...info, key: Redacted.value(key) }
  }),
  // Standard output holds the key alone, so that a script can read it.
  lines: ({ key }) => [key]
})

/** `slotkey api-keys …` */
export const apiKeys = Command.make("api-keys").pipe(
  Command.withDescription("Keys with which scripts use the management API"),
  Command.withSubcommands([
    create.pipe(Command.provide(AccountCommandServices))
  ])
)
