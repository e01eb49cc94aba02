import { DateTime, Effect } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { versionOf } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { peopleNames } from "../parts/PeopleNames.ts"
import { pageController, pathId } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { enteredValues, noValues, resourceFormBody, type ResourceFormView } from "./ResourceFormView.ts"
import { resourcePath, resourcesBody, resourcesPath } from "./ResourcesView.ts"
import { resourceActions, trailEntry } from "./ResourceTrail.ts"
import { removeBody } from "./ResourceView.ts"
import { gone, makeShowResource } from "./ShowResource.ts"

// This room is where administrators say what has access tokens of its own beside the API: in a browser and by the API.

/** Resources for administrators: `/resources`. Their credentials have a controller of their own. */
export const ResourcesPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const audit = yield* AuditLog
  const catalogue = yield* Catalogue
  const identities = yield* IdentitySource
  const resources = yield* Resources
  const servers = yield* ResourceServers
  const { baseUrl } = yield* AppConfig
  const { find, show } = yield* makeShowResource
  const api = { identifier: baseUrl, name: catalogue.api.name, baseScopes: resources.baseScopesOf(null) }

  const form = Effect.fnUntraced(function*(
    visitor: Visitor,
    view: Pick<ResourceFormView, "resource" | "values" | "problem">
  ) {
    const title = text(view.resource === undefined ? "resources.register" : "resource.edit")
    const body = resourceFormBody({ ...view, visitor, catalogue, now: yield* DateTime.now })
    return page({ title, viewer: visitor.viewer, problem: view.problem, body })
  })

  yield* get(
    resourcesPath,
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const entries = yield* audit.list({ actions: [...resourceActions.keys()], limit: 20 })
      const names = yield* peopleNames(entries.map(({ actor }) => actor), identities.find)
      const trail = entries.map((entry) => trailEntry(entry, names.get(entry.actor) ?? entry.actor))
      const body = resourcesBody({ visitor, resources: yield* resources.list, api, trail })
      return page({ title: text("resources"), viewer: visitor.viewer, body })
    })
  )

  yield* get(
    `${resourcesPath}/new`,
    Effect.flatMap(pages.requireAdmin, (visitor) =>
      form(visitor, {
        resource: undefined,
        values: noValues,
        ...restoredForm(visitor.viewer.restored, resourcesPath, (fields) => ({
          values: enteredValues(catalogue, [], fields)
        }))
      }))
  )

  yield* post(
    resourcesPath,
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.recentAdminForm
      const values = enteredValues(catalogue, [], fields)
      return yield* resources.create(visitor.account.id, values).pipe(
        Effect.flatMap(({ id }) => pages.redirect(visitor, resourcePath(id), text("resource.registered"))),
        Effect.catch((problem) => form(visitor, { resource: undefined, values, problem }))
      )
    })
  )

  yield* get(
    `${resourcesPath}/:id`,
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const resource = yield* find(visitor, yield* pathId)
      return yield* show(
        visitor,
        resource,
        restoredForm(visitor.viewer.restored, `${resourcePath(resource.id)}/credentials`, (fields) => ({
          entered: fields.get("name")
        }))
      )
    })
  )

  yield* get(
    `${resourcesPath}/:id/edit`,
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const resource = yield* find(visitor, yield* pathId)
      return yield* form(visitor, {
        resource,
        values: resource,
        ...restoredForm(visitor.viewer.restored, resourcePath(resource.id), (fields) => ({
          values: { ...enteredValues(catalogue, resource.scopes, fields), identifier: resource.identifier }
        }))
      })
    })
  )

  yield* post(
    `${resourcesPath}/:id`,
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.recentAdminForm
      const resource = yield* find(visitor, yield* pathId)
      const values = enteredValues(catalogue, resource.scopes, fields)
      const { baseScopes, name, scopes } = values
      return yield* resources.edit(visitor.account.id, resource.id, {
        name,
        scopes,
        baseScopes,
        version: versionOf(fields)
      }).pipe(
        Effect.andThen(pages.redirect(visitor, resourcePath(resource.id), text("resource.saved"))),
        Effect.catchTag(
          ["BadRequest", "Conflict"],
          (problem) => form(visitor, { resource, values: problem._tag === "Conflict" ? resource : values, problem })
        ),
        Effect.catchTag("NotFound", () => Effect.succeed(gone(visitor)))
      )
    })
  )

  yield* get(
    `${resourcesPath}/:id/remove`,
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const resource = yield* find(visitor, yield* pathId)
      const usage = yield* resources.usage(resource)
      const credentials = yield* servers.listOf(resource)
      const body = removeBody(resource, usage, credentials.length, visitor)
      return page({ title: text("resource.remove"), viewer: visitor.viewer, body })
    })
  )

  yield* post(
    `${resourcesPath}/:id/remove`,
    Effect.gen(function*() {
      const { visitor } = yield* pages.recentAdminForm
      const resource = yield* find(visitor, yield* pathId)
      return yield* resources.remove(visitor.account.id, resource.id).pipe(
        Effect.flatMap(({ grants }) => pages.redirect(visitor, resourcesPath, text("resource.removed", { grants }))),
        // Another administrator may have removed it meanwhile.
        Effect.catchTag("NotFound", () => Effect.succeed(seeOther(resourcesPath)))
      )
    })
  )
}))
