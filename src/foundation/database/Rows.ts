import { Effect, type Option, Schema } from "effect"

/** Statement whose rows nobody has looked at. */
type Query<E, R> = Effect.Effect<ReadonlyArray<unknown>, E, R>

/** Makes a reader of all rows of a statement. Rows of another form than the schema's are a defect. */
export const all = <S extends Schema.Decoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return <E, R>(query: Query<E, R>): Effect.Effect<ReadonlyArray<S["Type"]>, E, R> =>
    Effect.flatMap(query, (rows) => Effect.orDie(decode(rows)))
}

/** Same for the first row, if there is one. */
export const first = <S extends Schema.Decoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return <E, R>(query: Query<E, R>): Effect.Effect<Option.Option<S["Type"]>, E, R> =>
    Effect.flatMap(query, ([row]) => row === undefined ? Effect.succeedNone : Effect.asSome(Effect.orDie(decode(row))))
}
