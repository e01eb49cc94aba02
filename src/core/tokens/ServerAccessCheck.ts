import { Effect, Layer } from "effect"
import { FirstUses } from "../grants/FirstUses.ts"
import { Grants } from "../grants/Grants.ts"
import { AccessCheck } from "./AccessCheck.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { InvalidToken } from "./InvalidToken.ts"

/** Server's own check. A token that passes shows that the app has received its generation, which is noted once. */
export const ServerAccessCheck: Layer.Layer<AccessCheck, never, AccessTokens | FirstUses | Grants> = Layer.effect(
  AccessCheck,
  Effect.gen(function*() {
    const accessTokens = yield* AccessTokens
    const firstUses = yield* FirstUses
    const grants = yield* Grants

    const check = Effect.fnUntraced(function*(bearer: string) {
      const token = yield* accessTokens.verify(bearer)
      const { clientId, status, unusedGeneration, userId } = yield* grants.statusOf(token.grantId)
      switch (status) {
        case "usable":
          // A thief of a MAC key could write any user into a token of a grant that is known.
          if (userId !== token.userId || clientId !== token.clientId) {
            return yield* new InvalidToken({ reason: "the grant is another's" })
          }
          if (token.generation > 0 && token.generation === unusedGeneration) {
            firstUses.note(token.grantId, token.generation)
          }
          return token
        case "client-not-approved":
          return yield* new InvalidToken({ reason: "the client cannot be used" })
        case "ended":
          return yield* new InvalidToken({ reason: "the grant has ended" })
      }
    })

    return AccessCheck.of({ check })
  })
)
