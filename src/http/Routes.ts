import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Authenticated } from "../accounts/CurrentUser.ts"
import { ApiKeysHandlers } from "../accounts/Http.ts"
import { Api } from "../Api.ts"
import { AssetRoutes } from "./Assets.ts"
import { DocsRoute } from "./Docs.ts"
import { JsonInput } from "./JsonInput.ts"
import { Shell } from "./Shell.ts"

const ApiRoutes = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([ApiKeysHandlers]),
  Layer.provide([Authenticated.layer, JsonInput.layer])
)

const PageRoutes = Layer.mergeAll(AssetRoutes, DocsRoute)

/** Everything that the server answers. */
export const Routes = Layer.mergeAll(Shell, ApiRoutes, PageRoutes)
