import { Effect } from "effect"
import { pageController } from "../session/PageRoutes.ts"
import { showAccount } from "./ShowAccount.ts"

/** User's own account: `/account`. */
export const AccountPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const show = yield* showAccount

  yield* get("/account", Effect.flatMap(pages.require, (visitor) => show(visitor)))
}))
