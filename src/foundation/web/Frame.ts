import { icon, scripts, stylesheets } from "./Assets.ts"
import { forReader, type Html, html, nothing, type Phrase } from "./Html.ts"
import { text } from "./Message.ts"

/** Document of a page: its head, the navigation with these links, and its body. */
export const framed = (title: Phrase, links: Html, body: Html, refresh?: string): Html =>
  html`<!doctype html>
<html${forReader(({ language }) => html` lang="${language.tag}" dir="${language.direction}"`)}>
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
<a class="button skip" href="#content">${text("frame.skip")}</a>
<header class="site">
<nav aria-label="${text("frame.navigation")}">
<a class="brand" href="/">${logo}Slotkey</a>
${links}
</nav>
</header>
<main id="content">
${body}
</main>
</body>
</html>`

const logo =
  html`<svg class="mark" aria-hidden="true" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><circle cx="8" cy="12" r="4.5"/><path d="M12.5 12H22m-4 0v4"/></svg>`

/** Signed-in user, as the navigation shows them. */
export interface NavigatingUser {
  readonly csrf: string
  readonly name: string
  readonly mayReview: boolean
  /** True of an administrator of a server that keeps the accounts of its users. */
  readonly managesUsers: boolean
  /** Path of the page without its query, whose item in the navigation is marked. */
  readonly path: string
}

export const navigation = ({ csrf, managesUsers, mayReview, name, path }: NavigatingUser): Html =>
  html`<ul>
${item("/settings/apps", text("frame.myApps"), path)}
${item("/connections", text("frame.connections"), path)}
${item("/playground", text("frame.playground"), path)}
${mayReview ? item("/review", text("frame.review"), path) : nothing}
${managesUsers ? item("/users", text("frame.users"), path) : nothing}
${item("/account", name, path, byItsLetters)}
<li><form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="link">${
    text("frame.signOut")
  }</button></form></li>
</ul>`

/** For pages that are the same for everybody. */
export const publicNavigation = (path: string): Html =>
  html`<ul>
${item("/settings/apps", text("frame.myApps"), path)}
${item("/playground", text("frame.playground"), path)}
${item("/docs", text("frame.reference"), path)}
</ul>`

export const signedOutNavigation = html`<ul>
<li><a href="/docs">${text("frame.reference")}</a></li>
<li><a href="/sign-in">${text("frame.signIn")}</a></li>
</ul>`

/** A link of the navigation, marked on its page and on those below it. */
const item = (href: string, label: Phrase, path: string, direction: Html = nothing): Html =>
  html`<li><a href="${href}"${direction}${`${path}/`.startsWith(`${href}/`) ? ariaCurrent : nothing}>${label}</a></li>`

/** Direction of a name, which begins at its own side and is cut off at the other. */
const byItsLetters = html` dir="auto"`

const ariaCurrent = html` aria-current="true"`
