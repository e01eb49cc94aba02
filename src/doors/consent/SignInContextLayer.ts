import { Effect, Layer } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { authorizationPath, queryOf, readRequest, validateClient } from "../../core/consent/AuthorizationRequest.ts"
import { pathOf } from "../../foundation/http/Envelope.ts"
import { SignInContext } from "../session/SignInContext.ts"

/** Finds the authorization request that waits for the sign-in, if its client and redirect URI are valid. */
export const signInContextLayer = Layer.effect(
  SignInContext,
  Effect.map(ClientRegistry, (clients) => (path) => {
    if (pathOf({ url: path }) !== authorizationPath) return Effect.succeedNone
    return Effect.gen(function*() {
      const { clientId, parameters, redirectUri } = yield* Effect.fromResult(readRequest(queryOf(path)))
      const client = yield* Effect.fromResult(validateClient(yield* clients.find(clientId), redirectUri))
      return {
        app: client.name,
        prompt: parameters.get("prompt"),
        loginHint: parameters.get("login_hint"),
        uiLocales: parameters.get("ui_locales")
      }
    }).pipe(Effect.option)
  })
)
