import { DateTime, Effect, Option, Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { demoApp } from "../../core/clients/life/DemoApp.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import { playgroundCallback, playgroundCallbackPath } from "../../core/clients/records/PlaygroundAddress.ts"
import { TestApps } from "../../core/clients/testapps/TestApps.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { isOver } from "../../domain/catalogue/Retirement.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import type { Html } from "../../foundation/web/Html.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"
import { code, text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { signInPath } from "../session/ReturnTo.ts"
import { authorizationParameters, authorizationUrl, newAttempt } from "./Attempt.ts"
import { recall, remember } from "./FlowCookie.ts"
import { flowBody, refusedBody } from "./FlowView.ts"
import { call } from "./Loopback.ts"
import { chooseBody, startBody } from "./StartView.ts"
import { callOf, Step, tokensOf } from "./Step.ts"

// This room is the page on which a developer runs the whole flow, as app and as user, and sees each request. It takes
// an app of the developer or the demo app, and its calls go through the server's own routes. Every page is the answer
// to a GET, so that Back and Forward show it again.

/** Pages of the flow, step by step: `/playground`. */
export const PlaygroundPages = pageController(Effect.fnUntraced(function*({ get, post, pages, router }) {
  const catalogue = yield* Catalogue
  const config = yield* AppConfig
  const demo = yield* demoApp
  const registry = yield* ClientRegistry
  const tests = yield* TestApps
  const callback = playgroundCallback(config)

  const choose = Effect.fnUntraced(function*(visitor: Visitor) {
    const { id } = visitor.account
    const apps = [...yield* tests.listOf(id), ...yield* registry.listOf(id)]
    const body = chooseBody({ visitor, apps, callback, isDemoOffered: demo.isOffered })
    return page({ title: text("playground"), viewer: visitor.viewer, body })
  })

  const start = Effect.gen(function*() {
    const visitor = yield* pages.require
    const query = yield* readQuery
    const app = query.get("app")
    if (app === undefined) return yield* choose(visitor)
    const client = yield* registry.getOwned(visitor.account.id, app)
    // Otherwise the user would see an error page that blames the app.
    if (client.status !== "approved" || !client.redirectUris.includes(callback)) return yield* choose(visitor)
    const now = yield* DateTime.now
    const offered = client.scopes.filter(catalogue.isScope).filter((scope) => !isOver(catalogue, scope, now))
    const chosen = offered.filter((scope) => query.has(`scope:${scope}`))
    const scopes = chosen.length > 0 ? chosen : offered
    const kept = recall(yield* HttpServerRequest.HttpServerRequest)
    // A page to which the user came back has the request that may be under way already.
    const attempt = Option.isSome(kept) && kept.value.app === client.id && kept.value.code === undefined
      ? kept.value
      : yield* Effect.sync(() => newAttempt(client.id))
    const parameters = authorizationParameters(catalogue, config, attempt, scopes)
    const url = authorizationUrl(config, parameters)
    const body = startBody({ catalogue, client, offered, scopes, parameters, url })
    return remember(config, attempt)(pageOf(client, visitor, body))
  })

  // Without a session the flow starts again: the code must not appear in the URL of the sign-in page.
  const takeResponse = Effect.gen(function*() {
    const visitor = yield* Effect.flatMap(pages.current, Effect.fromOption).pipe(
      Effect.mapError(() => seeOther(signInPath("/playground")))
    )
    const query = yield* readQuery
    const kept = recall(yield* HttpServerRequest.HttpServerRequest)
    if (Option.isNone(kept) || query.get("state") !== kept.value.state || query.get("iss") !== config.issuer) {
      return unexpectedResponse(visitor)
    }
    const { app, state, verifier } = kept.value
    const code = query.get("code")
    // The address with the code does not stay in the browser's history, from where it would be answered once more.
    if (code !== undefined) return remember(config, { app, state, verifier, code })(seeOther(flowPath))
    const client = yield* registry.getOwned(visitor.account.id, app)
    const body = refusedBody(client, query.get("error") ?? "", query.get("error_description") ?? "")
    return pageOf(client, visitor, body)
  })

  const showFlow = Effect.gen(function*() {
    const visitor = yield* pages.require
    const kept = recall(yield* HttpServerRequest.HttpServerRequest)
    if (Option.isNone(kept)) return seeOther("/playground")
    const { last, ...values } = kept.value
    if (values.code === undefined) return seeOther(`/playground?app=${values.app}`)
    const client = yield* registry.getOwned(visitor.account.id, values.app)
    return pageOf(client, visitor, flowBody({ catalogue, visitor, client, addresses: config, values, last }))
  })

  const runStep = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const step = decodeStep(fields.get("step"))
    const kept = recall(yield* HttpServerRequest.HttpServerRequest)
    if (Option.isNone(step) || Option.isNone(kept) || kept.value.app !== fields.get("app")) {
      return unexpectedResponse(visitor)
    }
    const { last: _, ...flow } = kept.value
    // A page from before the exchange would spend the code twice, which ends the grant.
    if (step.value === "exchange" && flow.accessToken !== undefined) return seeOther(flowPath)
    const client = yield* registry.getOwned(visitor.account.id, flow.app)
    const recorded = yield* call(router, callOf(config, client, step.value, { ...flow, secret: fields.get("secret") }))
    const next = { ...flow, ...tokensOf(recorded), last: { step: step.value, call: recorded } }
    return remember(config, next)(seeOther(`${flowPath}#outcome`))
  })

  const takeDemo = Effect.gen(function*() {
    const { visitor } = yield* pages.form
    if (!demo.isOffered) return seeOther("/playground")
    return seeOther(`/playground?app=${yield* demo.ensure(visitor.account.id)}`)
  })

  const addAddress = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const client = yield* registry.getOwned(visitor.account.id, fields.get("app") ?? "")
    const { redirectUris } = client.change?.rejectionReason === null ? client.change : client
    return yield* registry.edit(visitor.account.id, client.id, { redirectUris: [...redirectUris, callback] }).pipe(
      Effect.as(seeOther("/playground")),
      Effect.catchTag(["BadRequest", "Conflict"], () => Effect.succeed(notAdded(visitor)))
    )
  })

  yield* get("/playground", orNoApp(start))
  yield* get(playgroundCallbackPath, orNoApp(takeResponse))
  yield* get(flowPath, orNoApp(showFlow))
  yield* post("/playground/run", orNoApp(runStep))
  yield* post("/playground/demo", takeDemo)
  yield* post("/playground/address", orNoApp(addAddress))
}))

