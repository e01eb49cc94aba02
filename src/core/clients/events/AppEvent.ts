import { Schema } from "effect"
import type { ClientId, GrantId, UserId } from "../../../domain/Ids.ts"
import type { GrantedScopes } from "../../../domain/scopes/Scope.ts"

/** What apps hear of at their own endpoint (docs/events.md). */
export const AppEventType = Schema.Literals([
  "grant.ended",
  "grant.changed",
  "app.approved",
  "app.rejected",
  "app.rejection_undone",
  "app.change_approved",
  "app.change_rejected",
  "app.change_rejection_undone",
  "app.suspended",
  "app.resumed",
  "secret.ending",
  "endpoint.test"
])
export type AppEventType = typeof AppEventType.Type

/** Why a grant has ended, for its app and for the platform. */
export const EndReason = Schema.Literals([
  /** The user took access back, of the app or of one device. */
  "user",
  "account_closed",
  /** The app revoked its token (RFC 7009). */
  "app",
  /** A refresh token, or a code, was used twice. */
  "token_reused",
  "code_replayed",
  /** A refresh token was found in public. */
  "token_leaked",
  /** A legacy app was authorized again after its scopes were saved. */
  "superseded",
  /** The user had more grants of the app than are kept: this was the oldest. */
  "displaced",
  "operator",
  "approval_undone",
  /** Its lifetime is over, or it was not refreshed for too long. */
  "expired",
  "idle"
])
export type EndReason = typeof EndReason.Type

/** An event to be told, once for each `id`; without one, it is an event of its own. */
export interface NewAppEvent {
  readonly clientId: ClientId
  readonly type: AppEventType
  readonly data: { readonly [key: string]: Schema.Json }
  readonly id?: string
}

/** An event that says nothing, so that the owner of an app can try the endpoint. */
export const testEvent = (clientId: ClientId): NewAppEvent => ({
  clientId,
  type: "endpoint.test",
  data: { client_id: clientId }
})

/** A grant as its app knows it. */
export interface KnownGrant {
  readonly id: GrantId
  readonly clientId: ClientId
  readonly userId: UserId
  readonly scopes: GrantedScopes
}

/** Names and values of a grant are those of token introspection: nothing that its app could not ask for. */
export const grantFacts = ({ id, scopes, userId }: KnownGrant) => ({
  grant_id: id,
  sub: userId,
  ...(scopes === null ? { unrestricted: true } : { scope: scopes.join(" ") })
})

/** Grants that one event tells of at most: many that end at once are few events. */
export const mostGrants = 50
