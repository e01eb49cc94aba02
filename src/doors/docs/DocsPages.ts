import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { OpenApi } from "effect/http-api"
import { Brands } from "../../domain/brand/Brand.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { corsHeaders } from "../../foundation/http/Cors.ts"
import { publicContent } from "../../foundation/http/PublicContent.ts"
import { publicPage } from "../../foundation/web/Layout.ts"
import { publicPathOf } from "../../foundation/web/PublicPath.ts"
import { documentedApi } from "./ApiDocument.ts"
import { readDocument } from "./DocumentModel.ts"
import { referenceBody } from "./ReferenceView.ts"

/**
 * Reference of the API for developers: `/docs` for people, `/openapi.json` for programs. Both are made from the
 * contract and the settings of this server, by the first request that wants them.
 */
export const DocsPages = HttpRouter.use(
  Effect.fnUntraced(function*(router) {
    const catalogue = yield* Catalogue
    const { authUrl, baseUrl } = yield* AppConfig
    const publicPath = publicPathOf({ authUrl })
    const brands = yield* Brands
    const document = yield* Effect.cached(
      Effect.sync(() => OpenApi.fromApi(documentedApi(catalogue, { authUrl, baseUrl })))
    )

    const page = yield* Effect.cached(
      Effect.map(
        document,
        (document) =>
          publicPage({
            title: "API reference",
            path: "/docs",
            publicPath,
            brands,
            body: referenceBody(catalogue, readDocument(document))
          })
      )
    )
    const file = yield* Effect.cached(
      Effect.map(document, (document) =>
        publicContent({
          body: JSON.stringify(document),
          contentType: "application/json",
          cacheControl: "no-cache",
          headers: corsHeaders
        }))
    )

    yield* router.add("GET", "/docs", Effect.flatten(page))
    yield* router.add("GET", "/openapi.json", Effect.flatten(file))
  })
)
