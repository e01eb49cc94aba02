import { Effect } from "effect"
import { appUsage } from "../../core/clients/AppUsage.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery, versionOf } from "../../foundation/web/ReadForm.ts"
import { appTabPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { activityBody } from "./ActivityView.ts"
import { appFrame, appTitle } from "./AppFrame.ts"
import { appRoutes, type Problem } from "./AppRoutes.ts"
import { refusalWishIn } from "./RefusedRequestsView.ts"

/** Tab of an app with its calls, the scopes that nobody uses, and what went wrong lately, and why. */
export const ActivityPages = pageController(Effect.fnUntraced(function*(routes) {
  const { act, view } = appRoutes(routes)
  const { baseUrl } = yield* AppConfig
  const catalogue = yield* Catalogue
  const registry = yield* ClientRegistry
  const refusedRequests = yield* RefusedRequests
  const usage = yield* appUsage

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, query: Parameters, problem?: Problem) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const wish = refusalWishIn(query)
    // An address that somebody has changed by hand leads to the first page.
    const found = yield* refusedRequests.page(client.id, wish).pipe(
      Effect.catchTag(
        "BadRequest",
        () => Effect.orDie(refusedRequests.page(client.id, { ...wish, cursor: undefined }))
      )
    )
    const errors = new Set((yield* refusedRequests.list(client.id)).map(({ error }) => error))
    const body = activityBody({
      catalogue,
      visitor,
      client,
      calls: yield* usage.of(client),
      need: query.get("need"),
      refusedRequests: { wish, found, errors, baseUrl },
      problem
    })
    return page({
      title: appTitle(client, "activity"),
      viewer: visitor.viewer,
      problem,
      body: appFrame({ client, visitor, active: "activity", body })
    })
  })

  yield* view(
    "/settings/apps/:id/activity",
    (visitor, { id }) => Effect.flatMap(readQuery, (query) => show(visitor, id, query))
  )

  yield* act(
    "/settings/apps/:id/activity/unused-scopes",
    (problem, { id, visitor }) => Effect.flatMap(readQuery, (query) => show(visitor, id, query, problem)),
    ({ fields, id, visitor }) =>
      Effect.gen(function*() {
        const scopes = fields.get("scopes")?.split(" ") ?? []
        const { dropped, kept } = yield* usage.drop(visitor.account.id, id, { scopes, version: versionOf(fields) })
        return yield* routes.pages.redirect(
          visitor,
          appTabPath(id, "activity"),
          kept.length === 0
            ? text("unused.dropped", { count: dropped.length })
            : text("unused.dropped.some", { count: dropped.length, kept: kept.join(", ") })
        )
      })
  )
}))
