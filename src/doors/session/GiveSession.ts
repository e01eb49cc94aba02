import { Effect, Option, Redacted } from "effect"
import { pageNotices } from "../../core/accounts/people/PageNotices.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import type { Credential } from "../../domain/Credential.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { type Notice, toKeep } from "./Notice.ts"
import { PageSession } from "./PageSession.ts"
import { setCookie } from "./SessionCookie.ts"

/**
 * Gives the browser the session that the use of a mailed link has started, in place of any that it had (session
 * fixation), and sends it to a page of ours that says what was done.
 */
export const giveSession = Effect.gen(function*() {
  const config = yield* AppConfig
  const notices = yield* pageNotices
  const pages = yield* PageSession
  const sessions = yield* Sessions

  return Effect.fnUntraced(function*(token: Credential, path: string, notice: Notice) {
    yield* pages.end
    const session = yield* sessions.find(Redacted.value(token))
    if (Option.isSome(session)) {
      yield* Outages.bestEffort("A notice was not kept")(notices.leave(session.value, { path, ...toKeep(notice) }))
    }
    return setCookie(config, token)(seeOther(path))
  })
})
