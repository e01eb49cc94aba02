import { Effect, Option } from "effect"
import { EventEndpoints } from "../../core/clients/events/EventEndpoints.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { mayDo } from "../../core/clients/records/AppAccess.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { eventsPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { appFrame } from "./AppFrame.ts"
import { appRoutes, type Problem, type Sent } from "./AppRoutes.ts"
import { endpointSecretBody, eventsBody, type EventsView, removeEndpointBody } from "./EventsView.ts"

/** Endpoint of an app for events, and what was sent there: `/settings/apps/:id/events`. */
export const EventsPages = pageController(Effect.fnUntraced(function*(routes) {
  const { act, view } = appRoutes(routes)
  const { pages } = routes
  const endpoints = yield* EventEndpoints
  const registry = yield* ClientRegistry

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<EventsView> = {}) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const role = yield* registry.roleOf(visitor.account.id, client)
    const isFailedOnly = (yield* readQuery).get("show") === "failed"
    const body = eventsBody({
      visitor,
      client,
      endpoint: Option.getOrUndefined(yield* endpoints.find(client.id)),
      deliveries: yield* endpoints.deliveries(client.id, isFailedOnly ? "failed" : undefined),
      isFailedOnly,
      maySecrets: mayDo(role, "secrets"),
      ...more
    })
    return page({
      title: text("appEvents.title", { app: client.name }),
      viewer: visitor.viewer,
      problem: more.problem,
      body: appFrame({ client, visitor, active: "settings", body })
    })
  })
  const showProblem = (problem: Problem, { fields, id, visitor }: Sent) =>
    show(visitor, id, { problem, entered: fields.get("url") })

  /** The app of a form, which may be another user's. */
  const own = ({ id, visitor }: Sent) => registry.getOwned(visitor.account.id, id)

  const showSecret = (visitor: Visitor, body: ReturnType<typeof eventsBody>) =>
    page({ title: text("appEvents.secret.pageTitle"), viewer: visitor.viewer, body })

  yield* view("/settings/apps/:id/events", (visitor, { id }) =>
    show(
      visitor,
      id,
      restoredForm(visitor.viewer.restored, eventsPath(id), (fields) => ({ entered: fields.get("url") }))
    ))

  yield* act("/settings/apps/:id/events", showProblem, (sent) =>
    Effect.gen(function*() {
      const { fields, visitor } = sent
      const { id } = yield* own(sent)
      // The first address makes the secret.
      const isFirst = Option.isNone(yield* endpoints.find(id))
      const client = yield* registry.getFor(isFirst ? "secrets" : "use", visitor.account.id, id)
      const { secret } = yield* endpoints.set(visitor.account.id, client.id, { url: fields.get("url") ?? "" })
      // Answered in place: a secret that is shown once cannot wait for another request.
      return Option.isSome(secret)
        ? showSecret(visitor, endpointSecretBody(client, secret.value, true))
        : yield* pages.redirect(visitor, eventsPath(client.id), text("appEvents.saved"))
    }), pages.recentForm)

  yield* act("/settings/apps/:id/events/secret", showProblem, (sent) =>
    Effect.gen(function*() {
      const client = yield* registry.getFor("secrets", sent.visitor.account.id, sent.id)
      const { secret } = yield* endpoints.rotate(sent.visitor.account.id, client.id)
      return showSecret(sent.visitor, endpointSecretBody(client, secret, false))
    }), pages.recentForm)

  yield* act("/settings/apps/:id/events/test", showProblem, (sent) =>
    Effect.gen(function*() {
      const { id } = yield* own(sent)
      yield* endpoints.test(sent.visitor.account.id, id)
      return yield* pages.redirect(sent.visitor, eventsPath(id), text("appEvents.tested"))
    }))

  yield* act("/settings/apps/:id/events/again", showProblem, (sent) =>
    Effect.gen(function*() {
      const { account } = sent.visitor
      const { id } = yield* own(sent)
      const event = sent.fields.get("event")
      const count = event === undefined
        ? yield* endpoints.sendFailedAgain(account.id, id)
        : yield* Effect.as(endpoints.sendAgain(account.id, id, event), 1)
      return yield* pages.redirect(sent.visitor, eventsPath(id), text("appEvents.sentAgain", { count }))
    }))

  yield* view("/settings/apps/:id/events/remove", (visitor, { id }) =>
    Effect.gen(function*() {
      const client = yield* registry.getFor("secrets", visitor.account.id, id)
      const endpoint = Option.getOrUndefined(yield* endpoints.find(client.id))
      if (endpoint === undefined) return seeOther(eventsPath(client.id))
      const body = removeEndpointBody(client, endpoint, visitor)
      return page({ title: text("appEvents.remove.title"), viewer: visitor.viewer, body })
    }))

  yield* act("/settings/apps/:id/events/remove", showProblem, (sent) =>
    Effect.gen(function*() {
      const { id } = yield* registry.getFor("secrets", sent.visitor.account.id, sent.id)
      yield* endpoints.remove(sent.visitor.account.id, id)
      return yield* pages.redirect(sent.visitor, eventsPath(id), text("appEvents.removed"))
    }))
}))
