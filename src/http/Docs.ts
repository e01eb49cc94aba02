import { HttpApiScalar } from "effect/http-api"
import { Api } from "../Api.ts"

/** The API reference for people, drawn from the same definitions that serve. */
export const DocsRoute = HttpApiScalar.layer(Api, { path: "/docs" })
