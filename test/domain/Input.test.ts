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

it.effect("a value of another type is told in the same words as one that breaks a rule", () =>
  Effect.gen(function*() {
    const Fields = Schema.Struct({
      name: Schema.String,
      count: Schema.NullOr(Schema.Number),
      open: Schema.Boolean,
      kind: Schema.Literals(["confidential", "public"]),
      role: Schema.NullOr(Schema.Literals(["user", "reviewer", "admin"])),
      uris: Schema.Array(Schema.String),
      owner: Schema.Struct({ id: Schema.String }),
      page: Schema.Number.check(Schema.isInt()),
      short: Schema.String.check(Schema.isMaxLength(3)),
      end: Schema.DateTimeUtcFromString
    })
    const input = {
      name: 1,
      count: "1",
      open: 1,
      kind: "x",
      role: "x",
      uris: "x",
      owner: "x",
      page: 1.5,
      short: "long",
      end: "tomorrow"
    }
    const { issue } = yield* Effect.flip(Schema.decodeUnknownEffect(Fields, { errors: "all" })(input))
    assert.deepStrictEqual(Object.fromEntries(Input.faults(issue).map(({ message, path }) => [path, message])), {
      name: "must be a string",
      count: "must be a number or null",
      open: "must be true or false",
      kind: "must be \"confidential\" or \"public\"",
      role: "must be \"user\", \"reviewer\" or \"admin\"",
      uris: "must be a list",
      owner: "must be an object",
      page: "must be an integer",
      short: "must be a value with a length of at most 3",
      end: "must be a valid UTC DateTime string"
    })
  }))
