import { Effect, Option, Redacted } from "effect"
import { PageNotices } from "../../core/accounts/PageNotices.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import type { UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { PageSession } from "./PageSession.ts"
import { setCookie } from "./SessionCookie.ts"

/**
 * Signs in whoever has used a mailed link, and sends the browser to a page of ours that says what was done. The session is a
 * new one, in place of any that the browser had (session fixation).
 */
export const startSession = Effect.gen(function*() {
  const config = yield* AppConfig
  const notices = yield* PageNotices
  const pages = yield* PageSession
  const sessions = yield* Sessions

  return Effect.fnUntraced(function*(userId: UserId, path: string, notice: string) {
    yield* pages.end
    const token = yield* sessions.start(userId)
    const session = yield* sessions.find(Redacted.value(token))
    if (Option.isSome(session)) {
      yield* Outages.bestEffort("A notice was not kept")(notices.leave(session.value, { path, text: notice }))
    }
    return setCookie(config, token)(seeOther(path))
  })
})
