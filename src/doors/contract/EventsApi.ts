import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Delivery, Endpoint } from "../../core/clients/events/Endpoint.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { Authenticated } from "./CurrentUser.ts"
import { ofClient } from "./Parameters.ts"

/** An endpoint with the secret that was made for it, which is in this answer alone. */
const WithSecret = Schema.Struct({ ...Endpoint.fields, secret: Schema.NullOr(Schema.String) }).annotate({
  identifier: "EventEndpointWithSecret"
})

/** Numbers of events that are sent again. */
const Repeated = Schema.Struct({ events: Schema.Int }).annotate({ identifier: "RepeatedEvents" })

/** Endpoints of the caller's apps for events; handled by `EventsHandlers`. */
export class EventsApi extends HttpApiGroup.make("oauthClientEvents")
  .add(
    HttpApiEndpoint.get("getEndpoint", "/v2/oauth-clients/:id/endpoint", {
      params: ofClient,
      success: success(Endpoint),
      error: refusals.notFound
    }).annotateMerge(about(
      "Read the endpoint of an app",
      "Where the server sends events of the app; never with its secret. 404 `endpoint_not_found` if it has none.",
      [400, 403, 413, 415]
    )),
    HttpApiEndpoint.put("setEndpoint", "/v2/oauth-clients/:id/endpoint", {
      params: ofClient,
      payload: Schema.Struct({ url: Schema.String }),
      success: success(WithSecret),
      error: [refusals.badRequest, refusals.notFound, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Set the endpoint of an app",
      "An https address on the public internet, on port 443. The first time it makes the secret with which events are signed (Standard Webhooks), shown in this answer alone; later `secret` is null, and the events that wait go to the new address."
    )),
    HttpApiEndpoint.delete("removeEndpoint", "/v2/oauth-clients/:id/endpoint", {
      params: ofClient,
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(
      about("Remove the endpoint of an app", "With its secret and its events, those that wait as well.")
    ),
    HttpApiEndpoint.post("rotateEndpointSecret", "/v2/oauth-clients/:id/endpoint/secret", {
      params: ofClient,
      success: success(WithSecret),
      error: [refusals.notFound, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Make another secret for the endpoint",
      "Shown in this answer alone. For a day events carry the signatures of both secrets."
    )),
    HttpApiEndpoint.post("testEndpoint", "/v2/oauth-clients/:id/endpoint/test", {
      params: ofClient,
      success: success(Schema.Null),
      error: [refusals.notFound, refusals.tooManyRequests]
    }).annotateMerge(about("Send a test event", "Of the type `endpoint.test`; the list shows what comes of it.")),
    HttpApiEndpoint.get("listEvents", "/v2/oauth-clients/:id/events", {
      params: ofClient,
      query: {
        state: Schema.optionalKey(
          Schema.Literals(["failed"]).annotate({ description: "`failed` for those alone that were given up." })
        )
      },
      success: success(Schema.Array(Delivery)),
      error: [refusals.badRequest, refusals.notFound]
    }).annotateMerge(about(
      "List the events of an app",
      "The latest 100 that were sent to its endpoint, or that wait for it, the newest first. They are kept for `EVENT_LIFETIME`.",
      [403, 413, 415]
    )),
    HttpApiEndpoint.post("sendFailedAgain", "/v2/oauth-clients/:id/events/send-again", {
      params: ofClient,
      success: success(Repeated),
      error: [refusals.notFound, refusals.tooManyRequests]
    }).annotateMerge(about("Send all failed events again", "Each under its old id, for another day.")),
    HttpApiEndpoint.post("sendAgain", "/v2/oauth-clients/:id/events/:eventId/send-again", {
      params: {
        ...ofClient,
        eventId: Schema.String.annotate({ description: "The id of the event, as the list has it." })
      },
      success: success(Delivery),
      error: [refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Send an event again",
      "Under its old id, by which the app recognises it; 409 `event_waits` while it is still tried."
    ))
  )
  .middleware(JsonInput)
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({
    title: "Events",
    description: "What the server tells an app at its own endpoint."
  }))
{}
