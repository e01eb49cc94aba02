import type { DateTime } from "effect"
import { givenAt, type Grant } from "../../core/grants/Grant.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { html, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { browserName } from "../account/BrowserName.ts"

/** A grant, named by the browser and the place of its consent. */
export const deviceName = ({ browser, imported, place }: Grant): Phrase => {
  if (imported !== null) return text("connections.device.imported")
  const named = browserName(browser)
  return place === null ? named : text("connections.device.at", { browser: named, place: html`<bdi>${place}</bdi>` })
}

/** When access was given, here or on the server before. */
export const givenText = (
  since: DateTime.Utc | null,
  isImported: boolean,
  reader: TimePreferences
): Phrase => {
  if (since === null) return text("connections.since.unknown")
  const at = dateText(since, reader)
  return isImported ? text("connections.since.imported", { at }) : at
}

/** Same of one grant. */
export const deviceGivenText = (device: Grant, reader: TimePreferences): Phrase =>
  givenText(givenAt(device), device.imported !== null, reader)
