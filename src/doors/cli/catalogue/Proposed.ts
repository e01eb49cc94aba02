import { Effect, Layer, type Option } from "effect"
import { Catalogues } from "../../../core/catalogue/Catalogues.ts"
import * as OperatorCommand from "../OperatorCommand.ts"
import { Infrastructure } from "../Services.ts"
import { asked } from "./Asked.ts"

/** Makes the commands that look at the catalogues of a database, and change which one is in force. */
export const command = OperatorCommand.over(Catalogues.layer.pipe(Layer.provideMerge(Infrastructure)))

export const proposed = Effect.fnUntraced(function*(named: Option.Option<string>) {
  const { file, load } = yield* asked(named)
  const catalogue = yield* load
  return { catalogue, file: catalogue.file, isBuiltIn: file === null }
})
