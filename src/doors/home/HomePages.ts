import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { Accounts } from "../../core/accounts/Accounts.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { emptyServerNotice } from "../account/EmptyServer.ts"
import { pageRoutes } from "../account/PageRoutes.ts"
import { PageSession } from "../account/PageSession.ts"
import { whatNextPath } from "../account/SetupView.ts"
import { homeBody } from "./HomeView.ts"
import { whatNextBody } from "./WhatNextView.ts"

/** The pages that belong to none of the other doors: the front page, and what to do first on a server. */
export const HomePages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get } = yield* pageRoutes(router)
  const config = yield* AppConfig
  const pages = yield* PageSession
  const notice = yield* emptyServerNotice
  const hasLocalAccounts = config.signIn.has("local") && Option.isSome(yield* Effect.serviceOption(Accounts))

  const show = Effect.gen(function*() {
    const viewer = Option.getOrUndefined(yield* pages.current)?.viewer
    return page({ title: "Welcome", viewer, body: homeBody(viewer, yield* notice) })
  })

  const showWhatNext = Effect.gen(function*() {
    const { viewer } = yield* pages.require
    return page({ title: "What next", viewer, body: whatNextBody({ viewer, config, hasLocalAccounts }) })
  })

  yield* get("/", show)
  yield* get(whatNextPath, showWhatNext)
}))
