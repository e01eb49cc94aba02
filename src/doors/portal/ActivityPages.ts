import { Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import { activityBody } from "./ActivityView.ts"
import { appFrame, appTitle } from "./AppFrame.ts"
import { appRoutes } from "./AppRoutes.ts"
import { refusalWishIn } from "./RefusedRequestsView.ts"

/** Tab of an app with what went wrong lately, and why. */
export const ActivityPages = pageController(Effect.fnUntraced(function*(routes) {
  const { baseUrl } = yield* AppConfig
  const registry = yield* ClientRegistry
  const refusedRequests = yield* RefusedRequests

  yield* appRoutes(routes).view("/settings/apps/:id/activity", (visitor, { id }) =>
    Effect.gen(function*() {
      const client = yield* registry.getOwned(visitor.account.id, id)
      const wish = refusalWishIn(yield* readQuery)
      // An address that somebody has changed by hand leads to the first page.
      const found = yield* refusedRequests.page(client.id, wish).pipe(
        Effect.catchTag(
          "BadRequest",
          () => Effect.orDie(refusedRequests.page(client.id, { ...wish, cursor: undefined }))
        )
      )
      const errors = new Set((yield* refusedRequests.list(client.id)).map(({ error }) => error))
      const body = activityBody({ visitor, client, refusedRequests: { wish, found, errors, baseUrl } })
      return page({
        title: appTitle(client, "activity"),
        viewer: visitor.viewer,
        body: appFrame({ client, visitor, active: "activity", body })
      })
    }))
}))
