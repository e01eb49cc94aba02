import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { pageRoutes } from "../session/PageRoutes.ts"
import { PageSession } from "../session/PageSession.ts"
import { showAccount } from "./ShowAccount.ts"

/** User's own account: `/account`. */
export const AccountPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get } = yield* pageRoutes(router)
  const pages = yield* PageSession
  const show = yield* showAccount

  yield* get("/account", Effect.flatMap(pages.require, (visitor) => show(visitor)))
}))
