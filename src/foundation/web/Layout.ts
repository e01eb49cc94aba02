import { HttpServerResponse } from "effect/http"
import { raw } from "hono/html"
import { scripts, stylesheets } from "./Assets.ts"
import { type Html, html, nothing } from "./Html.ts"

/** Who looks at a page, as its header shows it. */
export interface Viewer {
  readonly name: string
  readonly isAdmin: boolean
  /** The CSRF token of the session, for the sign-out form. */
  readonly csrf: string
  /** The path of the page, which the navigation marks. */
  readonly place: string
}

export interface PageOptions {
  readonly title: string
  readonly body: Html
  readonly viewer?: Viewer | undefined
  readonly status?: number
  /** Where forms of the page may lead besides our own origin, as CSP sources: the validated redirect target of a consent. */
  readonly formTargets?: ReadonlyArray<string>
  /** Addresses of images from elsewhere that the page shows. */
  readonly images?: ReadonlyArray<string>
}

/** An HTML page in the common frame: works without JavaScript, is never cached or framed, and sends no referrer. */
export const page = (options: PageOptions): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(document(options).toString(), {
    contentType: "text/html; charset=utf-8",
    status: options.status ?? 200,
    headers: {
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy(options)
    }
  })

export interface Failure {
  readonly status: number
  readonly title: string
  /** What happened. */
  readonly what: string
  /** Whose fault it is and what the reader can do. */
  readonly remedy: string
  /** Where to go on. */
  readonly next?: { readonly href: string; readonly label: string }
  readonly viewer?: Viewer | undefined
}

/** A page that says what happened, whose fault it is and what to do. */
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
      ${next === undefined ? nothing : html`<p><a href="${next.href}" role="button">${next.label}</a></p>`}
    </article>`
  })

/** The answer to a form that was accepted: the browser fetches `location` anew (RFC 9110 §15.4.4). */
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
<link rel="icon" href="data:,">
</head>
<body>
<header class="site">
<nav aria-label="Main">
<a class="brand" href="/">${mark}Slotkey</a>
${viewer === undefined ? nothing : navigation(viewer)}
</nav>
</header>
<main>
${body}
</main>
</body>
</html>`

const mark = raw(
  `<svg class="mark" aria-hidden="true" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><circle cx="8" cy="12" r="4.5"/><path d="M12.5 12H22m-4 0v4"/></svg>`
)

const navigation = ({ csrf, isAdmin, name, place }: Viewer): Html => {
  const item = (href: string, label: string) =>
    html`<li><a href="${href}"${`${place}/`.startsWith(`${href}/`) ? here : nothing}>${label}</a></li>`
  return html`<ul>
${item("/settings/apps", "My apps")}
${item("/connections", "Connected apps")}
${item("/playground", "Playground")}
${isAdmin ? item("/review", "Review") : nothing}
${item("/account", name)}
<li><form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="link">Sign out</button></form></li>
</ul>`
}

const here = html` aria-current="true"`
