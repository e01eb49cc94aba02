import { Effect, Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import { EventEndpoints } from "../../core/clients/events/EventEndpoints.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { eventsPath } from "../parts/Paths.ts"
import { notFoundPage, pageController, pathId, showProblem } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { endpointSecretBody, eventsBody, type EventsView, removeEndpointBody } from "./EventsView.ts"

/** Endpoint of an app for events, and what was sent there: `/settings/apps/:id/events`. */
export const EventsPages = pageController(Effect.fnUntraced(function*({ get, pages, post }) {
  const endpoints = yield* EventEndpoints
  const registry = yield* ClientRegistry

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<EventsView> = {}) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const isFailedOnly = (yield* readQuery).get("show") === "failed"
    return page({
      title: text("appEvents.title", { app: client.name }),
      viewer: visitor.viewer,
      problem: more.problem,
      body: eventsBody({
        visitor,
        client,
        endpoint: Option.getOrUndefined(yield* endpoints.find(client.id)),
        deliveries: yield* endpoints.deliveries(client.id, isFailedOnly ? "failed" : undefined),
        isFailedOnly,
        ...more
      })
    })
  })

  /** A form on the page; a problem is shown on the page, with what was entered. */
  const act = (
    path: `/${string}`,
    handler: (sent: Sent) => Effect.Effect<Response, NotFound | BadRequest | Conflict>,
    form = pages.form
  ) =>
    post(
      path,
      Effect.gen(function*() {
        const { fields, visitor } = yield* form
        const id = yield* pathId
        return yield* Effect.flatMap(
          registry.getOwned(visitor.account.id, id),
          (client) => handler({ visitor, fields, client })
        ).pipe(showProblem((problem) => show(visitor, id, { problem, entered: fields.get("url") }), gone(visitor)))
      })
    )

  const shown = (visitor: Visitor, body: ReturnType<typeof eventsBody>) =>
    page({ title: text("appEvents.secret.pageTitle"), viewer: visitor.viewer, body })

  yield* get(
    "/settings/apps/:id/events",
    Effect.gen(function*() {
      const visitor = yield* pages.require
      const id = yield* pathId
      const back = restoredForm(visitor.viewer.restored, eventsPath(id), (fields) => ({ entered: fields.get("url") }))
      return yield* Effect.mapError(show(visitor, id, back), () => gone(visitor))
    })
  )

  yield* act(
    "/settings/apps/:id/events",
    Effect.fnUntraced(function*({ client, fields, visitor }) {
      const { secret } = yield* endpoints.set(visitor.account.id, client.id, { url: fields.get("url") ?? "" })
      // Answered in place: a secret that is shown once cannot wait for another request.
      return Option.isSome(secret)
        ? shown(visitor, endpointSecretBody(client, secret.value, true))
        : yield* pages.redirect(visitor, eventsPath(client.id), text("appEvents.saved"))
    }),
    pages.recentForm
  )

  yield* act(
    "/settings/apps/:id/events/secret",
    Effect.fnUntraced(function*({ client, visitor }) {
      const { secret } = yield* endpoints.rotate(visitor.account.id, client.id)
      return shown(visitor, endpointSecretBody(client, secret, false))
    }),
    pages.recentForm
  )

  yield* act("/settings/apps/:id/events/test", ({ client, visitor }) =>
    Effect.andThen(
      endpoints.test(visitor.account.id, client.id),
      pages.redirect(visitor, eventsPath(client.id), text("appEvents.tested"))
    ))

  yield* act(
    "/settings/apps/:id/events/again",
    Effect.fnUntraced(function*({ client, fields, visitor }) {
      const event = fields.get("event")
      const count = event === undefined
        ? yield* endpoints.sendFailedAgain(visitor.account.id, client.id)
        : yield* Effect.as(endpoints.sendAgain(visitor.account.id, client.id, event), 1)
      return yield* pages.redirect(visitor, eventsPath(client.id), text("appEvents.sentAgain", { count }))
    })
  )

  yield* get(
    "/settings/apps/:id/events/remove",
    Effect.gen(function*() {
      const visitor = yield* pages.require
      const client = yield* Effect.mapError(
        registry.getOwned(visitor.account.id, yield* pathId),
        () => gone(visitor)
      )
      const endpoint = Option.getOrUndefined(yield* endpoints.find(client.id))
      return endpoint === undefined
        ? seeOther(eventsPath(client.id))
        : page({
          title: text("appEvents.remove"),
          viewer: visitor.viewer,
          body: removeEndpointBody(client, endpoint, visitor)
        })
    })
  )

  yield* act("/settings/apps/:id/events/remove", ({ client, visitor }) =>
    Effect.andThen(
      endpoints.remove(visitor.account.id, client.id),
      pages.redirect(visitor, eventsPath(client.id), text("appEvents.removed"))
    ))
}))

type Response = HttpServerResponse.HttpServerResponse

interface Sent {
  readonly visitor: Visitor
  readonly fields: Parameters
  readonly client: ManagedClient
}

const gone = notFoundPage({ what: text("appEvents.notFound"), remedy: text("app.notFound.remedy") })
