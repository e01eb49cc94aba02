import { DateTime } from "effect"
import { type Html, html } from "./Html.ts"

/** A moment as its reader's calendar has it: "21 November 2026". */
export const day = (at: DateTime.Utc, timeZone: string): Html =>
  html`<time datetime="${DateTime.formatIso(at)}">${
    new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone }).format(DateTime.toDateUtc(at))
  }</time>`
