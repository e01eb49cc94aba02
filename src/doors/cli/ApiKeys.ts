import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ApiKey } from "../../core/accounts/people/ApiKey.ts"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { operator } from "../../core/audit/Operator.ts"
import { BadRequest, NotFound } from "../../domain/ApiError.ts"
import { confirm, yes } from "./Confirmation.ts"
import { text, toggle } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { AccountCommandServices, getAccount } from "./Services.ts"

const command = OperatorCommand.over(AccountCommandServices)

const create = command({
  name: "create",
  description: "Create an API key and print it, once",
  examples: [
    ["api-keys create --email ann@example.com --name deployment", "A key that acts as Ann's account"],
    ["api-keys create --email ann@example.com --name import --days 30", "The same for a month"]
  ],
  input: {
    email: text("email", "The e-mail address or id of the account that the key acts as"),
    name: text("name", "What the key is for"),
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

const email = text("email", "The e-mail address or id of the account that has the keys")

const list = command({
  name: "list",
  description: "List the API keys of an account: id, the end of the key, days of creation and of the last use, name",
  examples: [["api-keys list --email ann@example.com", "Which keys act as Ann's account"]],
  input: { email },
  answer: Schema.Array(ApiKey),
  run: Effect.fnUntraced(function*({ email }) {
    const { id } = yield* getAccount(email)
    return yield* (yield* ApiKeys).list(id)
  }),
  lines: (keys) =>
    keys.map(({ createdAt, id, lastFour, lastUsedAt, name }) => {
      const used = lastUsedAt === null ? "never used" : DateTime.formatIsoDateUtc(lastUsedAt)
      return [id, `…${lastFour}`, DateTime.formatIsoDateUtc(createdAt), used, name].join("\t")
    })
})

const revoke = command({
  name: "revoke",
  description: "Revoke API keys of an account at once; their owner gets a mail",
  examples: [
    ["api-keys revoke --email ann@example.com KEY_ID --yes", "After a leak of this one"],
    ["api-keys revoke --email ann@example.com --all", "All keys that act as Ann's account"]
  ],
  input: {
    email,
    ids: Argument.String("id").pipe(Argument.withDescription("An id that `list` shows"), Argument.atLeast(0)),
    all: toggle("all", "All of them instead of some ids"),
    yes
  },
  answer: Schema.Struct({ revoked: Schema.Array(Schema.String), missing: Schema.Array(Schema.String) }),
  run: Effect.fnUntraced(function*({ all, email, ids, yes }) {
    const { id } = yield* getAccount(email)
    // A forgotten id must not mean all.
    if (all === ids.length > 0) return yield* notSelected
    const keys = yield* ApiKeys
    yield* confirm(`Revoke ${all ? "all API keys" : ids.join(" and ")} of ${email}?`, yes)
    if (all) {
      const before = yield* keys.list(id)
      yield* keys.revokeAll(id, operator)
      return { revoked: before.map(({ id }) => id), missing: [] }
    }
    // After a leak, a misspelt id must not keep the other keys at work.
    const [revoked, missing] = yield* Effect.partition(
      new Set(ids),
      (key) => keys.revoke(id, key, operator).pipe(Effect.as(key), Effect.mapError(() => key))
    )
    return { revoked, missing }
  }),
  lines: ({ revoked }) => revoked.map((id) => `Revoked ${id}.`),
  verdict: ({ missing }) => missing.length === 0 ? undefined : notFound(missing.join(", "))
})

const notFound = (ids: string) =>
  new NotFound({ code: "api_key_not_found", message: `The account has no API key ${ids}.` })

const notSelected = new BadRequest({
  code: "api_keys_not_selected",
  message: "Say which keys: either their ids, or --all."
})

/** `slotkey api-keys …` */
export const apiKeys = Command.make("api-keys").pipe(
  Command.withDescription("Keys with which scripts use the management API"),
  Command.withSubcommands([create, list, revoke])
)
