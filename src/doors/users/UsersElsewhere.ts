import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../../domain/ApiError.ts"
import { Api } from "../contract/Api.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

const look = () =>
  Effect.fail(
    new NotFound({
      code: "users_elsewhere",
      message: "The users of this server are a platform's: change them there."
    })
  )
const act = () => Effect.andThen(requireRecentSignIn, look())

/** Answers of the API about users (`UsersApi`, `IdentitiesApi`) by a server whose users are an embedder's. */
export const UsersElsewhere = Layer.merge(
  HttpApiBuilder.group(Api, "users", (handlers) => handlers.handleAll({ list: look, get: look, change: act })),
  HttpApiBuilder.group(Api, "identities", (handlers) => handlers.handleAll({ get: look, put: act, remove: act }))
)
