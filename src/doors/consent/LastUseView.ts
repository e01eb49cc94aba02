import type { LastUse } from "../../core/consent/ConnectionUse.ts"
import { accessTokenLifetime } from "../../core/keys/AccessTokenLifetime.ts"
import type { Coverage } from "../../core/usage/Use.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { agoText, dateText, durationText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { coverageText } from "../parts/UseText.ts"

// When an app was last used: by its last call, or where calls may have been missed, by the tokens that it got.

/** How long ago, for a line that has no room for more. */
export const lastUseAgo = ({ at, by }: LastUse): Html =>
  at === null
    ? neverText(by)
    : by === "calls"
    ? agoText(at)
    : html`<span>${text("connections.lastUsed.tokens", { ago: agoText(at) })}</span>`

/** The instant, in a cell under the word for it. */
export const lastUseDate = ({ at, by }: LastUse, reader: TimePreferences): Html =>
  at === null
    ? neverText(by)
    : html`${dateText(at, reader)}${
      by === "calls" ? nothing : html` <small class="muted">${text("connections.lastUsed.byTokens")}</small>`
    }`

/** What a page with these times and numbers cannot tell. */
export const unseenText = (coverage: Coverage, shown: ReadonlyArray<LastUse>, reader: TimePreferences): Html =>
  html`<p class="muted">${coverageText(coverage, reader)}${
    shown.some(({ at, by }) => by === "tokens" && at !== null)
      ? html` ${text("connections.lastUsed.accuracy", { duration: durationText(accessTokenLifetime) })}`
      : nothing
  }</p>`

const neverText = (by: LastUse["by"]): Html =>
  text(by === "calls" ? "connections.lastUsed.noCall" : "connections.lastUsed.never")
