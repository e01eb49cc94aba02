import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { TestAppDecision } from "../../core/clients/testapps/TestAppDecision.ts"
import { TestApps } from "../../core/clients/testapps/TestApps.ts"
import { TestGuests } from "../../core/clients/testapps/TestGuests.ts"
import type { BadRequest, Conflict, Forbidden, NotFound } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { testPath } from "../parts/Paths.ts"
import { notFoundPage, pageController, pathId, showProblem } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { appFrame } from "./AppFrame.ts"
import { roleLacks } from "./AppRoutes.ts"
import { testBody, testSecretBody, type TestView } from "./TestView.ts"

/** Page of the test app of an app, for its owner: `/settings/apps/:id/test`. */
export const TestPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const registry = yield* ClientRegistry
  const decision = yield* TestAppDecision
  const guests = yield* TestGuests
  const tests = yield* TestApps

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<TestView> = {}) {
    const app = yield* registry.getOwned(visitor.account.id, id)
    const found = yield* tests.find(visitor.account.id, id)
    const test = Option.isNone(found)
      ? Option.none()
      : Option.some({ client: found.value, guests: yield* guests.list(found.value.id) })
    return page({
      title: text("testApp.title.of", { app: app.name }),
      viewer: visitor.viewer,
      problem: more.problem,
      body: appFrame({
        client: app,
        visitor,
        active: "overview",
        body: testBody({
          visitor,
          catalogue,
          app,
          test,
          role: yield* registry.roleOf(visitor.account.id, app),
          areOffered: yield* decision.areOffered,
          ...more
        })
      })
    })
  })

  /** A form on the page; a problem is shown there, with what was entered. */
  const act = (
    path: `/${string}`,
    form: TestView["form"] & string,
    handler: (sent: Sent) => Effect.Effect<Response, NotFound | Forbidden | BadRequest | Conflict>,
    sentForm = pages.form
  ) =>
    post(
      path,
      Effect.gen(function*() {
        const { fields, visitor } = yield* sentForm
        const id = yield* pathId
        const { guestId = "" } = yield* HttpRouter.params
        return yield* handler({ visitor, fields, id, guestId }).pipe(
          Effect.catchTag("Forbidden", () => Effect.succeed(roleLacks(visitor, id))),
          showProblem(
            (problem) => show(visitor, id, { problem, form, guest: fields.get("guest") ?? "" }),
            gone(visitor)
          )
        )
      })
    )

  yield* get(
    "/settings/apps/:id/test",
    Effect.gen(function*() {
      const visitor = yield* pages.require
      const id = yield* pathId
      const back = restoredForm(visitor.viewer.restored, `${testPath(id)}/guests`, (fields) => ({
        form: "guests" as const,
        guest: fields.get("guest") ?? ""
      }))
      return yield* Effect.mapError(show(visitor, id, back), () => gone(visitor))
    })
  )

  yield* act("/settings/apps/:id/test", "test", ({ id, visitor }) =>
    Effect.gen(function*() {
      const app = yield* registry.getOwned(visitor.account.id, id)
      const { client, secret } = yield* tests.make(visitor.account.id, id)
      return Option.isSome(secret)
        ? page({
          title: text("testApp.made"),
          viewer: visitor.viewer,
          body: testSecretBody(app, client, secret.value)
        })
        : yield* pages.redirect(visitor, testPath(id), text("testApp.made"))
    }), pages.recentForm)

  yield* act("/settings/apps/:id/test/reset", "test", ({ id, visitor }) =>
    Effect.andThen(
      tests.reset(visitor.account.id, id),
      pages.redirect(visitor, testPath(id), text("testApp.reset.done"))
    ))

  yield* act("/settings/apps/:id/test/end", "test", ({ id, visitor }) =>
    Effect.andThen(
      tests.end(visitor.account.id, id),
      pages.redirect(visitor, testPath(id), text("testApp.ended"))
    ))

  yield* act("/settings/apps/:id/test/guests", "guests", ({ fields, id, visitor }) =>
    Effect.gen(function*() {
      const test = yield* tests.get(visitor.account.id, id)
      yield* guests.invite(visitor.account.id, test, fields.get("guest") ?? "")
      return yield* pages.redirect(visitor, testPath(id), text("testApp.guest.done"))
    }))

  yield* act(
    "/settings/apps/:id/test/guests/:guestId/remove",
    "guests",
    ({ guestId, id, visitor }) =>
      Effect.gen(function*() {
        const test = yield* tests.get(visitor.account.id, id)
        yield* guests.dismiss(visitor.account.id, test, guestId)
        return yield* pages.redirect(visitor, testPath(id), text("testApp.guest.removed"))
      })
  )
}))

type Response = HttpServerResponse.HttpServerResponse

interface Sent {
  readonly id: string
  readonly guestId: string
  readonly visitor: Visitor
  readonly fields: Parameters
}

const gone = notFoundPage({
  what: text("testApp.notFound.what"),
  remedy: text("app.notFound.remedy"),
  next: { href: "/settings/apps", label: text("apps") }
})
