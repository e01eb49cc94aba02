import { DateTime, Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { Logos } from "../../core/clients/logos/Logos.ts"
import { MissingLogos } from "../../core/clients/logos/MissingLogos.ts"
import { mayDo } from "../../core/clients/records/AppAccess.ts"
import { Grants } from "../../core/grants/Grants.ts"
import { BadRequest } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { inEnglish, text } from "../../foundation/web/Message.ts"
import { versionOf } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { appPath, appTabPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { enteredFields } from "./AppFormView.ts"
import { appFrame, appTitle } from "./AppFrame.ts"
import { appRoutes } from "./AppRoutes.ts"
import { saved } from "./SavedNotice.ts"
import { settingsBody, type SettingsView } from "./SettingsView.ts"

/** Tab of an app with everything else that its owner may change, and with its end. */
export const SettingsPages = pageController(Effect.fnUntraced(function*(routes) {
  const { act, view } = appRoutes(routes)
  const { pages } = routes
  const catalogue = yield* Catalogue
  const registry = yield* ClientRegistry
  const { redirectSchemes } = yield* AppConfig
  const grants = yield* Grants
  const logos = yield* Logos
  const missingLogos = yield* MissingLogos

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<SettingsView> = {}) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const body = settingsBody({
      catalogue,
      visitor,
      client,
      mayDelete: mayDo(yield* registry.roleOf(visitor.account.id, client), "delete"),
      usage: yield* grants.usage(client.id),
      redirectSchemes,
      areLogosShown: yield* logos.areShown,
      logoFailures: yield* missingLogos.failures(client.id),
      now: yield* DateTime.now,
      ...more
    })
    return page({
      title: appTitle(client, "settings"),
      viewer: visitor.viewer,
      problem: more.problem,
      body: appFrame({ client, visitor, active: "settings", body })
    })
  })

  yield* view("/settings/apps/:id/settings", (visitor, { id }) => show(visitor, id, formBack(catalogue, visitor, id)))

  yield* act(
    "/settings/apps/:id",
    (problem, { fields, id, visitor }) =>
      show(visitor, id, { form: "edit", entered: enteredFields(catalogue, fields), problem }),
    ({ fields, id, visitor }) =>
      Effect.gen(function*() {
        const before = yield* registry.getOwned(visitor.account.id, id)
        // Scopes have a form of their own.
        const { kind: _, optionalScopes: __, refreshGrace, scopes: ___, ...others } = enteredFields(catalogue, fields)
        const after = yield* registry.edit(visitor.account.id, id, {
          ...others,
          ...(refreshGrace === undefined ? {} : { refreshGrace }),
          refetchLogo: fields.has("refetchLogo"),
          version: versionOf(fields)
        })
        return yield* pages.redirect(visitor, appTabPath(id, "settings"), saved(before, after))
      })
  )

  yield* act(
    "/settings/apps/:id/delete",
    (problem, { id, visitor }) => show(visitor, id, { problem, form: "delete" }),
    ({ fields, id, visitor }) =>
      Effect.gen(function*() {
        const { name } = yield* registry.getFor("delete", visitor.account.id, id)
        if (fields.get("confirm")?.trim() !== name) return yield* notTheName
        yield* registry.remove(visitor.account.id, id)
        return yield* pages.redirect(visitor, "/settings/apps", text("app.deleted", { app: name }))
      }),
    pages.recentForm
  )
}))

/** Values of a form that comes back; one about an earlier version of the app stays one. */
const enteredIn = (catalogue: Catalogue) => (fields: Parameters) => ({
  form: "edit" as const,
  entered: enteredFields(catalogue, fields),
  version: versionOf(fields)
})

const formBack = (catalogue: Catalogue, { viewer: { restored } }: Visitor, id: string): Partial<SettingsView> => ({
  ...restoredForm(restored, appPath(id), enteredIn(catalogue)),
  ...restoredForm(restored, `${appPath(id)}/delete`, () => ({ form: "delete" as const }))
})

const notTheName = new BadRequest({
  code: "not_confirmed",
  message: inEnglish(text("error.not_confirmed"))
})
