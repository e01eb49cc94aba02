import { inLanguage } from "../../domain/files/Words.ts"
import { icon, scripts, stylesheets } from "./Assets.ts"
import { assetsOf } from "./BrandAssets.ts"
import { brandName } from "./BrandText.ts"
import { footer } from "./Footer.ts"
import { forReader, type Html, html, nothing, type Phrase } from "./Html.ts"
import { languageChoice } from "./LanguageChoice.ts"
import { text } from "./Message.ts"

interface Framed {
  readonly title: Phrase
  /** Navigation. */
  readonly links: Html
  readonly body: Html
  /** Address that the browser goes to by itself. */
  readonly refresh?: string | undefined
  /** Release of the server, for those who run it. */
  readonly version?: Phrase
  /** Choice of the language. */
  readonly languages?: Html
}

/** Document of a page: its head, the navigation with these links, its body, and what the brand says at its end. */
export const framed = (
  { body, languages = languageChoice(undefined), links, refresh, title, version = nothing }: Framed
): Html =>
  html`<!doctype html>
<html${forReader(({ language }) => html` lang="${language.tag}" dir="${language.direction}"`)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">${outside}
<title>${title} · ${brandName}</title>${
    refresh === undefined ? nothing : html`\n<meta http-equiv="refresh" content="0;url=${refresh}">`
  }
${stylesheets.map(stylesheet)}
${colors}
${scripts.map((src) => html`<script src="${src}" defer></script>`)}
${icons}
</head>
<body>
<a class="button skip" href="#content">${text("frame.skip")}</a>
${sample}
<header class="site">
<nav aria-label="${text("frame.navigation")}">
<a class="brand" href="/">${head}</a>
${links}
</nav>
</header>
<main id="content">
${body}
</main>
${footer(version, languages)}
</body>
</html>`

const stylesheet = (href: string): Html => html`<link rel="stylesheet" href="${href}">`

/** Colours of the brand, over the usual ones. */
const colors = forReader(({ brand }) => {
  const { stylesheet: file } = assetsOf(brand)
  return file && stylesheet(file.path)
})

const icons = forReader(({ brand }) => {
  const { logo } = assetsOf(brand)
  if (logo === undefined) return html`<link rel="icon" href="${icon}" type="image/svg+xml">`
  const { dark, light } = logo
  return dark.path === light.path
    ? html`<link rel="icon" href="${light.path}">`
    : html`<link rel="icon" href="${light.path}" media="(prefers-color-scheme: light)">
<link rel="icon" href="${dark.path}" media="(prefers-color-scheme: dark)">`
})

// Links of a sample lead to a tab of their own: out of a preview, which has none, they lead nowhere.
const outside = forReader(({ isSample = false }) => isSample === false ? nothing : html`\n<base target="_blank">`)

const sample = forReader(({ isSample = false }) =>
  isSample === false
    ? nothing
    : html`<aside class="sample">${text(isSample === "preview" ? "frame.preview" : "frame.sample")}</aside>`
)

/** Picture and name of the brand, at the head of each page. */
const head = forReader(({ brand, language }) => {
  const { logo } = assetsOf(brand)
  const name = inLanguage(brand.name, language.tag)
  if (logo === undefined) return html`${mark}<bdi>${name}</bdi>`
  const hasName = brand.logo?.hasName === true
  const picture = html`<img src="${logo.light.path}" alt="${hasName ? name : ""}">`
  return html`${
    logo.dark.path === logo.light.path
      ? picture
      : html`<picture><source srcset="${logo.dark.path}" media="(prefers-color-scheme: dark)">${picture}</picture>`
  }${hasName ? nothing : html`<bdi>${name}</bdi>`}`
})

/** Picture of a brand that has none of its own. */
const mark =
  html`<svg class="mark" aria-hidden="true" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><circle cx="8" cy="12" r="4.5"/><path d="M12.5 12H22m-4 0v4"/></svg>`

/** Signed-in user, as the navigation shows them. */
export interface NavigatingUser {
  readonly csrf: string
  readonly name: string
  readonly mayReview: boolean
  readonly isAdmin: boolean
  /** True of an administrator of a server that keeps the accounts of its users. */
  readonly managesUsers: boolean
  /** Path of the page without its query, whose item in the navigation is marked. */
  readonly path: string
}

export const navigation = ({ csrf, isAdmin, managesUsers, mayReview, name, path }: NavigatingUser): Html =>
  html`<ul>
${item("/settings/apps", text("frame.myApps"), path)}
${item("/connections", text("frame.connections"), path)}
${item("/playground", text("frame.playground"), path)}
${mayReview ? item("/review", text("frame.review"), path) : nothing}
${managesUsers ? item("/users", text("frame.users"), path) : nothing}
${isAdmin ? item("/resources", text("frame.resources"), path) : nothing}
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
