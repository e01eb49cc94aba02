import { type DateTime, Schema } from "effect"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { isRetired } from "../../../domain/catalogue/Retirement.ts"
import type { Scope } from "../../../domain/scopes/Scope.ts"
import type { Client, ManagedClient } from "../records/Client.ts"
import type { ReviewedVersion } from "../records/ReviewedFields.ts"
import type { ClientMetadata } from "./ClientMetadata.ts"

/** Metadata as they are kept, perhaps taken under older rules. */
const Stored = Schema.Struct({
  redirect_uris: Schema.Array(Schema.String),
  client_name: Schema.optionalKey(Schema.String),
  client_uri: Schema.optionalKey(Schema.String),
  logo_uri: Schema.optionalKey(Schema.String),
  policy_uri: Schema.optionalKey(Schema.String),
  tos_uri: Schema.optionalKey(Schema.String),
  contacts: Schema.optionalKey(Schema.Array(Schema.String)),
  grant_types: Schema.Array(Schema.String),
  response_types: Schema.Array(Schema.Literals(["code"])),
  token_endpoint_auth_method: Schema.String,
  scope: Schema.optionalKey(Schema.String),
  software_id: Schema.optionalKey(Schema.String),
  software_version: Schema.optionalKey(Schema.String)
}) satisfies Schema.Codec<ClientMetadata, unknown>

/** Row of `registrations` about an app that registered by itself. */
export const RegistrationRecord = Schema.Struct({
  clientId: Schema.String,
  metadata: Schema.fromJsonString(Stored),
  registeredAt: Schema.DateTimeUtcFromDate,
  /** When a user first asked for its review. */
  askedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})

/** What an app said of itself, and how it came: by whose initial access token, if by any. */
export const RegistrationFacts = Schema.Struct({
  metadata: RegistrationRecord.fields.metadata,
  registeredAt: RegistrationRecord.fields.registeredAt,
  askedAt: RegistrationRecord.fields.askedAt,
  initialToken: Schema.NullOr(Schema.String)
})
export type RegistrationFacts = typeof RegistrationFacts.Type

/** What an app has of its metadata; the id is the name of one that has none (RFC 7591 §2). */
export const fieldsOf = (
  id: string,
  { client_name, client_uri, contacts = [], policy_uri, redirect_uris, tos_uri }: ClientMetadata
): Omit<ReviewedVersion, "logoDigest" | "logoUrl" | "optionalScopes" | "scopes" | "tagline"> => ({
  name: client_name ?? id,
  website: client_uri ?? "",
  privacyUrl: policy_uri ?? null,
  termsUrl: tos_uri ?? null,
  contact: contacts[0] ?? null,
  redirectUris: redirect_uris
})

/** Scopes that `scope` wishes for and that a new app may have: the rest is left out of the answer, too. */
export const wishedScopes = (
  catalogue: Catalogue,
  { scope = "" }: Pick<ClientMetadata, "scope">,
  now: DateTime.Utc
): ReadonlyArray<Scope> =>
  catalogue.inOrder(scope.split(" ")).filter(catalogue.isScope).filter((name) => !isRetired(catalogue, name, now))

/** Metadata as they hold: what is another in the version that serves has its value there. */
export const heldMetadata = (metadata: ClientMetadata, client: Client) => ({
  ...metadata,
  redirect_uris: client.redirectUris,
  client_name: client.name === client.id ? undefined : client.name,
  client_uri: client.website === "" ? undefined : client.website,
  policy_uri: client.privacyUrl ?? undefined,
  tos_uri: client.termsUrl ?? undefined,
  scope: client.scopes.length === 0 ? undefined : client.scopes.join(" ")
})

/** Where the review of an app and of a change of it stands, for its developer. */
export const standingOf = ({ change, status }: ManagedClient) => ({
  review_status: status,
  ...(change === null ? {} : { change_status: change.isWaiting ? "pending" as const : "rejected" as const })
})
