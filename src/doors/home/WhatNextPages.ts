import { Effect, Option } from "effect"
import { LocalUsers } from "../../core/accounts/LocalUsers.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { whatNextPath } from "../account/SetupView.ts"
import { pageController } from "../session/PageRoutes.ts"
import { whatNextBody } from "./WhatNextView.ts"

/** Page that says what to do first on a server: `/what-next`. */
export const WhatNextPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const config = yield* AppConfig
  const hasLocalAccounts = config.signIn.has("local") && Option.isSome(yield* LocalUsers)

  const show = Effect.gen(function*() {
    const { viewer } = yield* pages.require
    return page({ title: text("whatNext"), viewer, body: whatNextBody({ viewer, config, hasLocalAccounts }) })
  })

  yield* get(whatNextPath, show)
}))
