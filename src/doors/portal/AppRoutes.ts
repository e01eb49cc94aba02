import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { BadRequest, Conflict, Forbidden, NotFound } from "../../domain/ApiError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { failurePage } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { ownersPath } from "../parts/Paths.ts"
import { notFoundPage, type pageRoutes, showProblem } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"

/** Problem with a form, which the page that the form is on shows. */
export type Problem = BadRequest | Conflict

/** What a page of an app knows of a request for it. */
export interface AppParams {
  readonly id: string
  readonly secretId: string
  /** Co-owner, or an invitation to be one. */
  readonly personId: string
}

/** A form about an app, as its owner has sent it. */
export interface Sent extends AppParams {
  readonly visitor: Visitor
  readonly fields: Parameters
}

/**
 * Routes of the pages of one app for its owners: `/settings/apps/:id` and below, a controller for each tab. This room
 * is what developers use, in a browser and by the management API; its rules are those of `ClientRegistry`, for whom the
 * apps of others do not exist, and who may do what says `AppAccess`.
 */
export const appRoutes = ({ get, pages, post }: Effect.Success<ReturnType<typeof pageRoutes>>) => ({
  /** A page about the app. */
  view: (
    path: `/${string}`,
    handler: (visitor: Visitor, params: AppParams) => Effect.Effect<Response, NotFound | Forbidden, Request>
  ) =>
    get(
      path,
      Effect.gen(function*() {
        const visitor = yield* pages.require
        const sent = yield* params
        return yield* handler(visitor, sent).pipe(
          Effect.catchTag("Forbidden", () => Effect.fail(roleLacks(visitor, sent.id))),
          Effect.catchTag("NotFound", () => Effect.fail(gone(visitor)))
        )
      })
    ),

  /** A form about the app; `show` shows the page that the form is on with a problem of it. */
  act: (
    path: `/${string}`,
    show: (problem: Problem, sent: Sent) => Effect.Effect<Response, NotFound, Request>,
    handler: (sent: Sent) => Effect.Effect<Response, NotFound | Forbidden | Problem>,
    sentForm = pages.form
  ) =>
    post(
      path,
      Effect.gen(function*() {
        const { fields, visitor } = yield* sentForm
        const sent = { visitor, fields, ...(yield* params) }
        return yield* handler(sent).pipe(
          Effect.catchTag("Forbidden", () => Effect.succeed(roleLacks(visitor, sent.id))),
          showProblem((problem) => show(problem, sent), gone(visitor))
        )
      })
    )
})

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

const params = Effect.map(HttpRouter.params, ({ id = "", personId = "", secretId = "" }): AppParams => ({
  id,
  personId,
  secretId
}))

/** Page in place of a form that the visitor's role in the app does not include. */
export const roleLacks = ({ viewer }: Visitor, appId: string): Response =>
  failurePage({
    status: 403,
    title: text("owners.lacks"),
    what: text("error.role_insufficient"),
    remedy: text("owners.lacks.remedy"),
    next: { href: ownersPath(appId), label: text("owners") },
    viewer
  })

const gone = notFoundPage({
  what: text("app.notFound.what"),
  remedy: text("app.notFound.remedy"),
  next: { href: "/settings/apps", label: text("apps") }
})
