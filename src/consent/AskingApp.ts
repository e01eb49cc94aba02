import { Effect, Layer } from "effect"
import { AppBehind } from "../accounts/AppBehind.ts"
import { ClientRegistry } from "../clients/ClientRegistry.ts"
import { pathOf } from "../http/Envelope.ts"
import { authorizationPath, queryOf, read, vouch } from "./AuthorizationRequest.ts"

/** Names the app whose authorization request waits for the sign-in, if it is one that we would send an answer to. */
export const AskingApp = Layer.effect(
  AppBehind,
  Effect.map(ClientRegistry, (clients) => (path) => {
    if (pathOf({ url: path }) !== authorizationPath) return Effect.succeedNone
    return Effect.gen(function*() {
      const { clientId, redirectUri } = yield* Effect.fromResult(read(queryOf(path)))
      const client = yield* Effect.fromResult(vouch(yield* clients.find(clientId), redirectUri))
      return client.name
    }).pipe(Effect.option)
  })
)
