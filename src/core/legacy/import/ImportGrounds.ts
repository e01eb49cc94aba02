import type { DateTime } from "effect"
import type { TrustedIssuers } from "../../accounts/linked/TrustedIssuers.ts"
import type { Client } from "../../clients/records/Client.ts"
import type { AccountIds } from "./AccountReference.ts"
import type { ImportDraft } from "./ImportDraft.ts"
import type { ImportOptions } from "./ImportedClient.ts"

/** Accounts, apps and refresh tokens of this server that records name. */
export interface Existing {
  readonly accounts: AccountIds
  readonly clients: ReadonlyMap<string, Client>
  /** Ids of apps that their owners have deleted here. */
  readonly deleted: ReadonlySet<string>
  /** Why the old tokens of users stay behind, by app and user as `userOfApp` names them. */
  readonly leftOut: ReadonlyMap<string, string>
  /** Refresh tokens that were imported earlier, whatever became of them since. */
  readonly tokens: ReadonlySet<string>
}

/** Key of an app and its user in `Existing.leftOut`. */
export const userOfApp = (clientId: string, userId: string): string => `${userId} ${clientId}`

export interface Grounds {
  /** Additions of the records before this one. */
  readonly draft: ImportDraft
  readonly existing: Existing
  readonly issuers: TrustedIssuers
  readonly options: ImportOptions
  readonly now: DateTime.Utc
}

/** Report on one part of a record: on its app, its secrets or its refresh tokens. */
export interface PartReport {
  readonly faults: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
  /** What of it does not come over. */
  readonly losses?: ReadonlyArray<string>
}
