import { DateTime } from "effect"
import { Client } from "../../../src/core/clients/records/Client.ts"
import { nothingSaid } from "../../../src/core/clients/records/ReviewedFields.ts"
import { ClientId, UserId } from "../../../src/domain/Ids.ts"

const now = DateTime.makeUnsafe("2026-11-21T00:00:00Z")

/** An approved confidential app with the changes of a test. */
export const app = (changes: Partial<ConstructorParameters<typeof Client>[0]> = {}): Client =>
  new Client({
    id: ClientId.make("slk_client_1"),
    ownerId: UserId.make("owner"),
    kind: "confidential",
    legacy: false,
    status: "approved",
    name: "Calendar Sync",
    purpose: "Keeps two calendars in step.",
    refreshGrace: "until-used",
    ...nothingSaid,
    website: "https://app.example",
    logoUrl: null,
    logoDigest: null,
    redirectUris: ["https://app.example/callback", "http://localhost/cb?keep=1", "com.example.app:/cb"],
    scopes: ["BOOKING_READ", "PROFILE_READ"],
    optionalScopes: [],
    rejectionReason: null,
    submittedAt: now,
    reviewedAt: now,
    createdAt: now,
    migratedAt: null,
    scopeWords: [],
    updatedAt: now,
    version: 1,
    ...changes
  })

export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

/** Parameters of a valid request. */
export const parameters = {
  client_id: "slk_client_1",
  redirect_uri: "https://app.example/callback",
  response_type: "code",
  scope: "PROFILE_READ",
  state: "xyz"
}

export const query = (changes: Readonly<Record<string, string | undefined>> = {}): string =>
  Object.entries({ ...parameters, ...changes })
    .flatMap(([name, value]) => value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`])
    .join("&")
