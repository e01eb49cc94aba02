import { Effect } from "effect"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import { because, InvalidTarget } from "../../domain/OAuthError.ts"
import * as ResourceIdentifier from "../../domain/ResourceIdentifier.ts"

/**
 * Reads the parameter `resource` of the token endpoint (RFC 8707 §2.2) as grants have it: `null` is the API,
 * `undefined` where it is absent.
 */
export const reader = (baseUrl: string) => {
  const api = ResourceIdentifier.canonical(baseUrl)
  return (text: string | undefined): Effect.Effect<string | null | undefined, InvalidTarget> => {
    if (text === undefined) return unnamed
    const identifier = ResourceIdentifier.canonical(text)
    if (identifier === undefined) return malformed
    return Effect.succeed(identifier === api ? null : identifier)
  }
}

const unnamed = Effect.undefined
const malformed = Effect.fail(
  new InvalidTarget({ error_description: "resource must be an absolute URI without a fragment" })
)

/** The grant is for another resource; the client that learns of it is authenticated. */
export const otherResource = Effect.fnUntraced(function*(clientId: ClientId, userId: UserId) {
  const description = "resource is not the one that the user was asked for: send that one, or none"
  yield* Effect.logInfo(`Refused: ${description}`).pipe(Effect.annotateLogs({ client_id: clientId }))
  return yield* because(new InvalidTarget({ error_description: description }), description, userId)
})
