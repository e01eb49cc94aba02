import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { LocalUsers } from "../../core/accounts/LocalUsers.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { whatNextPath } from "../account/SetupView.ts"
import { pageRoutes } from "../session/PageRoutes.ts"
import { PageSession } from "../session/PageSession.ts"
import { whatNextBody } from "./WhatNextView.ts"

/** Page that says what to do first on a server: `/what-next`. */
export const WhatNextPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get } = yield* pageRoutes(router)
  const config = yield* AppConfig
  const pages = yield* PageSession
  const hasLocalAccounts = config.signIn.has("local") && Option.isSome(yield* LocalUsers)

  const show = Effect.gen(function*() {
    const { viewer } = yield* pages.require
    return page({ title: "What next", viewer, body: whatNextBody({ viewer, config, hasLocalAccounts }) })
  })

  yield* get(whatNextPath, show)
}))
