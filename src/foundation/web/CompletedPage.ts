import { Effect, Option } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AppConfig } from "../config/AppConfig.ts"
import { requestIdOf } from "../log/RequestId.ts"
import { CurrentViewer } from "./CurrentViewer.ts"
import { navigation, signedOutNavigation } from "./Frame.ts"
import { nothing, write } from "./Html.ts"
import { htmlType, pageOf } from "./Layout.ts"
import { atPublicPath, pageAt, publicPathOf } from "./PublicPath.ts"

/**
 * Completes an answer of the web application as it leaves: a page is written now, with what only its request knows, and
 * every address leads to the public path.
 */
export const completed = Effect.gen(function*() {
  const config = yield* AppConfig
  const publicPath = publicPathOf(config)
  const addressed = atPublicPath(config)
  const findViewer = yield* CurrentViewer

  return Effect.fnUntraced(function*(response: HttpServerResponse.HttpServerResponse) {
    const page = pageOf(response)
    if (page === undefined) return addressed(response)
    const request = yield* HttpServerRequest.HttpServerRequest
    // A server that fails itself does not try to find a session as well.
    const links = page.lacksNavigation && response.status < 500
      ? Option.match(yield* findViewer, { onNone: () => signedOutNavigation, onSome: navigation })
      : nothing
    const text = write(page.to({ navigation: links, requestId: requestIdOf(request) }))
    return addressed(HttpServerResponse.setBody(response, HttpBody.text(pageAt(publicPath, text), htmlType)))
  })
})
