import { Effect, type Option } from "effect"
import { NotFound } from "../../domain/ApiError.ts"

/** A service of a server that keeps the accounts itself, or the answer of one whose users are an embedder's. */
export const orUsersElsewhere = <A>(service: Option.Option<A>): Effect.Effect<A, NotFound> =>
  Effect.mapError(
    Effect.fromOption(service),
    () =>
      new NotFound({
        code: "users_elsewhere",
        message: "The users of this server are a platform's: change them there."
      })
  )
