import { Effect } from "effect"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Grants } from "../../grants/Grants.ts"

/** Makes what ends all that a guest gave a test app, codes included; joins the caller's transaction. */
export const guestRevocation = Effect.gen(function*() {
  const audit = yield* AuditLog
  const grants = yield* Grants

  return Effect.fnUntraced(function*(by: UserId, userId: UserId, testId: ClientId) {
    const ended = yield* grants.disconnect(userId, testId)
    if (ended === 0) return
    yield* audit.record({
      actor: by,
      action: "consent.withdrawn",
      clientId: testId,
      userId,
      details: { grants: ended }
    })
  })
})
