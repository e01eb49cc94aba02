import { HttpBody, HttpServerResponse } from "effect/http"
import { raw } from "hono/html"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { publicContent } from "../http/PublicContent.ts"
import { icon, scripts, stylesheets } from "./Assets.ts"
import type { Origin } from "./FormFields.ts"
import { type Html, html, nothing } from "./Html.ts"
import { pageAt } from "./PublicPath.ts"
import { formNotSent, notSentNotice, type RestoredForm } from "./RestoredForm.ts"

// This room is what all pages share: their frame, the fields of their forms, how a form is read and how a failure
// looks. Pages work without JavaScript and under a strict content security policy.

/** Signed-in user, as the header of a page shows them. */
export interface Viewer extends Origin {
  readonly name: string
  readonly mayReview: boolean
  readonly isAdmin: boolean
  /** True of an administrator of a server that keeps the accounts of its users. */
  readonly managesUsers: boolean
  /** Path of the page without its query, whose item in the navigation is marked. */
  readonly path: string
  /** Zone of the times on the page, if the user can choose another and get the page again. */
  readonly timeZone?: string | undefined
  /** Form of this page that waited for the sign-in. */
  readonly restored?: RestoredForm | undefined
}

interface PageOptions {
  readonly title: string
  readonly body: Html
  readonly viewer?: Viewer | undefined
  readonly status?: number
  /** Problem with a form, which the page shows at the form. */
  readonly problem?: BadRequest | Conflict | NotFound | undefined
  /** CSP sources to which forms may lead beside our own origin: browsers check the redirects after a form, too. */
  readonly formTargets?: ReadonlyArray<string>
  /** Stands in the header where no `viewer` does. */
  readonly navigation?: Html
  /** Address that the browser goes to by itself. In the page, because proxies limit the size of headers. */
  readonly refresh?: string
}

/** An HTML page in the common frame, which no cache keeps. */
export const page = (options: PageOptions): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(document(options).toString(), {
    contentType: htmlType,
    status: statusOf(options),
    headers: {
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy(options),
      "permissions-policy": permissionsPolicy
    }
  })

const statusOf = ({ problem, status = 200 }: PageOptions): number =>
  problem === undefined || problem === formNotSent
    ? status
    : { BadRequest: 400, Conflict: 409, NotFound: 404 }[problem._tag]

interface PublicPageOptions extends Pick<PageOptions, "title" | "body"> {
  /** Path of the page, whose item in the navigation is marked. */
  readonly path: string
  /** Path at which browsers find the server. */
  readonly publicPath: string
}

/**
 * A page that is the same for everybody, so that caches may keep it and it may be compressed. It knows no session, and
 * its navigation leads to pages that ask for one.
 */
export const publicPage = ({ body, path, publicPath, title }: PublicPageOptions) =>
  publicContent({
    body: pageAt(publicPath, framed(title, publicNavigation(path), body).toString()),
    contentType: htmlType,
    // Kept, but asked about at each visit: it may be another one after an update of the server.
    cacheControl: "no-cache",
    headers: { "content-security-policy": contentSecurityPolicy({}), "permissions-policy": permissionsPolicy }
  })

export interface Failure {
  readonly status: number
  readonly title: string
  /** Event, in a sentence. */
  readonly what: string
  /** Party at fault, and the reader's next step. */
  readonly remedy: string
  /** A link to go on with. */
  readonly next?: { readonly href: string; readonly label: string }
  /** What the page is about, above everything else. */
  readonly head?: Html
  readonly viewer?: Viewer | undefined
}

/** A page that explains a failure. Without a `viewer`, `withNavigation` has a place in it. */
export const failurePage = ({ head = nothing, next, remedy, status, title, viewer, what }: Failure) =>
  page({
    title,
    status,
    viewer,
    navigation: navigationSlot,
    body: html`<article class="failure">
      ${head}
      <p class="failure-status">${status}</p>
      <h1>${title}</h1>
      <p>${what}</p>
      <p>${remedy}</p>
      ${next === undefined ? nothing : html`<p><a href="${next.href}" class="button">${next.label}</a></p>`}
      ${referenceSlot}
    </article>`
  })

/**
 * Names the request on a page that explains a failure, for people who ask about it. Other responses stay as they are.
 */
export const withReference = (response: HttpServerResponse.HttpServerResponse, requestId: string) =>
  fillSlot(response, referenceSlot, () => html`<p class="failure-reference">Reference: <code>${requestId}</code></p>`)

/**
 * Gives a page that explains a failure the navigation of the user who sees it, or of one who is not signed in. Other
 * responses stay as they are, and so does a page with a viewer.
 */
