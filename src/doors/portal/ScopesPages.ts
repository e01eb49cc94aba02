import { DateTime, Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { page } from "../../foundation/web/Layout.ts"
import { versionOf } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { appTabPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { enteredFields } from "./AppFormView.ts"
import { appFrame, appTitle } from "./AppFrame.ts"
import { appRoutes } from "./AppRoutes.ts"
import { saved } from "./SavedNotice.ts"
import { scopesBody, type ScopesView } from "./ScopesView.ts"

/** Tab of an app with what it may do. A legacy app gets its scopes on a page of its own (`MigrationPages`). */
export const ScopesPages = pageController(Effect.fnUntraced(function*(routes) {
  const { act, view } = appRoutes(routes)
  const catalogue = yield* Catalogue
  const registry = yield* ClientRegistry

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<ScopesView> = {}) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const body = scopesBody({ catalogue, visitor, client, now: yield* DateTime.now, ...more })
    return page({
      title: appTitle(client, "scopes"),
      viewer: visitor.viewer,
      problem: more.problem,
      body: appFrame({ client, visitor, active: "scopes", body })
    })
  })

  yield* view(
    "/settings/apps/:id/scopes",
    (visitor, { id }) =>
      show(visitor, id, restoredForm(visitor.viewer.restored, appTabPath(id, "scopes"), enteredIn(catalogue)))
  )

  yield* act(
    "/settings/apps/:id/scopes",
    (problem, { fields, id, visitor }) => show(visitor, id, { entered: enteredFields(catalogue, fields), problem }),
    ({ fields, id, visitor }) =>
      Effect.gen(function*() {
        const before = yield* registry.getOwned(visitor.account.id, id)
        const { optionalScopes, scopes } = enteredFields(catalogue, fields)
        const edit = before.legacy ? {} : { scopes, optionalScopes }
        const after = yield* registry.edit(visitor.account.id, id, { ...edit, version: versionOf(fields) })
        return yield* routes.pages.redirect(visitor, appTabPath(id, "scopes"), saved(before, after))
      })
  )
}))

/** Values of a form that comes back; one about an earlier version of the app stays one. */
const enteredIn = (catalogue: Catalogue) => (fields: Parameters) => ({
  entered: enteredFields(catalogue, fields),
  version: versionOf(fields)
})
