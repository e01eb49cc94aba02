import { type DateTime, Option } from "effect"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import type { Logo } from "../logos/Logos.ts"
import { ManagedClient } from "../records/Client.ts"
import { defaultRefreshGrace } from "../records/RefreshGrace.ts"
import { nothingSaid } from "../records/ReviewedFields.ts"
import type { Registration } from "./Registration.ts"

/** First version of a registered app, which waits for review. */
export const newClient = (
  ownerId: UserId,
  id: ClientId,
  registration: Omit<Registration, "scopes" | "optionalScopes"> & Pick<ManagedClient, "scopes" | "optionalScopes">,
  logo: Option.Option<Logo>,
  now: DateTime.Utc
): ManagedClient =>
  new ManagedClient({
    ...nothingSaid,
    logoUrl: null,
    ...registration,
    logoDigest: Option.getOrNull(Option.map(logo, ({ digest }) => digest)),
    id,
    ownerId,
    refreshGrace: defaultRefreshGrace(registration.kind),
    legacy: false,
    status: "pending",
    rejectionReason: null,
    submittedAt: now,
    reviewedAt: null,
    createdAt: now,
    updatedAt: now,
    migratedAt: null,
    scopeWords: [],
    origin: "registered",
    testOf: null,
    version: 1,
    change: null
  })
