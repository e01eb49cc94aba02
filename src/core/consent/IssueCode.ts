import { Effect } from "effect"
import type { UserId } from "../../domain/Ids.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { CodeStore } from "../grants/CodeStore.ts"
import type { Grant } from "../grants/Grant.ts"
import { displacedBy } from "../grants/GrantCap.ts"
import { Grants } from "../grants/Grants.ts"
import { callerDevice } from "../limits/CallerDevice.ts"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import type { Given } from "./Given.ts"

/** Issues codes for what users gave. Room for the grant is made here and not at the exchange, which has to be fast. */
export const codeIssuer = Effect.gen(function*() {
  const audit = yield* AuditLog
  const codes = yield* CodeStore
  const grants = yield* Grants

  return Effect.fnUntraced(
    function*(userId: UserId, request: AuthorizationRequest, given: Given, live: ReadonlyArray<Grant>) {
      for (const { clientId, id } of displacedBy(live)) {
        if (!(yield* grants.revoke(id, "displaced"))) continue
        yield* audit.record({ actor: userId, action: "grant.displaced", clientId, userId, grantId: id })
      }
      const { device } = yield* callerDevice
      return yield* codes.issue({
        clientId: request.clientId,
        redirectUri: request.redirectUri,
        codeChallenge: request.codeChallenge,
        userId,
        scopes: given.scopes,
        resource: request.resource,
        declined: given.declined,
        browser: device?.browser ?? null,
        place: device?.address ?? null,
        grantExpiresAt: given.expiresAt
      })
    }
  )
})
