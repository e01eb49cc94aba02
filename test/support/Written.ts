import type { HttpServerResponse } from "effect/http"
import { type Html, nothing, write } from "../../src/foundation/web/Html.ts"
import { pageOf } from "../../src/foundation/web/Layout.ts"

/** Markup as a text. */
export const written = (markup: Html): string => write(markup)

/** Text of a page that is not sent yet. */
export const writtenPage = (response: HttpServerResponse.HttpServerResponse): string =>
  written(pageOf(response)?.to({ navigation: nothing, requestId: "test" }) ?? nothing)
