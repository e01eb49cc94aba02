import { HttpBody, HttpServerResponse } from "effect/http"
import { raw } from "hono/html"
import { icon, scripts, stylesheets } from "./Assets.ts"
import { type Html, html, nothing } from "./Html.ts"

// This room is what all pages share: their frame, the fields of their forms, how a form is read and how a failure looks.
// Pages work without JavaScript and under a strict content security policy.

/** The user who is signed in, as the header of a page shows him. */
export interface Viewer {
  readonly name: string
  readonly isAdmin: boolean
  /** The CSRF token of the session, for the sign-out form. */
  readonly csrf: string
  /** The path of the page, whose item in the navigation is marked. */
  readonly path: string
}

export interface PageOptions {
  readonly title: string
  readonly body: Html
  readonly viewer?: Viewer | undefined
  readonly status?: number
  /** CSP sources to which forms may lead beside our own origin: browsers check the redirects after a form, too. */
  readonly formTargets?: ReadonlyArray<string>
  /** Addresses of images on other hosts. */
  readonly images?: ReadonlyArray<string>
}

/** An HTML page in the common frame, which no cache keeps. */
export const page = (options: PageOptions): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(document(options).toString(), {
    contentType: htmlType,
    status: options.status ?? 200,
    headers: {
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy(options)
    }
  })

export interface Failure {
  readonly status: number
  readonly title: string
  /** The event, in a sentence. */
  readonly what: string
  /** The party at fault, and the reader's next step. */
  readonly remedy: string
  /** A link to go on with. */
  readonly next?: { readonly href: string; readonly label: string }
  readonly viewer?: Viewer | undefined
}

/** A page that explains a failure. */
export const failurePage = (
  { next, remedy, status, title, viewer, what }: Failure
): HttpServerResponse.HttpServerResponse =>
  page({
    title,
    status,
    viewer,
    body: html`<article class="failure">
      <p class="failure-status">${status}</p>
      <h1>${title}</h1>
      <p>${what}</p>
      <p>${remedy}</p>
      ${next === undefined ? nothing : html`<p><a href="${next.href}" class="button">${next.label}</a></p>`}
      ${referenceSlot}
    </article>`
  })

/** Names the request on a page that explains a failure, for people who ask about it. Other responses stay as they are. */
export const withReference = (
  response: HttpServerResponse.HttpServerResponse,
  requestId: string
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (response.status < 400 || body._tag !== "Uint8Array" || body.contentType !== htmlType) return response
  const reference = html`<p class="failure-reference">Reference: <code>${requestId}</code></p>`.toString()
  const text = Buffer.from(body.body).toString("utf8").replace(referenceSlot.toString(), () => reference)
  return HttpServerResponse.setBody(response, HttpBody.text(text, htmlType))
}

/** Stands for the reference, because some of these pages are made before any request. */
const referenceSlot = raw("<!-- reference -->")

const htmlType = "text/html; charset=utf-8"

/** The response to a form that was accepted: the browser gets `location` next (RFC 9110 §15.4.4). */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.redirect(location, { status: 303, headers: { "cache-control": "no-store" } })

const contentSecurityPolicy = ({ formTargets = [], images = [] }: PageOptions): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    ["img-src 'self' data:", ...images.map(origin)].join(" "),
    ["form-action 'self'", ...formTargets].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const origin = (address: string): string => new URL(address).origin

const document = ({ body, title, viewer }: PageOptions): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · Slotkey</title>
${stylesheets.map((href) => html`<link rel="stylesheet" href="${href}">`)}
${scripts.map((src) => html`<script src="${src}" defer></script>`)}
<link rel="icon" href="${icon}" type="image/svg+xml">
</head>
<body>
<a class="button skip" href="#content">Skip to content</a>
<header class="site">
<nav aria-label="Main">
<a class="brand" href="/">${logo}Slotkey</a>
${viewer === undefined ? nothing : navigation(viewer)}
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

const navigation = ({ csrf, isAdmin, name, path }: Viewer): Html => {
  const item = (href: string, label: string) =>
    html`<li><a href="${href}"${`${path}/`.startsWith(`${href}/`) ? ariaCurrent : nothing}>${label}</a></li>`
  return html`<ul>
${item("/settings/apps", "My apps")}
${item("/connections", "Connected apps")}
${item("/playground", "Playground")}
${isAdmin ? item("/review", "Review") : nothing}
${item("/account", name)}
<li><form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="link">Sign out</button></form></li>
</ul>`
}

const ariaCurrent = html` aria-current="true"`
