import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { ClientKind } from "./ClientKind.ts"
import { ClientOrigin } from "./ClientOrigin.ts"
import { RefreshGrace } from "./RefreshGrace.ts"
import { reviewedFields } from "./ReviewedFields.ts"

/** Only an `approved` client can be used. */
export const ClientStatus = Schema.Literals(["pending", "approved", "rejected", "suspended"])
export type ClientStatus = typeof ClientStatus.Type

/** A registered app, in the version that serves. */
export class Client extends Schema.Class<Client>("Client")({
  id: ClientId,
  ownerId: UserId,
  kind: ClientKind,
  /** Absent for `registered` until the client is saved. */
  origin: Schema.optionalKey(ClientOrigin),
  /** True for a legacy client until its scopes are saved: requested scopes are not validated (specification §5.6). */
  legacy: Schema.Boolean,
  status: ClientStatus,
  ...reviewedFields,
  /** Description of the app for its reviewer; a change of it needs no review. */
  purpose: Schema.String,
  /** A change of it needs no review: it neither narrows nor widens what the app may do. */
  refreshGrace: RefreshGrace,
  /** Reviewer's reason for a rejection or suspension. */
  rejectionReason: Schema.NullOr(Schema.String),
  submittedAt: Schema.DateTimeUtcFromDate,
  reviewedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate,
  /** Moment when the scopes of a legacy client were saved; `null` for all others. */
  migratedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Words that the old server took in `scope` and that look like a scope of ours mistyped (`LEGACY_SCOPE_WORDS`). */
  scopeWords: Schema.Array(Schema.String),
  /** App of which this is the test app; else `null`. */
  testOf: Schema.optionalKey(Schema.NullOr(ClientId)),
  /** Grows with each change. A command names the version that it was given for, so that no decision is made blindly. */
  version: Schema.Int
}) {
  /** True for a client created before scopes existed, whether or not its scopes have been saved. */
  get isLegacyClient(): boolean {
    return this.legacy || this.migratedAt !== null
  }

  /** True for a test app, which only its owner and its guests may use. */
  get isTestApp(): boolean {
    return typeof this.testOf === "string"
  }
}

/** Tells whether an app came by itself: nobody here registered it, and nobody can answer for it (`Nobody`). */
export const isWithoutOwner = ({ origin }: Pick<Client, "origin">): boolean =>
  origin === "document" || origin === "dynamic"

/** Facts about a client on which the answer to its request depends. */
export interface ClientStanding {
  readonly id: ClientId
  readonly kind: ClientKind
  readonly status: ClientStatus
  readonly isLegacyClient: boolean
  /** True for a legacy client whose scopes have been saved. */
  readonly migrated: boolean
  readonly scopeWords: ReadonlyArray<string>
}

/** A change of an approved client that needs review: all reviewed fields as the owner wants them. */
export class ClientChange extends Schema.Class<ClientChange>("ClientChange")({
  ...reviewedFields,
  /** Owner whom the app has once the change is approved; `null` for one that leaves it with the owner it has. */
  nextOwnerId: Schema.optionalKey(Schema.NullOr(UserId)),
  /** Reviewer's reason for a rejection of the change; `null` while it waits. */
  rejectionReason: Schema.NullOr(Schema.String),
  submittedAt: Schema.DateTimeUtcFromDate
}) {
  get isWaiting(): boolean {
    return this.rejectionReason === null
  }

  /** True for a change that gives the app to another owner. */
  get isTransfer(): boolean {
    return typeof this.nextOwnerId === "string"
  }
}

/** A client as its owner and the reviewers see it: the version that serves, and the change that is wanted, if any. */
export class ManagedClient extends Client.extend<ManagedClient>("ManagedClient")({
  change: Schema.NullOr(ClientChange)
}) {
  /** True while a reviewer has something to decide. */
  get isWaiting(): boolean {
    return this.status === "pending" || this.change?.isWaiting === true
  }
}
