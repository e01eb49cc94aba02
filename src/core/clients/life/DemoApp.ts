import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { AuditLog, resuming, suspending } from "../../audit/AuditLog.ts"
import { ManagedClient } from "../records/Client.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import * as NewClientId from "../records/NewClientId.ts"
import { playgroundCallback } from "../records/PlaygroundAddress.ts"
import { unwritten } from "../records/UnwrittenPurpose.ts"
import { newClient } from "./NewClient.ts"

/**
 * An approved app for each developer on the playground, so that the flow can be seen in a minute. It is public, so
 * there is no secret to keep, and its only redirect URI is the playground's own. Only embedded servers offer it: on
 * others, people review every app.
 */
export const demoApp = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* AuditLog
  const clients = yield* ClientsRepo
  const config = yield* AppConfig
  const { samples } = yield* Catalogue

  const registration = {
    kind: "public",
    name: "Playground demo",
    purpose: unwritten.demo,
    website: config.authUrl,
    redirectUris: [playgroundCallback(config)],
    scopes: samples.demo,
    optionalScopes: []
  } as const

  /** Demo app of this user, registered if there is none. */
  const ensure = Effect.fn("DemoApp.ensure")(
    function*(ownerId: UserId) {
      const id = NewClientId.of(ownerId, "playground demo")
      const now = yield* DateTime.now
      // Deleting a suspended demo app and taking another must not lift the suspension.
      const [last] = yield* audit.list({
        clientId: id,
        actions: [...suspending, ...resuming],
        limit: 1
      })
      const wasSuspended = last !== undefined && suspending.includes(last.action)
      const isNew = yield* clients.insert(
        new ManagedClient({
          ...newClient(ownerId, id, registration, Option.none(), now),
          status: wasSuspended ? "suspended" : "approved",
          rejectionReason: wasSuspended ? "It was suspended before it was deleted." : null
        })
      )
      if (isNew) {
        yield* audit.record({ actor: ownerId, action: "client.registered", clientId: id })
        const action = wasSuspended ? "client.suspended" : "client.approved"
        yield* audit.record({ actor: "slotkey", action, clientId: id })
      }
      return id
    },
    inTransaction(sql)
  )

  return { isOffered: config.database._tag === "Embedded", ensure }
})
