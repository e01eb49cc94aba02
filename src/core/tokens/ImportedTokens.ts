import { Array, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../domain/Credential.ts"
import type { ClientId, GrantId } from "../../domain/Ids.ts"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Mailbox from "../../foundation/database/Mailbox.ts"
import { retryRolledBack } from "../../foundation/database/RetryRolledBack.ts"
import type { ClientStanding } from "../clients/records/Client.ts"
import * as ImportedToken from "./ImportedToken.ts"
import type { RefreshToken } from "./RefreshToken.ts"

/** An imported token, named by the digest of its digest, and the grant that it stands for. */
interface ImportedTokenLink {
  readonly digest: Uint8Array
  readonly clientId: ClientId
  readonly grantId: GrantId
}

/**
 * Refresh tokens that another server issued and installed apps still hold. The import adds them; `RefreshTokens` finds
 * them when an app presents one.
 */
export class ImportedTokens extends Context.Service<ImportedTokens, {
  /** First generation of the grant that a legacy client's token stands for. */
  find(client: ClientStanding, text: string): Effect.Effect<Option.Option<RefreshToken>, TemporarilyUnavailable>
  /** Tokens among these that were imported before, as `mapKey` names them. */
  known(digests: ReadonlyArray<Uint8Array>): Effect.Effect<ReadonlySet<string>>
  /** Adds tokens whose grants exist; joins the caller's transaction. */
  add(links: Array.NonEmptyReadonlyArray<ImportedTokenLink>): Effect.Effect<void>
}>()("slotkey/core/tokens/ImportedTokens") {
  static readonly layer: Layer.Layer<ImportedTokens, never, AppConfig | SqlClient.SqlClient> = Layer.effect(
    ImportedTokens,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const findLink = yield* Mailbox.make({
        name: "ImportedTokens.findLink",
        handle: (batch: Mailbox.Batch<Uint8Array>) =>
          Effect.gen(function*() {
            const rows = yield* retryRolledBack(
              sql<ImportedTokenLink>`SELECT digest, client_id, grant_id FROM imported_refresh_tokens
                WHERE digest = ANY(${batch}::bytea[])`
            )
            const found = new Map(rows.map((row) => [ImportedToken.mapKey(row.digest), row]))
            return batch.map((digest) => found.get(ImportedToken.mapKey(digest)))
          })
      })

      // Only legacy clients have imported tokens, so garbage from other clients costs no database access.
      const find = Effect.fn("ImportedTokens.find")(function*({ id, isLegacyClient }: ClientStanding, text: string) {
        if (!isLegacyClient) return Option.none<RefreshToken>()
        const sha256 = Credential.digest(text)
        const link = yield* findLink(ImportedToken.digest(sha256))
        return link?.clientId === id
          ? Option.some<RefreshToken>({ grantId: link.grantId, handle: ImportedToken.handle(sha256), generation: 0 })
          : Option.none<RefreshToken>()
      })

      const known = Effect.fn("ImportedTokens.known")(function*(digests: ReadonlyArray<Uint8Array>) {
        const rows = yield* sql<Pick<ImportedTokenLink, "digest">>`
          SELECT digest FROM imported_refresh_tokens WHERE digest = ANY(${digests}::bytea[])`
        return new Set(rows.map(({ digest }) => ImportedToken.mapKey(digest)))
      }, Effect.orDie)

      const add = Effect.fn("ImportedTokens.add")(function*(links: Array.NonEmptyReadonlyArray<ImportedTokenLink>) {
        yield* sql`INSERT INTO imported_refresh_tokens ${sql.insert(Array.map(links, (link) => ({ ...link })))}`
      }, Effect.orDie)

      return ImportedTokens.of({ find, known, add })
    })
  )
}
