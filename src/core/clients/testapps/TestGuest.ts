import { Schema } from "effect"

/** Somebody whom the owner of a test app has named. Until they accept, nobody says whether there is such an account. */
export const TestGuest = Schema.Struct({
  id: Schema.String,
  /** Address or user name that the owner entered, in lower case. */
  named: Schema.String,
  invitedAt: Schema.DateTimeUtcFromDate,
  acceptedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}).annotate({ identifier: "TestGuest" })
export type TestGuest = typeof TestGuest.Type

/** Guests of a test app, with those who have not answered. */
export const mostGuests = 5
