import { Schema } from "effect"

// The domain is the vocabulary of all other rooms: ids, credentials, errors and texts, as types and pure functions.

/** An account of the platform; the `sub` of its tokens (RFC 9068 §2.2). */
export const UserId = Schema.NonEmptyString.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/**
 * Public identifier of a client (RFC 6749 §2.2): letters, digits and underscores, unless it came from another server.
 */
export const ClientId = Schema.NonEmptyString.pipe(Schema.brand("ClientId"))
export type ClientId = typeof ClientId.Type

/** A secret of a client, named without revealing it. */
export const SecretId = Schema.NonEmptyString.pipe(Schema.brand("SecretId"))
export type SecretId = typeof SecretId.Type

/** A grant: one consent, exchanged once, which all its tokens share. A UUIDv7. */
export const GrantId = Schema.NonEmptyString.pipe(Schema.brand("GrantId"))
export type GrantId = typeof GrantId.Type

/** A key with which an account uses the management API. */
export const ApiKeyId = Schema.NonEmptyString.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type
