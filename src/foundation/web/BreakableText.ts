import { type Html, html } from "./Html.ts"

/** A text without spaces in a narrow place, such as an address: it breaks before its signs, not within a word. */
export const breakable = (text: string): Html =>
  html`${text.split(beforeSigns).map((part, index) => index === 0 ? html`${part}` : html`<wbr>${part}`)}`

/** Both slashes of `https://` stay with the scheme. */
const beforeSigns = /(?<=[^/])(?=[@._?&=/])(?!\/\/)/u