export const withNavigation = (response: HttpServerResponse.HttpServerResponse, viewer: Viewer | undefined) =>
  fillSlot(response, navigationSlot, () => viewer === undefined ? signedOutNavigation : navigation(viewer))

/** True of a page that explains a failure and has no navigation yet. */
export const lacksNavigation = (response: HttpServerResponse.HttpServerResponse): boolean =>
  textOfFailure(response)?.includes(navigationSlot.toString()) === true

/** The content is asked for only if the response has the slot: every response comes by here. */
const fillSlot = (response: HttpServerResponse.HttpServerResponse, slot: Html, content: () => Html) => {
  const text = textOfFailure(response)
  return text === undefined
    ? response
    : HttpServerResponse.setBody(
      response,
      HttpBody.text(text.replace(slot.toString(), () => content().toString()), htmlType)
    )
}

const textOfFailure = ({ body, status }: HttpServerResponse.HttpServerResponse): string | undefined =>
  status >= 400 && body._tag === "Uint8Array" && body.contentType === htmlType
    ? Buffer.from(body.body).toString("utf8")
    : undefined

// Slots stand for what a page learns only when it is sent, because some of these pages are made before any request.
const referenceSlot = raw("<!-- reference -->")
const navigationSlot = raw("<!-- navigation -->")

const htmlType = "text/html; charset=utf-8"

/** Response to a form that was accepted: the browser gets `location` next (RFC 9110 §15.4.4). */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.redirect(location, { status: 303, headers: { "cache-control": "no-store" } })

const contentSecurityPolicy = ({ formTargets = [] }: Pick<PageOptions, "formTargets">): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    ["form-action 'self'", ...formTargets].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'"
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
    ? framed(title, links, body, refresh)
    : framed(
      title,
      navigation(viewer),
      html`${viewer.restored === undefined || problem !== undefined ? nothing : notSentNotice(viewer.restored)}${body}${
        viewer.timeZone === undefined ? nothing : timeZoneOffer(viewer, viewer.timeZone)
      }`
    )

const framed = (title: string, links: Html, body: Html, refresh?: string): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · Slotkey</title>${
    refresh === undefined ? nothing : html`\n<meta http-equiv="refresh" content="0;url=${refresh}">`
  }
${stylesheets.map((href) => html`<link rel="stylesheet" href="${href}">`)}
${scripts.map((src) => html`<script src="${src}" defer></script>`)}
<link rel="icon" href="${icon}" type="image/svg+xml">
</head>
<body>
<a class="button skip" href="#content">Skip to content</a>
<header class="site">
<nav aria-label="Main">
<a class="brand" href="/">${logo}Slotkey</a>
${links}
</nav>
</header>
<main id="content">
${body}
</main>
</body>
</html>`

const logo = raw(
  `<svg class="mark" aria-hidden="true" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><circle cx="8" cy="12" r="4.5"/><path d="M12.5 12H22m-4 0v4"/></svg>`
)

const navigation = ({ csrf, managesUsers, mayReview, name, path }: Viewer): Html =>
  html`<ul>
${item("/settings/apps", "My apps", path)}
${item("/connections", "Connected apps", path)}
${item("/playground", "Playground", path)}
${mayReview ? item("/review", "Review", path) : nothing}
${managesUsers ? item("/users", "Users", path) : nothing}
${item("/account", name, path, byItsLetters)}
<li><form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="link">Sign out</button></form></li>
</ul>`

const publicNavigation = (path: string): Html =>
  html`<ul>
${item("/settings/apps", "My apps", path)}
${item("/playground", "Playground", path)}
${item("/docs", "API reference", path)}
</ul>`

/** A link of the navigation, marked on its page and on those below it. */
const item = (href: string, label: string, path: string, direction: Html = nothing): Html =>
  html`<li><a href="${href}"${direction}${`${path}/`.startsWith(`${href}/`) ? ariaCurrent : nothing}>${label}</a></li>`

/** Shown by a script where it helps: the server cannot know the zone of the browser. */
const timeZoneOffer = ({ csrf, path }: Viewer, timeZone: string): Html =>
  html`<form method="post" action="/account/time-zone" class="muted zone" data-time-zone="${timeZone}" hidden>
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="time_zone"><input type="hidden" name="return_to" value="${path}">
Times are in ${timeZone}. <button class="link">Show them in <span></span></button> · <button type="button" class="link">Keep ${timeZone}</button>
</form>`

const signedOutNavigation = html`<ul>
<li><a href="/docs">API reference</a></li>
<li><a href="/sign-in">Sign in</a></li>
</ul>`

/** Direction of a name, which begins at its own side and is cut off at the other. */
const byItsLetters = html` dir="auto"`

const ariaCurrent = html` aria-current="true"`
