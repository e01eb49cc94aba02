import { Effect, Option } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { emptyServerNotice } from "../session/EmptyServer.ts"
import { pageController } from "../session/PageRoutes.ts"
import { homeBody } from "./HomeView.ts"

/** Front page: `/`. */
export const HomePages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const catalogue = yield* Catalogue
  const notice = yield* emptyServerNotice

  const show = Effect.gen(function*() {
    const viewer = Option.getOrUndefined(yield* pages.current)?.viewer
    return page({ title: text("home.title"), viewer, body: homeBody(catalogue, viewer, yield* notice) })
  })

  yield* get("/", show)
}))