type Response = HttpServerResponse.HttpServerResponse

/** Answers 404 for apps that do not exist or belong to others. */
const orNoApp = <R>(handler: Effect.Effect<Response, Response | NotFound, R>): Effect.Effect<Response, Response, R> =>
  Effect.catchIf(handler, (failure) => failure instanceof NotFound, () => Effect.fail(noApp))

const pageOf = ({ name }: Client, { viewer }: Visitor, body: Html) =>
  page({ title: text("playground.title", { app: name }), viewer, body })

const flowPath = "/playground/flow"

const decodeStep = Schema.decodeUnknownOption(Step)

const noApp = failurePage({
  status: 404,
  title: text("failure.notFound"),
  what: text("playground.noApp"),
  remedy: text("playground.noApp.remedy"),
  next: { href: "/playground", label: text("playground") }
})

const unexpectedResponse = ({ viewer }: Visitor) =>
  failurePage({
    status: 400,
    title: text("playground.unexpected"),
    what: text("playground.unexpected.what"),
    remedy: text("playground.unexpected.remedy", { state: "state", code }),
    next: { href: "/playground", label: text("playground") },
    viewer
  })

const notAdded = ({ viewer }: Visitor) =>
  failurePage({
    status: 409,
    title: text("playground.notAdded"),
    what: text("playground.notAdded.what"),
    remedy: text("playground.notAdded.remedy"),
    viewer
  })
