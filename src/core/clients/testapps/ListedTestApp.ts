import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { ClientStatus } from "../records/Client.ts"

/** A test app as administrators see it. */
export const ListedTestApp = Schema.Struct({
  id: ClientId,
  name: Schema.String,
  status: ClientStatus,
  testOf: ClientId,
  ownerId: UserId,
  createdAt: Schema.DateTimeUtcFromDate,
  /** Accounts of the guests who have accepted. */
  guests: Schema.Array(UserId),
  /** When it last got tokens, of the grants that are still kept. */
  lastTokensAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}).annotate({ identifier: "ListedTestApp" })
export type ListedTestApp = typeof ListedTestApp.Type

/** When an administrator ended all test apps, and who it was. */
export const TestAppStop = Schema.Struct({ at: Schema.DateTimeUtcFromDate, by: UserId }).annotate({
  identifier: "TestAppStop"
})
export type TestAppStop = typeof TestAppStop.Type
