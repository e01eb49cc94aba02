import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  Admission,
  Caller,
  layerRemote,
  needs,
  needsIfToken,
  oauth2,
  PossibleCaller,
  RequireScope,
  ScopeIfToken
} from "../../../../src/resource.ts"

const baseUrl = process.env["SLOTKEY_URL"] ?? "https://api.example.com"

const Bookings = HttpApiGroup.make("bookings").add(
  HttpApiEndpoint.get("list", "/v2/bookings", { success: Schema.Struct({ of: Schema.String }) })
    .annotateMerge(needs("BOOKING_READ"))
    .middleware(RequireScope),
  HttpApiEndpoint.get("types", "/v2/event-types", { success: Schema.Struct({ known: Schema.Boolean }) })
    .annotateMerge(needsIfToken("EVENT_TYPE_READ"))
    .middleware(ScopeIfToken)
)
export const Api = HttpApi.make("platform").add(Bookings).annotateMerge(oauth2({ authUrl: baseUrl, baseUrl }))

const Handlers = HttpApiBuilder.group(Api, "bookings", (handlers) =>
  handlers.handleAll({
    list: () => Effect.map(Caller, ({ userId }) => ({ of: userId })),
    types: () => Effect.map(PossibleCaller, (caller) => ({ known: Option.isSome(caller) }))
  }))

/** Routes of the API. Needs the credential of this program in `SLOTKEY_CREDENTIAL`. */
export const Routes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(Handlers),
  Layer.provide([RequireScope.layer, ScopeIfToken.layer]),
  Layer.provide(Admission.layerAt(baseUrl)),
  Layer.provide(layerRemote({ baseUrl, credential: Redacted.make(process.env["SLOTKEY_CREDENTIAL"] ?? "") })),
  Layer.provide(FetchHttpClient.layer)
)
