import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Input from "../../src/domain/Input.ts"

it.effect("the faults of a caller's input are told in words about fields, unless a field has its own", () =>
  Effect.gen(function*() {
    const url = Schema.String.pipe(Schema.annotateKey({ messageMissingKey: "is required: https://…" }))
    const App = Schema.Struct({ name: Schema.String, owner: Schema.Struct({ id: Schema.String }), url })
    const decode = Schema.decodeUnknownEffect(App, { errors: "all", onExcessProperty: "error" })
    const { issue } = yield* Effect.flip(decode({ nmae: "Bookings", owner: {} }))
    const told = Input.faults(issue).map(({ message, path }) => `${path} ${message}`)
    assert.deepStrictEqual(told.sort(), [
      "name is required",
      "nmae is not a known field",
      "owner.id is required",
      "url is required: https://…"
    ])
  }))
