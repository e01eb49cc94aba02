import { Effect } from "effect"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import { because, InvalidGrant, TemporarilyUnavailable } from "../../domain/OAuthError.ts"

/** Names the check that failed in the log and to the owner of the app, never to the caller; support learns the user. */
export const invalidGrant = (description: string) =>
  Effect.fnUntraced(function*(clientId: ClientId, reason: string, userId?: UserId) {
    yield* Effect.logInfo(`Refused: ${description}`).pipe(Effect.annotateLogs({ client_id: clientId, reason }))
    return yield* because(new InvalidGrant({ error_description: description }), reason, userId)
  })

/** The client changed between the statement that refused it and the check that explains why. */
export const changedMeanwhile = Effect.fail(
  new TemporarilyUnavailable({ error_description: "the app was changed just now, try again" })
)
