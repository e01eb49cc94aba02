import { type Html, html, type Phrase } from "../../foundation/web/Html.ts"

export const logoPath = (digest: string): string => `/logos/${digest}`

/** Picture of an app among facts about it; `alt` tells what it is. */
export const logoImage = (digest: string, alt: Phrase): Html =>
  html`<img class="logo" src="${logoPath(digest)}" alt="${alt}" width="48" height="48">`
