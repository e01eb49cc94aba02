import { Effect, Option } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { UsageReports } from "../../core/usage/UsageReports.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { pageIn } from "../../foundation/web/Pager.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import { unusedEverywhere } from "./UnusedEverywhere.ts"
import { unusedBody, unusedPath } from "./UnusedView.ts"

/** List of the apps whose owners a reviewer asks to give up what nobody uses: `/review/unused`. */
export const UnusedPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const { authUrl } = yield* AppConfig
  const catalogue = yield* Catalogue
  const identities = yield* IdentitySource
  const reports = yield* UsageReports
  const pageOf = yield* unusedEverywhere

  yield* get(
    unusedPath,
    Effect.gen(function*() {
      const visitor = yield* pages.requireReviewer
      const found = yield* pageOf(pageIn(yield* readQuery))
      const ids = new Set((found?.apps ?? []).map(({ ownerId }) => ownerId))
      const known = yield* Effect.forEach(ids, (id) => identities.find(id), { concurrency: "unbounded" })
      const owners = new Map(known.flatMap(Option.toArray).map((owner) => [owner.id, owner]))
      return page({
        title: text("unusedScopes"),
        viewer: visitor.viewer,
        body: unusedBody({ authUrl, catalogue, coverage: yield* reports.coverage, found, owners, visitor })
      })
    })
  )
}))
