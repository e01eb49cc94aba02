import { Effect, Layer, Option } from "effect"
import { Argument } from "effect/cli"
import { Catalogues } from "../../../core/catalogue/Catalogues.ts"
import { loadCatalogue } from "../../../foundation/config/LoadCatalogue.ts"
import * as OperatorCommand from "../OperatorCommand.ts"
import { Infrastructure } from "../Services.ts"
import { inForce } from "./InForce.ts"

/** Makes the commands that look at the catalogues of a database, and change which one is in force. */
export const command = OperatorCommand.over(Catalogues.layer.pipe(Layer.provideMerge(Infrastructure)))

/** Catalogue that a command is about. */
export const file = Argument.String("file").pipe(
  Argument.withDescription("A catalogue; without it, the one of CATALOGUE or the built-in one"),
  Argument.optional
)

export const proposed = Effect.fnUntraced(function*(named: Option.Option<string>) {
  const own = yield* inForce
  const catalogue = yield* Option.isSome(named) ? loadCatalogue(named.value) : own.load
  return { catalogue, file: catalogue.file, isBuiltIn: Option.isNone(named) && own.file === null }
})
