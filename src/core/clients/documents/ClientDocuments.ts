import { Context, Effect, Layer, type Option, Schema } from "effect"
import type { DateTime } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import { Broken, broken } from "../../../domain/Rule.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import type { Client } from "../records/Client.ts"

/** A document cannot be taken; `client` is the app that it described before, where there is one. */
export class DocumentRefused extends Schema.TaggedError<DocumentRefused>()("DocumentRefused", {
  /** Goes on from the words "The document at <client_id>". */
  reason: Broken
}) {}

/** Document of an app as it was read last. */
export interface ClientDocument {
  readonly host: string
  readonly digest: string
  readonly content: string
  readonly fetchedAt: DateTime.Utc
  readonly freshUntil: DateTime.Utc
  /** Why it could not be taken when it was asked for last, and when that was; `null` while it can. */
  readonly fault: { readonly reason: Broken; readonly at: DateTime.Utc } | null
}

/**
 * Apps that describe themselves by a document at their `client_id` (draft-ietf-oauth-client-id-metadata-document).
 * Identity is from the document, policy from our record: nothing in a document moves rights.
 */
export class ClientDocuments extends Context.Service<ClientDocuments, {
  /**
   * App of this https URL, whose document is read unless it was a moment ago: on the first time it is put before the
   * reviewers with the scopes that were asked for, and later what has changed is applied. It answers an app in any
   * status. Scopes that are asked for later widen an app that was never decided about, and no other. `person` is who
   * is signed in, whose budget it costs.
   */
  introduce(
    clientId: string,
    person: UserId,
    scopes: ReadonlyArray<ScopeName>,
    /** Identifier of the resource that is asked for; absent or `null` for the API. */
    resource?: string | null
  ): Effect.Effect<Client, DocumentRefused>
  /** Document of this app, if it has one. */
  find(clientId: string): Effect.Effect<Option.Option<ClientDocument>>
}>()("slotkey/core/clients/documents/ClientDocuments") {
  static readonly layer = Layer.effect(
    ClientDocuments,
    Effect.gen(function*() {
      yield* SqlClient.SqlClient
      return ClientDocuments.of({
        introduce: () => Effect.fail(new DocumentRefused({ reason: broken("host") })),
        find: () => Effect.succeedNone
      })
    })
  )
}

/** Tells whether a `client_id` is the address of a document rather than an id of ours. */
export const isDocumentId = (clientId: string): boolean => /^https:\/\//i.test(clientId)
