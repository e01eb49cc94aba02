import { type Html, html } from "./Html.ts"

/**
 * A text without spaces in a narrow place, such as an address: it breaks before its signs, not within a word, and keeps
 * the order of its parts on a page that runs from right to left.
 */
export const breakable = (text: string): Html =>
  html`<bdi>${text.split(beforeSigns).map((part, index) => index === 0 ? html`${part}` : html`<wbr>${part}`)}</bdi>`

/** Both slashes of `https://` stay with the scheme. */
const beforeSigns = /(?<=[^/])(?=[@._?&=/])(?!\/\/)/u
