import { DateTime, Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { Migration } from "../../core/legacy/migration/Migration.ts"
import { type BadRequest, Conflict, type NotFound } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { page } from "../../foundation/web/Layout.ts"
import { inEnglish, text } from "../../foundation/web/Message.ts"
import { versionOf } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { migrationPath, rehearsalPath } from "../parts/Paths.ts"
import { notFoundPage, pageController, pathId, showProblem } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { enteredFields } from "./AppFormView.ts"
import { migrationBody, type MigrationView } from "./MigrationView.ts"

/** Page on which the owner of a legacy app moves it to scopes: `/settings/apps/:id/migration`. */
export const MigrationPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const migration = yield* Migration
  const registry = yield* ClientRegistry

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<MigrationView> = {}) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const state = yield* migration.state(visitor.account.id, id, more.entered?.filter(catalogue.isScope))
    return page({
      title: text("toScopes.title", { app: client.name }),
      viewer: visitor.viewer,
      problem: more.problem,
      body: migrationBody({ catalogue, visitor, client, state, now: yield* DateTime.now, ...more })
    })
  })

  /** A form on the page; a problem is shown on the page, with what was entered. */
  const act = (
    path: `/${string}`,
    handler: (sent: Sent) => Effect.Effect<Response, NotFound | BadRequest | Conflict>
  ) =>
    post(
      path,
      Effect.gen(function*() {
        const { fields, visitor } = yield* pages.form
        const id = yield* pathId
        const { scopes } = enteredFields(catalogue, fields)
        return yield* handler({ visitor, fields, id }).pipe(
          showProblem((problem) => show(visitor, id, { problem, entered: scopes }), gone(visitor))
        )
      })
    )

  yield* get(
    "/settings/apps/:id/migration",
    Effect.gen(function*() {
      const visitor = yield* pages.require
      const id = yield* pathId
      const { restored } = visitor.viewer
      const back = {
        ...restoredForm(restored, migrationPath(id), enteredIn(catalogue)),
        ...restoredForm(restored, rehearsalPath(id), enteredIn(catalogue))
      }
      return yield* Effect.mapError(show(visitor, id, back), () => gone(visitor))
    })
  )

  yield* act("/settings/apps/:id/migration", ({ fields, id, visitor }) =>
    Effect.gen(function*() {
      const { scopes } = enteredFields(catalogue, fields)
      if (scopes.length === 0) return yield* noScopes
      const after = yield* registry.edit(visitor.account.id, id, {
        scopes,
        breakOldUrls: fields.has("breakOldUrls"),
        version: versionOf(fields)
      })
      return yield* pages.redirect(
        visitor,
        migrationPath(id),
        text(after.legacy ? "toScopes.waiting" : "toScopes.saved")
      )
    }))

  yield* act(
    "/settings/apps/:id/migration/rehearsal",
    ({ fields, id, visitor }) => show(visitor, id, { ...enteredIn(catalogue)(fields), rehearsed: true })
  )

  yield* act("/settings/apps/:id/migration/undo", ({ fields, id, visitor }) =>
    Effect.andThen(
      registry.undoMigration(visitor.account.id, id, versionOf(fields)),
      pages.redirect(visitor, migrationPath(id), text("toScopes.undone"))
    ))
}))

type Response = HttpServerResponse.HttpServerResponse

interface Sent {
  readonly id: string
  readonly visitor: Visitor
  readonly fields: Parameters
}

/** Values of a form that comes back; one about an earlier version of the app stays one. */
const enteredIn = (catalogue: Catalogue) => (fields: Parameters) => ({
  entered: enteredFields(catalogue, fields).scopes,
  version: versionOf(fields)
})

const noScopes = new Conflict({ code: "no_scopes", message: inEnglish(text("error.no_scopes")) })

const gone = notFoundPage({
  what: text("toScopes.notFound.what"),
  remedy: text("app.notFound.remedy")
})
