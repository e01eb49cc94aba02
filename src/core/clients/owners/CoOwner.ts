import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { CoOwnerRole } from "../records/CoOwnerRole.ts"

/** Somebody with whom an app is shared, and since when. */
export const CoOwner = Schema.Struct({ accountId: UserId, role: CoOwnerRole, since: Schema.DateTimeUtcFromDate })
  .annotate({ identifier: "CoOwner" })
export type CoOwner = typeof CoOwner.Type

/** Somebody whom an owner has named. Until they accept, nobody says whether there is such an account. */
export const OwnerInvitation = Schema.Struct({
  id: Schema.String,
  /** Address or user name that the owner entered, in lower case. */
  named: Schema.String,
  role: CoOwnerRole,
  /** True if the app is to be theirs. */
  takesOver: Schema.Boolean,
  invitedAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "OwnerInvitation" })
export type OwnerInvitation = typeof OwnerInvitation.Type

/** Same for the person whom it names. */
export const Offer = Schema.Struct({
  clientId: ClientId,
  name: Schema.String,
  website: Schema.String,
  ownerId: UserId,
  role: CoOwnerRole,
  /** True if the app is to be theirs. */
  takesOver: Schema.Boolean
}).annotate({ identifier: "OwnerOffer" })
export type Offer = typeof Offer.Type

/** Everybody who has a part in an app, and who may come to have one. */
export const Owners = Schema.Struct({
  /** First owner, whom reviewers know. */
  ownerId: UserId,
  /** Owner that the app gets once a reviewer has approved that; else `null`. */
  nextOwnerId: Schema.NullOr(UserId),
  coOwners: Schema.Array(CoOwner),
  /** Those who have not answered, for those alone who may invite. */
  invitations: Schema.Array(OwnerInvitation)
}).annotate({ identifier: "Owners" })
export type Owners = typeof Owners.Type

/** Co-owners of an app, with the invitations that nobody has accepted. */
export const mostCoOwners = 10
