import { DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { operator } from "../../core/audit/Operator.ts"
import { InitialToken } from "../../core/clients/dynamic/InitialToken.ts"
import { InitialTokens } from "../../core/clients/dynamic/InitialTokens.ts"
import { confirm, yes } from "./Confirmation.ts"
import { text } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { Infrastructure } from "./Services.ts"

const command = OperatorCommand.over(InitialTokens.layer.pipe(Layer.provide(Infrastructure)))

const limit = (name: string, maximum: number, description: string) =>
  Flag.Int(name).pipe(
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))),
    Flag.optional,
    Flag.withDescription(description)
  )

const create = command({
  name: "create",
  description: "Create an initial access token and print it, once",
  examples: [
    ["initial-tokens create --name 'desktop clients'", "A token with which apps register until it is revoked"],
    ["initial-tokens create --name workshop --days 2 --uses 30", "Thirty registrations in the next two days"]
  ],
  input: {
    name: text("name", "Who has it, or what for"),
    days: limit("days", 3650, "The days after which it ends; without them it works until it is revoked"),
    uses: limit("uses", 100_000, "The number of registrations that it is good for; without it there is no limit")
  },
  answer: Schema.Struct({ ...InitialToken.fields, token: Schema.String }),
  run: Effect.fnUntraced(function*({ days, name, uses }) {
    const now = yield* DateTime.now
    const expiresAt = Option.getOrNull(Option.map(days, (days) => DateTime.add(now, { days })))
    const mostUses = Option.getOrNull(uses)
    const { info, token } = yield* (yield* InitialTokens).create({ name, expiresAt, mostUses }, operator)
    return { ...info, token: Redacted.value(token) }
  }),
  // Standard output holds the token alone, so that a script can read it.
  lines: ({ token }) => [token]
})

const list = command({
  name: "list",
  description: "List the initial access tokens: id, the end of the token, days of creation and of the end, uses, name",
  examples: [["initial-tokens list", "Which tokens there are, and how often they were used"]],
  input: {},
  answer: Schema.Array(InitialToken),
  run: () => Effect.flatMap(InitialTokens, ({ list }) => list),
  lines: (tokens) =>
    tokens.map(({ createdAt, expiresAt, id, lastFour, mostUses, name, uses }) =>
      [
        id,
        `…${lastFour}`,
        DateTime.formatIsoDateUtc(createdAt),
        expiresAt === null ? "no end" : DateTime.formatIsoDateUtc(expiresAt),
        mostUses === null ? `${uses}` : `${uses} of ${mostUses}`,
        name
      ].join("\t")
    )
})

const revoke = command({
  name: "revoke",
  description: "Revoke an initial access token at once; apps that registered with it stay",
  examples: [["initial-tokens revoke TOKEN_ID --yes", "After a leak, or when nobody needs it any more"]],
  input: { id: Argument.String("id").pipe(Argument.withDescription("The id that `list` shows")), yes },
  answer: Schema.Struct({ revoked: Schema.String }),
  run: Effect.fnUntraced(function*({ id, yes }) {
    yield* confirm(`Revoke the initial access token ${id}?`, yes)
    yield* (yield* InitialTokens).revoke(id, operator)
    return { revoked: id }
  }),
  lines: ({ revoked }) => [`Revoked ${revoked}.`]
})

/** `slotkey initial-tokens …` */
export const initialTokens = Command.make("initial-tokens").pipe(
  Command.withDescription("Tokens with which apps register by themselves (RFC 7591)"),
  Command.withSubcommands([create, list, revoke])
)
