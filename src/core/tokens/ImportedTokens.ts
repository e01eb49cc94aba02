import { Array, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Credential from "../../domain/Credential.ts"
import type { ClientId, GrantId } from "../../domain/Ids.ts"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import * as Mailbox from "../../foundation/database/Mailbox.ts"
import type { ClientStanding } from "../clients/Client.ts"
import * as ImportedToken from "./ImportedToken.ts"
import type { RefreshToken } from "./RefreshToken.ts"

/** An imported token, by the digest of its digest, and the grant that it stands for. */
export interface Link {
  readonly digest: Uint8Array
  readonly clientId: ClientId
  readonly grantId: GrantId
}

/** Refresh tokens of the server before, with which installed apps come to us. */
export class ImportedTokens extends Context.Service<ImportedTokens, {
  /** What the token of an app from before scopes stands for: the first generation of a grant of ours. */
  find(client: ClientStanding, text: string): Effect.Effect<Option.Option<RefreshToken>, TemporarilyUnavailable>
  /** Which of them were imported before. */
  known(digests: ReadonlyArray<Uint8Array>): Effect.Effect<ReadonlySet<string>>
  /** Joins the caller's transaction. */
  add(links: Array.NonEmptyReadonlyArray<Link>): Effect.Effect<void>
}>()("slotkey/core/tokens/ImportedTokens") {
  static readonly layer: Layer.Layer<ImportedTokens, never, SqlClient.SqlClient> = Layer.effect(
    ImportedTokens,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const mailbox = yield* Mailbox.make({
        handle: (batch: Mailbox.Batch<Uint8Array>) =>
          Effect.gen(function*() {
            const rows = yield* sql<Link>`SELECT * FROM imported_refresh_tokens WHERE digest = ANY(${batch}::bytea[])`
            const found = new Map(rows.map((row) => [ImportedToken.name(row.digest), row]))
            return batch.map((digest) => found.get(ImportedToken.name(digest)))
          }).pipe(Effect.orDie)
      })

      // No other app has any, so the garbage that others send costs nothing.
      const find = Effect.fn("ImportedTokens.find")(function*({ id, legacy, migrated }: ClientStanding, text: string) {
        if (!legacy && !migrated) return Option.none<RefreshToken>()
        const sha256 = Credential.digest(text)
        const link = yield* mailbox(ImportedToken.digest(sha256))
        return link?.clientId === id
          ? Option.some<RefreshToken>({ grantId: link.grantId, handle: ImportedToken.handle(sha256), generation: 0 })
          : Option.none<RefreshToken>()
      })

      const known = Effect.fn("ImportedTokens.known")(function*(digests: ReadonlyArray<Uint8Array>) {
        const rows = yield* sql<Pick<Link, "digest">>`
          SELECT digest FROM imported_refresh_tokens WHERE digest = ANY(${digests}::bytea[])`
        return new Set(rows.map(({ digest }) => ImportedToken.name(digest)))
      }, Effect.orDie)

      const add = Effect.fn("ImportedTokens.add")(function*(links: Array.NonEmptyReadonlyArray<Link>) {
        yield* sql`INSERT INTO imported_refresh_tokens ${sql.insert(Array.map(links, (link) => ({ ...link })))}`
      }, Effect.orDie)

      return ImportedTokens.of({ find, known, add })
    })
  )
}
