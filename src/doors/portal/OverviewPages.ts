import { Effect } from "effect"
import { appFigures } from "../../core/clients/AppFigures.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { ReviewDesk } from "../../core/clients/review/ReviewDesk.ts"
import { TestAppDecision } from "../../core/clients/testapps/TestAppDecision.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { appPath, appTabPath, testPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { appFrame, appTitle } from "./AppFrame.ts"
import { appRoutes, type Problem } from "./AppRoutes.ts"
import type { OverviewState } from "./OverviewState.ts"
import { overviewBody } from "./OverviewView.ts"

/** First tab of an app: where it stands, and what its owner does next. */
export const OverviewPages = pageController(Effect.fnUntraced(function*(routes) {
  const { act, view } = appRoutes(routes)
  const { pages } = routes
  const registry = yield* ClientRegistry
  const figuresOf = yield* appFigures
  const decision = yield* TestAppDecision
  const desk = yield* ReviewDesk

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<OverviewState> = {}) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const body = overviewBody({
      visitor,
      client,
      thread: yield* desk.threadOf(visitor.account.id, client.id),
      figures: (yield* figuresOf([client.id]))(client.id),
      hasTestApps: yield* decision.areOffered,
      ...more
    })
    return page({
      title: appTitle(client, "overview"),
      viewer: visitor.viewer,
      problem: more.problem,
      body: appFrame({ client, visitor, active: "overview", body })
    })
  })
  const showReview = (problem: Problem, { id, visitor }: { readonly id: string; readonly visitor: Visitor }) =>
    show(visitor, id, { problem, form: "review" })

  yield* view("/settings/apps/:id", (visitor, { id }) =>
    Effect.gen(function*() {
      // The list of refusals was a part of this page once, and so was what it is searched by.
      const reference = (yield* readQuery).get("reference")
      if (reference !== undefined) {
        const client = yield* registry.getOwned(visitor.account.id, id)
        return seeOther(`${appTabPath(client.id, "activity")}?${String(new URLSearchParams({ reference }))}`)
      }
      const { testOf } = yield* registry.getOwned(visitor.account.id, id)
      if (typeof testOf === "string") return seeOther(testPath(testOf))
      const back = restoredForm(visitor.viewer.restored, `${appPath(id)}/answer`, (fields) => ({
        form: "answer" as const,
        answer: fields.get("text") ?? ""
      }))
      return yield* show(visitor, id, back)
    }))

  yield* act(
    "/settings/apps/:id/resubmit",
    showReview,
    ({ id, visitor }) =>
      Effect.andThen(
        registry.resubmit(visitor.account.id, id),
        pages.redirect(visitor, appPath(id), text("app.resubmitted"))
      )
  )

  yield* act(
    "/settings/apps/:id/withdraw",
    showReview,
    ({ id, visitor }) =>
      Effect.andThen(
        registry.withdrawChange(visitor.account.id, id),
        pages.redirect(visitor, appPath(id), text("app.changeWithdrawn"))
      )
  )

  yield* act(
    "/settings/apps/:id/answer",
    (problem, { fields, id, visitor }) =>
      show(visitor, id, { problem, form: "answer", answer: fields.get("text") ?? "" }),
    ({ fields, id, visitor }) =>
      Effect.andThen(
        desk.answer(visitor.account.id, id, fields.get("text") ?? ""),
        pages.redirect(visitor, appPath(id), text("thread.answered"))
      )
  )
}))
