import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId, type UserId } from "../../../domain/Ids.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Grants } from "../../grants/Grants.ts"
import { clientCommands, type Reviewer } from "../life/ClientCommands.ts"
import { withdrawTransfer } from "../life/Transfer.ts"
import type { ManagedClient } from "../records/Client.ts"
import { ownersNews } from "./OwnersNews.ts"

/**
 * Makes what ends the part of a co-owner: that the app becomes theirs is withdrawn, and what they gave its test app
 * ends unless they are a guest of it as well. Joins the caller's transaction, under the app's row lock.
 */
export const partEnd = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* AuditLog
  const commands = yield* clientCommands
  const grants = yield* Grants
  const news = yield* ownersNews

  return Effect.fnUntraced(function*(by: Reviewer, client: ManagedClient, accountId: UserId) {
    yield* sql`DELETE FROM client_owners WHERE client_id = ${client.id} AND account_id = ${accountId}`
    if (client.change?.nextOwnerId === accountId) {
      yield* commands.run({ id: by, as: "reviewer" }, client.id, withdrawTransfer)
      if (client.change.isWaiting) yield* news.transferWithdrawn(client)
    }
    const [test] = yield* sql<{ readonly id: string }>`SELECT id FROM clients test WHERE test_of = ${client.id}
      AND NOT EXISTS (SELECT FROM test_guests g WHERE g.client_id = test.id AND g.account_id = ${accountId})`
    if (test === undefined) return
    const testId = ClientId.make(test.id)
    const ended = yield* grants.disconnect(accountId, testId)
    if (ended === 0) return
    yield* audit.record({
      actor: by,
      action: "consent.withdrawn",
      clientId: testId,
      userId: accountId,
      details: { grants: ended }
    })
  }, Effect.orDie)
})
