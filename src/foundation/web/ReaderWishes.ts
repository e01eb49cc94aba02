import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type Brand, Brands } from "../../domain/brand/Brand.ts"
import { accepted, Languages, preferred } from "../messages/Languages.ts"
import type { Reader } from "./Html.ts"

/** What the request in work has told of its reader's languages so far. */
interface ReaderWishes {
  /** `ui_locales` of an app's authorization request (OpenID Connect Core 1.0 §3.1.2.1): tags, separated by spaces. */
  readonly uiLocales?: string | undefined
  /** Language of the account; empty if none is known. */
  readonly locale?: string | undefined
  /** Brand of the page, where that is not the one of the request's host. */
  readonly brand?: Brand
  readonly isSample?: boolean | "preview"
}

/** Notes about the reader, which the controllers of pages make and the page is written by; none outside of pages. */
export const ReaderNotes = Context.Reference<{ wishes: ReaderWishes } | undefined>(
  "slotkey/foundation/web/ReaderNotes",
  { defaultValue: () => undefined }
)

/** Notes what somebody has learned of the reader of the page that will answer the request in work. */
export const noteReader = (wishes: ReaderWishes): Effect.Effect<void> =>
  Effect.map(ReaderNotes, (notes) => {
    if (notes !== undefined) notes.wishes = { ...notes.wishes, ...wishes }
  })

/** Makes the reader of the answer to a request, by what it has told of them. */
export const readers = Effect.gen(function*() {
  const brands = yield* Brands
  const languages = yield* Languages
  const only = languages.length === 1 ? languages[0] : undefined

  return (request: HttpServerRequest.HttpServerRequest, wishes: ReaderWishes): Reader => ({
    // With one language, nothing that a request says of others is read.
    language: only ?? preferred(languages, wishedLanguages(request, wishes)),
    brand: wishes.brand ?? brands.at(request.headers["host"]),
    isSample: wishes.isSample ?? false
  })
})

/**
 * Languages of a reader in order: what the address of the page asks for, or else what the app does to which the page
 * leads back; then the account's, then what the browser accepts.
 */
const wishedLanguages = (
  { headers, url }: HttpServerRequest.HttpServerRequest,
  { locale = "", uiLocales: ofApp }: ReaderWishes
): ReadonlyArray<string> => [
  ...(uiLocalesIn(url) ?? ofApp)?.split(" ") ?? [],
  ...locale === "" ? [] : [locale],
  ...accepted(headers["accept-language"])
]

/** `ui_locales` of an address of ours. */
export const uiLocalesIn = (url: string): string | undefined =>
  url.includes(uiLocales) ? new URLSearchParams(url.slice(url.indexOf("?"))).get(uiLocales) ?? undefined : undefined

/** Parameter of an address that says the languages of its page. */
export const uiLocales = "ui_locales"
