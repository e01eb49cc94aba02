import { Console, DateTime, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { KeyRotation } from "../../core/keys/KeyRotation.ts"
import { KeyServices } from "../../core/keys/KeyServices.ts"
import { Conflict } from "../../domain/ApiError.ts"
import { actor, Infrastructure } from "./Services.ts"

const rotate = Command.make(
  "rotate",
  {},
  Effect.fnUntraced(function*() {
    const keys = yield* (yield* KeyRotation).rotate(actor)
    if (keys.length === 0) {
      return yield* new Conflict({ code: "rotation_under_way", message: "The next keys wait already to take over." })
    }
    for (const { activeFrom, id, purpose } of keys) {
      yield* Console.log(`${purpose}\t${id}\tsigns from ${DateTime.formatIso(activeFrom)}`)
    }
  })
).pipe(
  Command.withDescription(
    "Make the next keys of access tokens and refresh tokens; they sign once every server and cache must know them"
  )
)

const replace = Command.make(
  "replace",
  {},
  Effect.fnUntraced(function*() {
    const { id } = yield* (yield* KeyRotation).replaceSigningKeys(actor)
    yield* Console.log(`access-token\t${id}\tsigns from now on; servers refuse older access tokens within a minute`)
  })
).pipe(
  Command.withDescription(
    "A key of access tokens has leaked: forget all of them for a new one. All access tokens die; apps refresh them"
  )
)

const rotateMaster = Command.make(
  "rotate-master",
  {},
  Effect.fnUntraced(function*() {
    const count = yield* (yield* KeyRotation).rotateMaster(actor)
    yield* Console.log(`Sealed ${count} keys under the new master key.`)
  })
).pipe(
  Command.withDescription(
    "Seal all keys under a new master key. Embedded mode makes it; else set MASTER_KEY and MASTER_KEY_PREVIOUS first"
  )
)

/** `slotkey keys …` */
export const keys = Command.make("keys").pipe(
  Command.withDescription("The keys that sign tokens, and the master key that seals them"),
  Command.withSubcommands([rotate, replace, rotateMaster]),
  Command.provide(KeyServices.pipe(Layer.provide(Infrastructure)))
)
