import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { pageController, pathId } from "../session/PageRoutes.ts"
import { newCredentialBody, revokeBody } from "./CredentialsView.ts"
import { resourcePath, resourcesPath } from "./ResourcesView.ts"
import { gone, makeShowResource } from "./ShowResource.ts"

/** Credentials of programs that ask about the tokens of a resource: `/resources/:id/credentials`. */
export const ResourceCredentialsPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const servers = yield* ResourceServers
  const { baseUrl } = yield* AppConfig
  const { find, show } = yield* makeShowResource

  const credentialId = Effect.map(HttpRouter.params, ({ credentialId = "" }) => credentialId)

  yield* post(
    `${resourcesPath}/:id/credentials`,
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.recentAdminForm
      const resource = yield* find(visitor, yield* pathId)
      const entered = fields.get("name") ?? ""
      return yield* servers.createFor(resource, entered, visitor.account.id).pipe(
        // Answered in place: a credential that is shown once cannot wait for another request.
        Effect.map(({ credential }) =>
          page({
            title: text("resource.credential"),
            viewer: visitor.viewer,
            body: newCredentialBody(resource, credential, baseUrl)
          })
        ),
        Effect.catchTag("BadRequest", (problem) => show(visitor, resource, { problem, entered })),
        Effect.catchTag("NotFound", () => Effect.succeed(gone(visitor)))
      )
    })
  )

  yield* get(
    `${resourcesPath}/:id/credentials/:credentialId/revoke`,
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const resource = yield* find(visitor, yield* pathId)
      const id = yield* credentialId
      const credential = (yield* servers.listOf(resource)).find((one) => one.id === id)
      return credential === undefined
        ? seeOther(resourcePath(resource.id))
        : page({
          title: text("resource.credential.revoke.title"),
          viewer: visitor.viewer,
          body: revokeBody(resource, credential, visitor)
        })
    })
  )

  yield* post(
    `${resourcesPath}/:id/credentials/:credentialId/revoke`,
    Effect.gen(function*() {
      const { visitor } = yield* pages.adminForm
      const resource = yield* find(visitor, yield* pathId)
      const path = resourcePath(resource.id)
      return (yield* servers.revoke(yield* credentialId, visitor.account.id, resource))
        ? yield* pages.redirect(visitor, path, text("resource.credential.revoked"))
        : seeOther(path)
    })
  )
}))
