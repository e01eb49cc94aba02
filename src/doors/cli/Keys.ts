import { DateTime, Effect, Layer, Schema } from "effect"
import { Command } from "effect/cli"
import { operator } from "../../core/audit/Operator.ts"
import { KeyRotation } from "../../core/keys/KeyRotation.ts"
import { KeyServices } from "../../core/keys/KeyServices.ts"
import { Purpose, ServerKeys } from "../../core/keys/ServerKeys.ts"
import { Conflict } from "../../domain/ApiError.ts"
import { confirm, yes } from "./Confirmation.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { Infrastructure } from "./Services.ts"

const command = OperatorCommand.over(KeyServices.pipe(Layer.provide(Infrastructure)))

const NextKey = Schema.Struct({ purpose: Purpose, id: Schema.String, activeFrom: Schema.DateTimeUtcFromDate })

const list = OperatorCommand.make({
  name: "list",
  description: "List the keys: purpose, id, algorithm, from when it signs, since when it only verifies; newest first",
  examples: [["keys list", "Which key signs now, and which takes over next"]],
  input: {},
  answer: Schema.Array(Schema.Struct({
    ...NextKey.fields,
    algorithm: Schema.String,
    createdAt: Schema.DateTimeUtcFromDate,
    retiredAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
  })),
  run: Effect.fnUntraced(function*() {
    return (yield* Effect.forEach(Purpose.literals, (yield* ServerKeys).list)).flat()
  }),
  lines: (keys) =>
    keys.map(({ activeFrom, algorithm, id, purpose, retiredAt }) =>
      [
        purpose,
        id,
        algorithm,
        `signs from ${DateTime.formatIso(activeFrom)}`,
        ...(retiredAt === null ? [] : [`to ${DateTime.formatIso(retiredAt)}`])
      ].join("\t")
    )
}).pipe(Command.provide(ServerKeys.layer.pipe(Layer.provide(Infrastructure))))

const rotate = command({
  name: "rotate",
  description:
    "Make the next keys of access tokens and refresh tokens; they sign once every server and cache must know them",
  examples: [["keys rotate", "Rotate now, before KEY_LIFETIME is over"]],
  input: {},
  answer: Schema.Array(NextKey),
  run: Effect.fnUntraced(function*() {
    const keys = yield* (yield* KeyRotation).rotate(operator)
    if (keys.length > 0) return keys
    return yield* new Conflict({ code: "rotation_under_way", message: "The next keys wait already to take over." })
  }),
  lines: (keys) =>
    keys.map(({ activeFrom, id, purpose }) => `${purpose}\t${id}\tsigns from ${DateTime.formatIso(activeFrom)}`)
})

const replace = command({
  name: "replace",
  description:
    "A key of access tokens has leaked: forget all of them for a new one. All access tokens die; apps refresh them",
  examples: [["keys replace --yes", "Replace without a question"]],
  input: { yes },
  answer: NextKey,
  run: Effect.fnUntraced(function*({ yes }) {
    yield* confirm("Make all access tokens invalid?", yes)
    return yield* (yield* KeyRotation).replaceSigningKeys(operator)
  }),
  lines: ({ id }) => [`access-token\t${id}\tsigns from now on; servers refuse older access tokens within a minute`]
})

const rotateMaster = command({
  name: "rotate-master",
  description:
    "Seal all keys under a new master key. Embedded mode makes it; else set MASTER_KEY and MASTER_KEY_PREVIOUS first",
  examples: [["keys rotate-master", "Can be repeated after an interruption"]],
  input: {},
  answer: Schema.Struct({ sealed: Schema.Int }),
  run: Effect.fnUntraced(function*() {
    return { sealed: yield* (yield* KeyRotation).rotateMaster(operator) }
  }),
  lines: ({ sealed }) => [
    `Sealed ${sealed} keys under the new master key.`,
    // A server reads its keys when it starts, so nobody would notice before that.
    "Where MASTER_KEY is set, every process must have this one now: one with the old key alone cannot start again."
  ]
})

/** `slotkey keys …` */
export const keys = Command.make("keys").pipe(
  Command.withDescription("The keys that sign tokens, and the master key that seals them"),
  Command.withSubcommands([list, rotate, replace, rotateMaster])
)
