import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { ScopeName } from "../../../domain/scopes/Scope.ts"

/** A user's wish that reviewers look at an app that nobody registered, or at what it asks for more. */
export const ReviewWish = Schema.Struct({
  userId: UserId,
  /** What the user wrote to the reviewers. */
  reason: Schema.String,
  /** Scopes that the app asked the user for. */
  scopes: Schema.Array(ScopeName),
  askedAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "ReviewWish" })
export type ReviewWish = typeof ReviewWish.Type

/** An authorization request that goes on when the decision falls. */
export const WaitingRequest = Schema.Struct({
  id: Schema.String,
  clientId: ClientId,
  /** The one user who may go on with it. */
  userId: UserId,
  /** Path of the authorization endpoint with the query as it was sent. */
  location: Schema.String,
  keptAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.DateTimeUtcFromDate
})
export type WaitingRequest = typeof WaitingRequest.Type
