import { Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { ClientRegistry } from "../../core/clients/ClientRegistry.ts"
import { DemoApp } from "../../core/clients/DemoApp.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageRoutes } from "../account/PageRoutes.ts"
import { PageSession, type Visitor } from "../account/PageSession.ts"
import { signInPath } from "../account/ReturnTo.ts"
import {
  authorizationParameters,
  authorizationUrl,
  callbackPath,
  callbackUrl,
  newAttempt,
  recall,
  remember
} from "./Attempt.ts"
import { flowBody, refusedBody } from "./FlowView.ts"
import { call } from "./Loopback.ts"
import { after, callOf, heldIn, Step } from "./Run.ts"
import { chooseBody, startBody } from "./StartView.ts"

/** The whole flow, step by step, with the visitor as developer and user in one: `/playground`. */
export const PlaygroundPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get, post } = pageRoutes(router)
  const config = yield* AppConfig
  const demo = yield* DemoApp
  const pages = yield* PageSession
  const registry = yield* ClientRegistry
  const callback = callbackUrl(config)

  const choose = Effect.fnUntraced(function*(visitor: Visitor) {
    const apps = yield* registry.listOwned(visitor.account.id)
    const body = chooseBody({ visitor, apps, callback, isDemoOffered: demo.isOffered })
    return page({ title: "Playground", viewer: visitor.viewer, body })
  })

  const start = Effect.gen(function*() {
    const visitor = yield* pages.require
    const query = yield* readQuery
    const app = query.get("app")
    if (app === undefined) return yield* choose(visitor)
    const client = yield* registry.getOwned(visitor.account.id, app)
    // Without them the user would come to an error that blames the app.
    if (client.status !== "approved" || !client.redirectUris.includes(callback)) return yield* choose(visitor)
    const chosen = client.scopes.filter((scope) => query.has(`scope:${scope}`))
    const scopes = chosen.length > 0 ? chosen : client.scopes
    const attempt = yield* Effect.sync(() => newAttempt(client.id))
    const parameters = authorizationParameters(config, attempt, scopes)
    const url = authorizationUrl(config, parameters)
    return remember(config, attempt)(
      page({
        title: `Playground: ${client.name}`,
        viewer: visitor.viewer,
        body: startBody({ client, scopes, parameters, url })
      })
    )
  })

  // Who is not signed in starts anew: the code must not travel through the address of the sign-in page.
  const returned = Effect.gen(function*() {
    const visitor = yield* Effect.flatMap(pages.current, Effect.fromOption).pipe(
      Effect.mapError(() => seeOther(signInPath("/playground")))
    )
    const query = yield* readQuery
    const attempt = recall(yield* HttpServerRequest.HttpServerRequest)
    if (
      Option.isNone(attempt) || query.get("state") !== attempt.value.state || query.get("iss") !== config.issuer
    ) return unasked(visitor)
    const { app, verifier } = attempt.value
    const client = yield* registry.getOwned(visitor.account.id, app)
    const code = query.get("code")
    return page({
      title: `Playground: ${client.name}`,
      viewer: visitor.viewer,
      body: code === undefined
        ? refusedBody(client, query.get("error") ?? "", query.get("error_description") ?? "")
        : flowBody({ visitor, client, addresses: config, held: { ...heldIn(new Map()), code, verifier } })
    })
  })

  const run = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const client = yield* registry.getOwned(visitor.account.id, fields.get("app") ?? "")
    const step = decodeStep(fields.get("step"))
    if (Option.isNone(step)) return unasked(visitor)
    const held = heldIn(fields)
    const exchange = yield* call(router, callOf(config, client, step.value, held))
    return page({
      title: `Playground: ${client.name}`,
      viewer: visitor.viewer,
      body: flowBody({
        visitor,
        client,
        addresses: config,
        held: after(held, exchange),
        last: { step: step.value, exchange }
      })
    })
  })

  const takeDemo = Effect.gen(function*() {
    const { visitor } = yield* pages.form
    if (!demo.isOffered) return seeOther("/playground")
    return seeOther(`/playground?app=${yield* demo.ensure(visitor.account.id, callback)}`)
  })

  const addAddress = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const client = yield* registry.getOwned(visitor.account.id, fields.get("app") ?? "")
    const { redirectUris } = client.change?.rejectionReason === null ? client.change : client
    return yield* registry.edit(visitor.account.id, client.id, { redirectUris: [...redirectUris, callback] }).pipe(
      Effect.as(seeOther("/playground")),
      Effect.catchTags({
        BadRequest: () => Effect.succeed(full(visitor)),
        Conflict: () => Effect.succeed(full(visitor))
      })
    )
  })

  yield* get("/playground", ofOwn(start))
  yield* get(callbackPath, ofOwn(returned))
  yield* post("/playground/run", ofOwn(run))
  yield* post("/playground/demo", takeDemo)
  yield* post("/playground/address", ofOwn(addAddress))
}))

type Answer = HttpServerResponse.HttpServerResponse

/** Apps of others do not exist. */
const ofOwn = <R>(handler: Effect.Effect<Answer, Answer | NotFound, R>): Effect.Effect<Answer, Answer, R> =>
  Effect.catchIf(handler, (failure) => failure instanceof NotFound, () => Effect.fail(noApp))

const decodeStep = Schema.decodeUnknownOption(Step)

const noApp = failurePage({
  status: 404,
  title: "Not found",
  what: "You have no such app; it may have been deleted.",
  remedy: "Choose another one in the playground.",
  next: { href: "/playground", label: "Playground" }
})

const unasked = ({ viewer }: Visitor) =>
  failurePage({
    status: 400,
    title: "Not what was asked for",
    what: "This answer does not belong to a request that the playground sent from this browser, so it was put aside.",
    remedy: "That is what state is for. Start again in the playground.",
    next: { href: "/playground", label: "Playground" },
    viewer
  })

const full = ({ viewer }: Visitor) =>
  failurePage({
    status: 409,
    title: "Not added",
    what:
      "The address could not be added to the app: it has as many redirect URIs as an app may have, or has the address already.",
    remedy: "Look at the settings of the app.",
    viewer
  })
