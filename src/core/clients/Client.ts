import { Schema } from "effect"
import { ClientId, UserId } from "../../domain/Ids.ts"
import { reviewedFields } from "./ReviewedFields.ts"

/** Whether a client keeps secrets, or proves itself with PKCE alone (RFC 6749 §2.1). */
export const ClientKind = Schema.Literals(["confidential", "public"])
export type ClientKind = typeof ClientKind.Type

/** Only an `approved` client can be used. */
export const ClientStatus = Schema.Literals(["pending", "approved", "rejected", "suspended"])
export type ClientStatus = typeof ClientStatus.Type

/** A registered app: the version that serves. */
export class Client extends Schema.Class<Client>("Client")({
  id: ClientId,
  ownerId: UserId,
  kind: ClientKind,
  /** From before scopes existed, and its scopes were not saved yet: they are not validated (specification §5.6). */
  legacy: Schema.Boolean,
  status: ClientStatus,
  ...reviewedFields,
  /** What the app does and why, for the reviewer; a change of it needs no review. */
  purpose: Schema.String,
  /** The administrator's words at a rejection or suspension. */
  rejectionReason: Schema.NullOr(Schema.String),
  submittedAt: Schema.DateTimeUtcFromDate,
  reviewedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate,
  /** When the scopes of a client from before scopes were saved; `null` for all others. */
  migratedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Grows with each change; who decides names the version that he saw. */
  version: Schema.Int
}) {}

/** What a request of a client is judged by. */
export interface ClientStanding {
  readonly id: ClientId
  readonly kind: ClientKind
  readonly status: ClientStatus
  readonly legacy: boolean
  /** Whether it is from before scopes and its scopes have been saved since. */
  readonly migrated: boolean
}

/** A change of an approved client that needs review: the whole version that the owner asks for. */
export class ClientChange extends Schema.Class<ClientChange>("ClientChange")({
  ...reviewedFields,
  /** Why the change was rejected; `null` while it waits. */
  rejectionReason: Schema.NullOr(Schema.String),
  submittedAt: Schema.DateTimeUtcFromDate
}) {
  get isWaiting(): boolean {
    return this.rejectionReason === null
  }
}

/** A client as its owner and the reviewers see it: the version that serves, and the change asked for, if any. */
export class ManagedClient extends Client.extend<ManagedClient>("ManagedClient")({
  change: Schema.NullOr(ClientChange)
}) {
  /** Whether an administrator has to decide something. */
  get isWaiting(): boolean {
    return this.status === "pending" || this.change?.isWaiting === true
  }
}
