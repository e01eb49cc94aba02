import { Option, Schema } from "effect"
import { isPrintable } from "./Text.ts"

/** A place in a sorted list: behind the entry with this key and id, where the next page begins. */
export interface Cursor {
  /** The order of the list: a place in one order means nothing in another. */
  readonly order: string
  /** What the list is sorted by, as the entry has it. */
  readonly key: string
  /** Tells apart entries with the same key. */
  readonly id: string
}

/** A text that a caller gives back as it is. */
export const encode = ({ id, key, order }: Cursor): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString("base64url")

/** The place that the text names in a list of this order; none if a caller made it up. */
export const decode = (order: string, text: string): Option.Option<Cursor> =>
  Option.flatMap(
    parse(Buffer.from(text, "base64url").toString("utf8")),
    ([of, key, id]) => of === order ? Option.some({ order, key, id }) : Option.none()
  )

// The database would refuse a NUL with an error.
const Part = Schema.String.check(Schema.makeFilter(isPrintable))
const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Tuple([Part, Part, Part])))
