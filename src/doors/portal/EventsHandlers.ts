import { Effect, Option, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { EventEndpoints } from "../../core/clients/events/EventEndpoints.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import type { AppAct } from "../../core/clients/records/AppAccess.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** Management API of the endpoints of a developer's own apps (`EventsApi`). */
export const EventsHandlers = HttpApiBuilder.group(
  Api,
  "oauthClientEvents",
  Effect.fn(function*(handlers) {
    const endpoints = yield* EventEndpoints
    const registry = yield* ClientRegistry

    /** The caller and one of the apps with which they may do this. */
    const own = Effect.fnUntraced(function*(id: string, act: AppAct = "use") {
      const { account } = yield* CurrentUser
      const client = yield* registry.getFor(act, account.id, id)
      return [account.id, client.id] as const
    })

    return handlers.handleAll({
      getEndpoint: Effect.fn(function*({ params }) {
        const [, clientId] = yield* own(params.id)
        return succeed(yield* endpoints.get(clientId))
      }),
      setEndpoint: Effect.fn(function*({ params, payload }) {
        yield* requireRecentSignIn
        const [, clientId] = yield* own(params.id)
        // The first address makes the secret.
        const act = Option.isNone(yield* endpoints.find(clientId)) ? "secrets" : "use"
        const { endpoint, secret } = yield* endpoints.set(...(yield* own(params.id, act)), payload)
        return succeed({ ...endpoint, secret: Option.getOrNull(Option.map(secret, Redacted.value)) })
      }),
      removeEndpoint: Effect.fn(function*({ params }) {
        yield* endpoints.remove(...(yield* own(params.id, "secrets")))
        return succeed(null)
      }),
      rotateEndpointSecret: Effect.fn(function*({ params }) {
        yield* requireRecentSignIn
        const { endpoint, secret } = yield* endpoints.rotate(...(yield* own(params.id, "secrets")))
        return succeed({ ...endpoint, secret: Redacted.value(secret) })
      }),
      testEndpoint: Effect.fn(function*({ params }) {
        yield* endpoints.test(...(yield* own(params.id)))
        return succeed(null)
      }),
      listEvents: Effect.fn(function*({ params, query }) {
        const [, clientId] = yield* own(params.id)
        return succeed(yield* endpoints.deliveries(clientId, query.state))
      }),
      sendFailedAgain: Effect.fn(function*({ params }) {
        return succeed({ events: yield* endpoints.sendFailedAgain(...(yield* own(params.id))) })
      }),
      sendAgain: Effect.fn(function*({ params }) {
        return succeed(yield* endpoints.sendAgain(...(yield* own(params.id)), params.eventId))
      })
    })
  })
)
