import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import packageJson from "../../../package.json" with { type: "json" }
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import type { Brand, Brands } from "../../domain/brand/Brand.ts"
import { publicContent } from "../http/PublicContent.ts"
import { english } from "../messages/Languages.ts"
import { type Origin, titleWithErrors } from "./FormFields.ts"
import { framed, type NavigatingUser, navigation, publicNavigation } from "./Frame.ts"
import { type Html, html, nothing, type Phrase, write } from "./Html.ts"
import { languageChoice } from "./LanguageChoice.ts"
import { text } from "./Message.ts"
import { pageAt } from "./PublicPath.ts"
import { formNotSent, notSentNotice, type RestoredForm } from "./RestoredForm.ts"

// This room is what all pages share: their frame, the fields of their forms, how a form is read and how a failure
// looks. Pages work without JavaScript and under a strict content security policy.

/** Signed-in user, as the header of a page shows them. */
export interface Viewer extends NavigatingUser, Origin {
  /** Zone of the times on the page, if the account is kept here and the page can be had again. */
  readonly timeZone?: string | undefined
  /** Form of this page that waited for the sign-in. */
  readonly restored?: RestoredForm | undefined
}

interface PageOptions {
  readonly title: Phrase
  readonly body: Html
  readonly viewer?: Viewer | undefined
  readonly status?: number
  /** Problem with a form, which the page shows at the form. */
  readonly problem?: BadRequest | Conflict | NotFound | undefined
  /** CSP sources to which forms may lead beside our own origin: browsers check the redirects after a form, too. */
  readonly formTargets?: ReadonlyArray<string>
  /** True of a page that shows another one of ours in a frame. */
  readonly hasFrame?: boolean
  /** Stands in the header where no `viewer` does. */
  readonly navigation?: Html
  /** Address that the browser goes to by itself. In the page, because proxies limit the size of headers. */
  readonly refresh?: string
}

/** An HTML page in the common frame, which no cache keeps. It is written when it is sent (`CompletedPage.ts`). */
export const page = (options: PageOptions): HttpServerResponse.HttpServerResponse =>
  unsent(options, false, () => document(options))

const unsent = (options: Omit<PageOptions, "body" | "title">, ...page: ConstructorParameters<typeof UnsentPage>) =>
  HttpServerResponse.raw(new UnsentPage(...page), {
    status: statusOf(options),
    headers: {
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy(options),
      "permissions-policy": permissionsPolicy
    }
  })

const statusOf = ({ problem, status = 200 }: Pick<PageOptions, "problem" | "status">): number =>
  problem === undefined || problem === formNotSent
    ? status
    : { BadRequest: 400, Conflict: 409, NotFound: 404 }[problem._tag]

interface PublicPageOptions extends Pick<PageOptions, "title" | "body"> {
  /** Path of the page, whose item in the navigation is marked. */
  readonly path: string
  /** Path at which browsers find the server. */
  readonly publicPath: string
  readonly brands: Brands
}

/**
 * A page that is the same for everybody at a host, in English, so that caches may keep it and it may be compressed. It
 * knows no session, and its navigation leads to pages that ask for one.
 */
export const publicPage = ({ body, brands, path, publicPath, title }: PublicPageOptions) => {
  const document = framed({ title, links: publicNavigation(path), body })
  const pages = new Map<Brand, ReturnType<typeof publicContent>>()
  const pageFor = (brand: Brand) => {
    const page = pages.get(brand) ?? publicContent({
      body: pageAt(publicPath, write(document, { brand, language: english })),
      contentType: htmlType,
      // Kept, but asked about at each visit: it may be another one after an update of the server.
      cacheControl: "no-cache",
      headers: {
        "content-language": english.tag,
        "content-security-policy": contentSecurityPolicy({}),
        "permissions-policy": permissionsPolicy
      }
    })
    pages.set(brand, page)
    return page
  }
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => pageFor(brands.at(headers["host"])))
}

export interface Failure {
  readonly status: number
  readonly title: Phrase
  /** Event, in a sentence. */
  readonly what: Phrase
  /** Party at fault, and the reader's next step. */
  readonly remedy: Phrase
  /** A link to go on with. */
  readonly next?: { readonly href: string; readonly label: Phrase }
  /** What the page is about, above everything else. */
  readonly head?: Html
  /** More about the cause, given the reference of the request. */
  readonly about?: (reference: string) => Html
  readonly viewer?: Viewer | undefined
}

/** A page that explains a failure, with the navigation of its viewer, and the request for people who ask about it. */
export const failurePage = (failure: Failure): HttpServerResponse.HttpServerResponse =>
  unsent(
    failure,
    failure.viewer === undefined,
    ({ navigation, requestId }) => document({ ...failure, navigation, body: explanation(failure, requestId) })
  )

