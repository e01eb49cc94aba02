import { Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { page } from "../../foundation/web/Layout.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { referenceIn } from "../parts/ReferenceSearch.ts"
import { pageController } from "../session/PageRoutes.ts"
import { activityBody } from "./ActivityView.ts"
import { appFrame, appTitle } from "./AppFrame.ts"
import { appRoutes } from "./AppRoutes.ts"

/** Tab of an app with what went wrong lately, and why. */
export const ActivityPages = pageController(Effect.fnUntraced(function*(routes) {
  const registry = yield* ClientRegistry
  const refusedRequests = yield* RefusedRequests

  yield* appRoutes(routes).view("/settings/apps/:id/activity", (visitor, { id }) =>
    Effect.gen(function*() {
      const client = yield* registry.getOwned(visitor.account.id, id)
      const reference = referenceIn(yield* readQuery)
      const found = yield* refusedRequests.list(client.id, reference)
      const body = activityBody({ visitor, client, refusedRequests: { reference, found } })
      return page({
        title: appTitle(client, "activity"),
        viewer: visitor.viewer,
        body: appFrame({ client, visitor, active: "activity", body })
      })
    }))
}))
