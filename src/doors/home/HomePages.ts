import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { page } from "../../foundation/web/Layout.ts"
import { emptyServerNotice } from "../session/EmptyServer.ts"
import { pageRoutes } from "../session/PageRoutes.ts"
import { PageSession } from "../session/PageSession.ts"
import { homeBody } from "./HomeView.ts"

/** Front page: `/`. */
export const HomePages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get } = yield* pageRoutes(router)
  const pages = yield* PageSession
  const notice = yield* emptyServerNotice

  const show = Effect.gen(function*() {
    const viewer = Option.getOrUndefined(yield* pages.current)?.viewer
    return page({ title: "Welcome", viewer, body: homeBody(viewer, yield* notice) })
  })

  yield* get("/", show)
}))
