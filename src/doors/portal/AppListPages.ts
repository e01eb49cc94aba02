import { Effect } from "effect"
import { appFigures } from "../../core/clients/AppFigures.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import { appsPath, listBody, longestSearch } from "./AppListView.ts"

const onPage = 25

/** List of a developer's apps: `/settings/apps`. */
export const AppListPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const registry = yield* ClientRegistry
  const figuresOf = yield* appFigures

  yield* get(
    appsPath,
    Effect.gen(function*() {
      const visitor = yield* pages.require
      const query = yield* readQuery
      const cursor = query.get("cursor")
      const search = (query.get("search") ?? "").trim().slice(0, longestSearch)
      const pageAt = (cursor: string | undefined) =>
        Effect.map(
          registry.pageOwned(visitor.account.id, onPage, cursor, search),
          (found) => ({ ...found, isFirst: cursor === undefined })
        )
      // An address that somebody has changed by hand shows the beginning.
      const found = yield* Effect.catch(pageAt(cursor), () => Effect.orDie(pageAt(undefined)))
      return page({
        title: text("apps"),
        viewer: visitor.viewer,
        body: listBody({
          ...found,
          visitor,
          search,
          figures: yield* figuresOf(found.clients.map(({ id }) => id))
        })
      })
    })
  )
}))
