import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { answerPath, AnswerRefused, makeHandover } from "../../../core/accounts/Handover.ts"
import { identityOf } from "../../../core/accounts/ProfileClaims.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../../foundation/http/ClientAddress.ts"
import { seeOther } from "../../../foundation/web/Layout.ts"
import { readForm, readQuery } from "../../../foundation/web/ReadForm.ts"
import { finishSignIn } from "../../account/FinishSignIn.ts"
import { pageRoutes } from "../../account/PageRoutes.ts"
import type { SignInRequest } from "../../account/SignInMethods.ts"
import { findAnswer, findRequest, forget, idOf, keepAnswer, keepRequest } from "./HandoverCookies.ts"
import { refusedPage } from "./HandoverView.ts"

/** Sign-in at the platform's own page, and the way back from there: `/sign-in/handover`. */
export const handoverWay = Effect.gen(function*() {
  const { get, post } = yield* pageRoutes(yield* HttpRouter.HttpRouter)
  const config = yield* AppConfig
  const handover = yield* makeHandover
  const finish = yield* finishSignIn
  const { host } = new URL(Option.getOrThrow(config.handoverUrl))

  const begin = Effect.fn("HandoverWay.begin")(function*({ returnTo, ...about }: SignInRequest) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { nonce, secret, url } = yield* handover.ask(about)
    return keepRequest(config, request, idOf(nonce), { secret, returnTo })(seeOther(url))
  })

  const refuse = Effect.fnUntraced(function*({ kind, reason }: AnswerRefused, returnTo: string) {
    const address = clientAddress(config, yield* HttpServerRequest.HttpServerRequest)
    yield* Effect.logInfo("Refused an answer of the platform's sign-in page", { reason, address })
    return refusedPage(kind, { host, returnTo })
  })

  // Another site posts it, without the cookies of this one: they come with the request that follows.
  const receive = Effect.gen(function*() {
    const answer = (yield* readForm).get("answer") ?? ""
    return yield* handover.read(answer).pipe(
      Effect.map(({ nonce }) => {
        const id = idOf(nonce)
        return keepAnswer(config, id, answer)(seeOther(`${answerPath}?${new URLSearchParams({ request: id })}`))
      }),
      Effect.catchTag("AnswerRefused", (refusal) => refuse(refusal, "/"))
    )
  })

  const accept = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const id = (yield* readQuery).get("request") ?? ""
    const asked = findRequest(config, request, id)
    const answer = findAnswer(config, request, id)
    const response = yield* Effect.gen(function*() {
      if (asked === undefined) return yield* refused("other browser", "this browser keeps no such request")
      if (answer === undefined) return yield* refused("late", "this browser keeps the answer no longer")
      const { authenticatedAt, claims, subject } = yield* handover.accept(answer, asked.secret)
      const identity = yield* Effect.provideService(
        identityOf({ claims, issuer: handover.issuer, subject }),
        AppConfig,
        config
      )
      return yield* finish(identity, { way: "handover", returnTo: asked.returnTo, authenticatedAt })
    }).pipe(Effect.catchTag("AnswerRefused", (refusal) => refuse(refusal, asked?.returnTo ?? "/")))
    return forget(config, id)(response)
  })

  yield* get(answerPath, accept)
  yield* post(answerPath, receive)
  return [{ id: "handover", label: host, begin }]
})

const refused = (kind: AnswerRefused["kind"], reason: string) => new AnswerRefused({ kind, reason })
