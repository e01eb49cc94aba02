import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { answerPath, AnswerRefused, makeHandover } from "../../../core/accounts/linked/Handover.ts"
import { identityOf } from "../../../core/accounts/linked/ProfileClaims.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as OncePerMinute from "../../../foundation/log/OncePerMinute.ts"
import { seeOther } from "../../../foundation/web/Layout.ts"
import { noteReader, uiLocalesIn } from "../../../foundation/web/ReaderWishes.ts"
import { readForm, readQuery } from "../../../foundation/web/ReadForm.ts"
import { finishSignIn } from "../../session/FinishSignIn.ts"
import { pageRoutes } from "../../session/PageRoutes.ts"
import type { SignInRequest } from "../../session/SignInMethods.ts"
import { wayName } from "../../session/WayName.ts"
import { handoverCookies, idOf } from "./HandoverCookies.ts"
import { refusedPage } from "./HandoverView.ts"

/** Sign-in at the platform's own page, and the way back from there: `/sign-in/handover`. */
export const handoverWay = Effect.gen(function*() {
  const { get, pages, post } = yield* pageRoutes(yield* HttpRouter.HttpRouter)
  const config = yield* AppConfig
  const handover = yield* makeHandover
  const finish = yield* finishSignIn
  const cookies = handoverCookies(config)
  const { host } = new URL(Option.getOrThrow(config.handoverUrl))

  const begin = Effect.fn("HandoverWay.begin")(function*({ returnTo, ...about }: SignInRequest) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { nonce, secret, url } = yield* handover.ask(about)
    return cookies.keepRequest(request, idOf(nonce), { secret, returnTo })(seeOther(url))
  })

  const report = yield* OncePerMinute.make((reason, count) =>
    Effect.logInfo("Refused an answer of the platform's sign-in page", { reason, count })
  )
  const refuse = ({ kind, reason }: AnswerRefused, returnTo: string) =>
    Effect.as(report(reason), refusedPage(kind, { host: wayName("handover", host), returnTo }))

  // Another site posts it, without the cookies of this one: they come with the request that follows.
  const receive = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const answer = (yield* readForm).get("answer") ?? ""
    return yield* handover.read(answer).pipe(
      Effect.map(({ nonce }) => {
        const next = seeOther(`${answerPath}?${new URLSearchParams({ request: idOf(nonce) })}`)
        return cookies.keepAnswer(request, answer)(next)
      }),
      Effect.catchTag("AnswerRefused", (refusal) => refuse(refusal, "/"))
    )
  })

  const accept = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const asked = cookies.findRequest(request, (yield* readQuery).get("request") ?? "")
    const answer = cookies.findAnswer(request)
    yield* noteReader({ uiLocales: uiLocalesIn(asked?.returnTo ?? "") })
    const response = yield* Effect.gen(function*() {
      if (asked === undefined) return yield* refused("other browser", "this browser keeps no such request")
      if (answer === undefined) return yield* refused("late", "this browser keeps the answer no longer")
      // That to the request of another tab, if it has come meanwhile.
      const { nonce } = yield* handover.read(answer)
      const answered = cookies.findRequest(request, idOf(nonce))
      if (answered === undefined) return yield* refused("other browser", "this browser keeps no request of the answer")
      const { authenticatedAt, claims, subject } = yield* handover.accept(answer, answered.secret)
      const identity = yield* Effect.provideService(
        identityOf({ claims, issuer: handover.issuer, subject }),
        AppConfig,
        config
      )
      return yield* finish(identity, { way: "handover", returnTo: asked.returnTo, authenticatedAt })
    }).pipe(Effect.catchTag("AnswerRefused", (refusal) => afterRefusal(refusal, asked?.returnTo)))
    return cookies.forgetAnswer(response)
  })

  // A browser that loads an answer again, or comes back in two tabs at once, is signed in by now.
  const afterRefusal = Effect.fnUntraced(function*(refusal: AnswerRefused, returnTo = "/") {
    const isRepeat = refusal.kind === "used" || refusal.kind === "late"
    return isRepeat && Option.isSome(yield* pages.current) ? seeOther(returnTo) : yield* refuse(refusal, returnTo)
  })

  yield* get(answerPath, accept)
  yield* post(answerPath, receive)
  return [{ id: "handover", label: host, begin }]
})

const refused = (kind: AnswerRefused["kind"], reason: string) => new AnswerRefused({ kind, reason })
