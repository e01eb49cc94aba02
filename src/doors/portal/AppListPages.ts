import { Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RegistrationDrafts } from "../../core/clients/life/RegistrationDrafts.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import { listBody } from "./AppListView.ts"
import { draftList } from "./DraftsView.ts"

const onPage = 50

/** List of a developer's apps, with the registrations that were begun: `/settings/apps`. */
export const AppListPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const registry = yield* ClientRegistry
  const drafts = yield* RegistrationDrafts

  yield* get(
    "/settings/apps",
    Effect.gen(function*() {
      const visitor = yield* pages.require
      const { account, notice, viewer } = visitor
      const cursor = (yield* readQuery).get("cursor")
      const pageAt = (cursor: string | undefined) =>
        Effect.map(
          registry.pageOwned(account.id, onPage, cursor),
          (found) => ({ ...found, isFirst: cursor === undefined })
        )
      // An address that somebody has changed by hand shows the beginning.
      const found = yield* Effect.catch(pageAt(cursor), () => Effect.orDie(pageAt(undefined)))
      const begun = found.isFirst ? yield* drafts.list(account.id) : []
      return page({
        title: text("apps"),
        viewer,
        body: listBody({ ...found, notice, drafts: draftList(visitor, begun) })
      })
    })
  )
}))
