import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { CallerAddress } from "../../core/limits/CallerAddress.ts"
import { CallerBrowser } from "../../core/limits/CallerBrowser.ts"
import { CallerReference } from "../../core/limits/CallerReference.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { Brands, CurrentBrand } from "../../domain/brand/Brand.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { requestIdOf } from "../../foundation/log/RequestId.ts"
import { completed } from "../../foundation/web/CompletedPage.ts"
import { compressed } from "../../foundation/web/CompressedPage.ts"
import { type Failure, failurePage } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { ReaderNotes } from "../../foundation/web/ReaderWishes.ts"
import { PageSession, type Visitor } from "./PageSession.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Adds the routes of pages. A handler may fail with the response to send instead, such as the redirect to the sign-in
 * page with which `PageSession` fails. A page that may be compressed leaves in the coding that its browser prefers. No
 * window of another site keeps hold of one, unless an app may have opened it.
 */
export const pageRoutes = Effect.fnUntraced(function*(router: HttpRouter.HttpRouter) {
  const config = yield* AppConfig
  const complete = yield* completed
  const brands = yield* Brands
  const hasSeveralBrands = brands.all.length > 1
  const add =
    (method: "GET" | "POST") => <R>(path: HttpRouter.PathInput, handler: Effect.Effect<Response, Response, R>) =>
      router.add(method, path, (request) =>
        Effect.catch(handler, Effect.succeed).pipe(
          Effect.flatMap(complete),
          Effect.flatMap((response) => compressed(request, isOfFlow(path) ? response : isolated(response))),
          Effect.provideService(CallerAddress, clientAddress(config, request)),
          Effect.provideService(CallerBrowser, request.headers["user-agent"]),
          Effect.provideService(CallerReference, requestIdOf(request)),
          Effect.provideService(ReaderNotes, { wishes: {} }),
          Effect.provideService(CurrentBrand, hasSeveralBrands ? brands.at(request.headers["host"]) : undefined)
        ))
  return { get: add("GET"), post: add("POST"), pages: yield* PageSession, router }
})

/** Controller of pages, made with what adds them and with the session of their visitors. */
export const pageController = <R>(
  make: (routes: Effect.Success<ReturnType<typeof pageRoutes>>) => Effect.Effect<void, never, R>
) => HttpRouter.use((router) => Effect.flatMap(pageRoutes(router), make))

/**
 * Paths by which an app leads its users, perhaps in a window of its own, from which it hears at the end: a page that
 * cuts the window off, or a redirect, would break the app (docs/decisions/pages.md).
 */
const isOfFlow = (path: string): boolean => /^\/(auth|continue|sign-in|sign-out)(\/|$)/.test(path)

const isolated = (response: Response): Response =>
  response.headers["location"] === undefined
    ? HttpServerResponse.setHeader(response, "cross-origin-opener-policy", "same-origin")
    : response

/** Id in the path of a page. */
export const pathId = Effect.map(HttpRouter.params, ({ id = "" }) => id)

/** Page in place of a thing that is not there, or not for this user. */
export const notFoundPage = (texts: Pick<Failure, "what" | "remedy" | "next">) => ({ viewer }: Visitor) =>
  failurePage({ status: 404, title: text("failure.notFound"), ...texts, viewer })

/**
 * Answers a form whose action failed: a problem with the page that the form is on, which `show` shows again, and a
 * missing thing with the page `gone`.
 */
export const showProblem = <R>(
  show: (problem: BadRequest | Conflict) => Effect.Effect<Response, NotFound, R>,
  gone: Response
) =>
<R2>(action: Effect.Effect<Response, BadRequest | Conflict | NotFound, R2>): Effect.Effect<Response, never, R | R2> =>
  action.pipe(
    Effect.catchTag(["BadRequest", "Conflict"], show),
    Effect.catchTag("NotFound", () => Effect.succeed(gone))
  )
