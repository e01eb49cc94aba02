import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { type Session, Sessions } from "../../core/accounts/people/Sessions.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { readCookie } from "./SessionCookie.ts"

/**
 * Finds the live session of the browser that sends a request, for pages and the management API alike. When a proxy or
 * an embedder names the user on every request (`IdentitySource.browserUser`), a session of another user is over, and so
 * is one that rests on that word when nobody is named.
 */
export const browserSession = Effect.gen(function*() {
  const config = yield* AppConfig
  const sessions = yield* Sessions
  const { browserUser = () => Effect.succeedNone } = yield* IdentitySource

  return Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const token = readCookie(config, request)
    const session = token === undefined ? Option.none<Session>() : yield* sessions.find(token)
    if (Option.isNone(session)) return session
    const { ofBrowser, userId } = session.value
    const said = yield* browserUser(request.headers)
    const holds = Option.isSome(said) ? said.value.id === userId : !ofBrowser
    return holds ? session : Option.none<Session>()
  })
})
