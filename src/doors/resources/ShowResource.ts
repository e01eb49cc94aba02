import { Effect } from "effect"
import type { Resource } from "../../core/resources/Resource.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { notFoundPage } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { resourcesPath } from "./ResourcesView.ts"
import { resourceBody, type ResourceView } from "./ResourceView.ts"

/** What the controllers of this room have in common: they find a resource, or show that it is gone. */
export const makeShowResource = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const resources = yield* Resources
  const servers = yield* ResourceServers
  const addresses = yield* AppConfig

  /** Resource of the address; it fails with the page that says that there is none. */
  const find = (visitor: Visitor, id: string) => Effect.mapError(resources.get(id), () => gone(visitor))

  const show = Effect.fnUntraced(function*(
    visitor: Visitor,
    resource: Resource,
    more: Pick<ResourceView, "problem" | "entered"> = {}
  ) {
    const usage = yield* resources.usage(resource)
    const credentials = yield* servers.listOf(resource)
    const body = resourceBody({ visitor, catalogue, resource, usage, credentials, addresses, ...more })
    return page({ title: resource.name, viewer: visitor.viewer, problem: more.problem, body })
  })

  return { find, show }
})

/** Page in place of a resource that another administrator may have removed. */
export const gone = notFoundPage({
  what: text("resource.gone.what"),
  remedy: text("resource.gone.remedy"),
  next: { href: resourcesPath, label: text("resources") }
})
