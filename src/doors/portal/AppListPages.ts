import { Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import { listBody } from "./AppListView.ts"

const onPage = 50

/** List of a developer's apps: `/settings/apps`. */
export const AppListPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const registry = yield* ClientRegistry

  yield* get(
    "/settings/apps",
    Effect.gen(function*() {
      const { account, notice, viewer } = yield* pages.require
      const cursor = (yield* readQuery).get("cursor")
      const pageAt = (cursor: string | undefined) =>
        Effect.map(
          registry.pageOwned(account.id, onPage, cursor),
          (found) => ({ ...found, isFirst: cursor === undefined })
        )
      // An address that somebody has changed by hand shows the beginning.
      const found = yield* Effect.catch(pageAt(cursor), () => Effect.orDie(pageAt(undefined)))
      return page({ title: text("apps"), viewer, body: listBody({ ...found, notice }) })
    })
  )
}))
