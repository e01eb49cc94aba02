import type { HttpServerResponse } from "effect/http"
import { plain } from "../../src/domain/brand/Brand.ts"
import { english } from "../../src/foundation/messages/Languages.ts"
import { type Html, nothing, write } from "../../src/foundation/web/Html.ts"
import { pageOf } from "../../src/foundation/web/Layout.ts"

/** Markup as a text for an English reader. */
export const written = (markup: Html): string => write(markup, { language: english, brand: plain })

/** Text of a page that is not sent yet. */
export const writtenPage = (response: HttpServerResponse.HttpServerResponse): string =>
  written(pageOf(response)?.to({ navigation: nothing, requestId: "test" }) ?? nothing)
