import { Effect } from "effect"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { Grants } from "../../core/grants/Grants.ts"
import type { UserId } from "../../domain/Ids.ts"

/** Disconnects all apps of a user who has changed the password and wants it so. */
export const disconnectAll = Effect.gen(function*() {
  const audit = yield* AuditLog
  const grants = yield* Grants

  return Effect.fnUntraced(function*(userId: UserId) {
    const count = yield* grants.disconnect(userId)
    if (count === 0) return
    yield* audit.record({ actor: userId, action: "consent.withdrawn", userId, details: { grants: count } })
  })
})
