import { Effect, Option, Schema } from "effect"
import { BadRequest } from "./ApiError.ts"
import { isPrintable } from "./Text.ts"

/** A place in a sorted list: behind the entry with this key and id, where the next page begins. */
interface Cursor {
  /** Order of the list: a place in one order means nothing in another. */
  readonly order: string
  /** Value by which the list is sorted, as the entry has it. */
  readonly key: string
  /** Tells apart entries with the same key. */
  readonly id: string
}

/** A text that a caller gives back as it is. */
export const encode = ({ id, key, order }: Cursor): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString("base64url")

/** Place that the text names in a list of this order, whose keys have this form. Fails if a caller made it up. */
export const decode = (order: string, form: RegExp, text: string): Effect.Effect<Cursor, BadRequest> =>
  parse(Buffer.from(text, "base64url").toString("utf8")).pipe(
    Option.filter(([of, key]) => of === order && form.test(key)),
    Option.match({
      onNone: () => Effect.fail(notOurs),
      onSome: ([order, key, id]) => Effect.succeed({ order, key, id })
    })
  )

/** Lists do not start over without a word: a caller that goes through the pages would never end. */
const notOurs = new BadRequest({
  code: "invalid_cursor",
  message: "The cursor is not one that this list gave for this order. Begin without one."
})

// The database would refuse a NUL with an error.
const Part = Schema.String.check(Schema.makeFilter(isPrintable))
const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Tuple([Part, Part, Part])))
