import { DateTime, Effect, Option } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Brands } from "../../domain/brand/Brand.ts"
import { AppConfig } from "../config/AppConfig.ts"
import { requestIdOf } from "../log/RequestId.ts"
import { Languages, preferred } from "../messages/Languages.ts"
import { CurrentViewer } from "./CurrentViewer.ts"
import { navigation, signedOutNavigation } from "./Frame.ts"
import { nothing, write } from "./Html.ts"
import { choiceAt } from "./LanguageChoice.ts"
import { htmlType, pageOf } from "./Layout.ts"
import { atPublicPath, pageAt, publicPathOf } from "./PublicPath.ts"
import { ReaderNotes, uiLocalesIn, wishedLanguages } from "./ReaderWishes.ts"

/**
 * Completes an answer of the web application as it leaves: a page is written now, for the person who asked for it, and
 * every address leads to the public path.
 */
export const completed = Effect.gen(function*() {
  const config = yield* AppConfig
  const publicPath = publicPathOf(config)
  const addressed = atPublicPath(config)
  const findViewer = yield* CurrentViewer
  const languages = yield* Languages
  const brands = yield* Brands

  return Effect.fnUntraced(function*(response: HttpServerResponse.HttpServerResponse) {
    const page = pageOf(response)
    if (page === undefined) return addressed(response)
    const request = yield* HttpServerRequest.HttpServerRequest
    const notes = (yield* ReaderNotes) ?? { wishes: {} }
    const { brand = brands.at(request.headers["host"]), isSample = false } = notes.wishes
    // A server that fails itself does not try to find a session as well. A sample has no form of the session.
    const links = page.lacksNavigation && response.status < 500 && !isSample
      ? Option.match(yield* Effect.provideService(findViewer, ReaderNotes, notes), {
        onNone: () => signedOutNavigation,
        onSome: navigation
      })
      : nothing
    const language = preferred(languages, wishedLanguages(request, notes.wishes))
    const reader = {
      language,
      brand,
      isSample,
      now: yield* DateTime.now,
      choice: request.method === "GET" && !isSample ? choiceAt(languages, request.url) : undefined,
      keepsLanguage: languages.length > 1 && uiLocalesIn(request.url) !== undefined
    }
    const text = write(page.to({ navigation: links, requestId: requestIdOf(request) }), reader)
    return addressed((isSample ? withoutForms(response) : response).pipe(
      HttpServerResponse.setBody(HttpBody.text(pageAt(publicPath, text), htmlType)),
      HttpServerResponse.setHeader("content-language", language.tag)
    ))
  })
})

/** A sample must not be taken for the page itself: whatever form is on it leads nowhere. */
const withoutForms = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    response,
    "content-security-policy",
    (response.headers["content-security-policy"] ?? "").replace(/form-action [^;]*/, "form-action 'none'")
  )
