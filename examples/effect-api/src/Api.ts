import { Effect, Layer, Option, Schema } from "effect"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import {
  Admission,
  Caller,
  needs,
  needsIfToken,
  oauth2,
  PossibleCaller,
  RequireScope,
  ScopeIfToken
} from "slotkey/resource"

const Booking = Schema.Struct({ id: Schema.Int, title: Schema.String })

const Bookings = HttpApiGroup.make("bookings").add(
  HttpApiEndpoint.get("list", "/v2/bookings", { success: Schema.Array(Booking) })
    .annotateMerge(needs("BOOKING_READ"))
    .middleware(RequireScope),
  HttpApiEndpoint.get("types", "/v2/event-types", { success: Schema.Struct({ isPersonal: Schema.Boolean }) })
    .annotateMerge(needsIfToken("EVENT_TYPE_READ"))
    .middleware(ScopeIfToken)
)

// Stands in for the team's own tables.
const bookings = (userId: string): ReadonlyArray<typeof Booking.Type> => [{ id: 1, title: `Coffee with ${userId}` }]

/** API at `baseUrl`. How it checks tokens is for the program or the test to say. */
export const routes = (baseUrl: string) => {
  const Api = HttpApi.make("platform").add(Bookings).annotateMerge(oauth2({ authUrl: baseUrl, baseUrl }))

  const Handlers = HttpApiBuilder.group(Api, "bookings", (handlers) =>
    handlers.handleAll({
      list: () => Effect.map(Caller, ({ userId }) => bookings(userId)),
      types: () => Effect.map(PossibleCaller, (caller) => ({ isPersonal: Option.isSome(caller) }))
    }))

  return HttpApiBuilder.layer(Api).pipe(
    Layer.provide(Handlers),
    Layer.provide([RequireScope.layer, ScopeIfToken.layer]),
    Layer.provide(Admission.layerAt(baseUrl))
  )
}
