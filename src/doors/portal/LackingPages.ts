import { Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { lackingUsers } from "../../core/consent/LackingUsers.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { pageController } from "../session/PageRoutes.ts"
import { appFrame } from "./AppFrame.ts"
import { appRoutes } from "./AppRoutes.ts"
import { lackingBody } from "./LackingView.ts"

/** Page of an app with the users who lack a scope, and what to send to them. */
export const LackingPages = pageController(Effect.fnUntraced(function*(routes) {
  const { authUrl } = yield* AppConfig
  const catalogue = yield* Catalogue
  const lackingOf = yield* lackingUsers
  const resources = yield* Resources
  const registry = yield* ClientRegistry

  yield* appRoutes(routes).view("/settings/apps/:id/lacking", (visitor, { id }) =>
    Effect.gen(function*() {
      const client = yield* registry.getOwned(visitor.account.id, id)
      const hasResources = (yield* resources.known).length > 0
      const body = lackingBody({ catalogue, client, authUrl, found: yield* lackingOf(client), hasResources })
      return page({
        title: text("lacking.title", { app: client.name }),
        viewer: visitor.viewer,
        body: appFrame({ client, visitor, active: "scopes", body })
      })
    }))
}))
