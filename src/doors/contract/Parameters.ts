import { Schema, SchemaTransformation } from "effect"
import { Instant } from "../../domain/Instant.ts"

// Parameters that endpoints of several groups have. Each is described before it is checked or turned into a number: the
// document would lose words that came later.

const described = (description: string) => Schema.String.annotate({ description })

export const reference = described("The reference on the page, or the header `X-Request-Id` of the answer.").check(
  Schema.isMaxLength(200)
)

/** The number is written in the address; the document shows it as a number, too (`doors/docs/DocumentSchemas.ts`). */
const numberFrom1 = (maximum: number, unlessGiven: number, description: string) =>
  Schema.String.annotate({ description, format: "int32", default: String(unlessGiven) }).pipe(
    Schema.decodeTo(Schema.Number, SchemaTransformation.numberFromString),
    Schema.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum }))
  )

export const since = described("Only what is of this time or later (RFC 3339); a day begins at 00:00 UTC.").pipe(
  Schema.decodeTo(Instant)
)

export const ofClient = { id: described("The id of the app, its `client_id`.") }

export const ofUser = { id: described("The id of the user.") }

export const pageNumber = Schema.optionalKey(
  numberFrom1(1_000_000, 1, "The number of the page. One after the last is empty.")
)

/** Maximum number of entries on a page; without it a page has `unlessGiven`. */
export const pageLimit = (most: number, unlessGiven = most, entries = "apps") =>
  Schema.optionalKey(numberFrom1(most, unlessGiven, `The most ${entries} on the page, from 1 to ${most}.`))

export const cursor = Schema.optionalKey(
  described("The `nextCursor` of the page before; absent for the first page.").check(Schema.isMaxLength(2000))
)

export const search = (description: string) => Schema.optionalKey(described(description).check(Schema.isMaxLength(200)))
