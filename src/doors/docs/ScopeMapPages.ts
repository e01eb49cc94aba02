import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Brands } from "../../domain/brand/Brand.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { EndpointPolicy } from "../../domain/catalogue/EndpointPolicy.ts"
import { findOperations } from "../../domain/catalogue/ScopeMap.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { publicPage } from "../../foundation/web/Layout.ts"
import { publicPathOf } from "../../foundation/web/PublicPath.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { scopeMapBody, scopeMapPath } from "./ScopeMapView.ts"

/**
 * Page that says which operations of the platform API a scope opens, and which scope an operation needs:
 * `/docs/scopes`.
 */
export const ScopeMapPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const catalogue = yield* Catalogue
  const policy = yield* EndpointPolicy
  const publicPath = publicPathOf(yield* AppConfig)
  const brands = yield* Brands
  const show = (search: string) =>
    publicPage({
      title: "Scopes and operations",
      path: scopeMapPath,
      publicPath,
      brands,
      body: scopeMapBody({ catalogue, found: findOperations(catalogue, policy, search), search, all: policy.endpoints })
    })
  const whole = show("")

  yield* router.add(
    "GET",
    scopeMapPath,
    Effect.gen(function*() {
      const search = ((yield* readQuery).get("q") ?? "").slice(0, 200).trim()
      return yield* search === "" ? whole : show(search)
    })
  )
}))