const explanation = ({ about, head = nothing, next, remedy, status, title, what }: Failure, requestId: string): Html =>
  html`<article class="failure">
      ${head}
      <p class="failure-status">${status}</p>
      <h1>${title}</h1>
      <p>${what}</p>
      <p>${remedy}</p>
      ${next === undefined ? nothing : html`<p><a href="${next.href}" class="button">${next.label}</a></p>`}
      <p class="failure-reference">${text("failure.reference", { id: html`<code>${requestId}</code>` })}</p>${
    about === undefined ? nothing : html`\n${about(requestId)}`
  }
    </article>`

/** What a page learns only when it is sent, because some are made before any request. */
export interface Recipient {
  readonly navigation: Html
  readonly requestId: string
}

/** Page that is not sent yet: the body of its response. */
class UnsentPage {
  /** True of a page that shows the navigation of its viewer, and does not know them. */
  readonly lacksNavigation: boolean
  readonly to: (recipient: Recipient) => Html

  constructor(lacksNavigation: boolean, to: UnsentPage["to"]) {
    this.lacksNavigation = lacksNavigation
    this.to = to
  }
}

/** Page of a response that is not sent yet. */
export const pageOf = ({ body }: HttpServerResponse.HttpServerResponse): UnsentPage | undefined =>
  body._tag === "Raw" && body.body instanceof UnsentPage ? body.body : undefined

export const htmlType = "text/html; charset=utf-8"

/** Response to a form that was accepted: the browser gets `location` next (RFC 9110 §15.4.4). */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.redirect(location, { status: 303, headers: { "cache-control": "no-store" } })

/**
 * The page, for a frame of our own pages; no other page of ours is shown in one. Browsers that know `frame-ancestors`
 * pass over `X-Frame-Options`, and all others show nothing (CSP 3 §6.4.2.2).
 */
export const framable = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    response,
    "content-security-policy",
    (response.headers["content-security-policy"] ?? "").replace(noFrame, "frame-ancestors 'self'")
  )

const noFrame = "frame-ancestors 'none'"

const contentSecurityPolicy = ({ formTargets = [], hasFrame }: Pick<PageOptions, "formTargets" | "hasFrame">): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    ...hasFrame === true ? ["frame-src 'self'"] : [],
    ["form-action 'self'", ...formTargets].join(" "),
    "base-uri 'none'",
    noFrame
  ].join("; ")

/** What no page of ours has a use for, whatever might run in it. */
const permissionsPolicy = [
  "camera",
  "display-capture",
  "geolocation",
  "hid",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb"
].map((feature) => `${feature}=()`).join(", ")

const document = ({ body, navigation: links = nothing, problem, refresh, title, viewer }: PageOptions): Html =>
  viewer === undefined
    ? framed({ title: titleOf(problem, title), links, body, refresh })
    : framed({
      title: titleOf(problem, title),
      links: navigation(viewer),
      refresh,
      version: viewer.isAdmin ? versionText : nothing,
      languages: languageChoice(viewer.timeZone === undefined ? undefined : viewer),
      body: html`${viewer.timeZone === undefined ? nothing : timeZoneOffer(viewer, viewer.timeZone)}${
        viewer.restored === undefined || problem !== undefined ? nothing : notSentNotice(viewer.restored)
      }${body}`
    })

/** Page on which administrators see what users see. Its door stands above. */
export const looksPath = "/looks"

const versionText = html` · ${text("frame.version", { version: packageJson.version })} · <a href="${looksPath}">${
  text("frame.looks")
}</a>`

/** Title that says how many mistakes are in the form; nothing is wrong with one that was not sent. */
const titleOf = (problem: PageOptions["problem"], title: Phrase): Phrase => {
  if (problem === undefined || problem === formNotSent) return title
  return titleWithErrors(problem._tag === "BadRequest" ? problem.details?.length || 1 : 1, title)
}

/** Shown by a script where it helps: the server cannot know the zone of the browser. */
const timeZoneOffer = ({ csrf, path }: Viewer, timeZone: string): Html =>
  html`<form method="post" action="/account/time-zone" class="muted zone" data-time-zone="${timeZone}" hidden>
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="time_zone"><input type="hidden" name="return_to" value="${path}">
${text("frame.timesIn", { timeZone })} <button class="link">${
    text("frame.showTimesIn", { here: html`<span></span>` })
  }</button> · <button type="button" class="link">${text("frame.keepTimesIn", { timeZone })}</button>
</form>`
