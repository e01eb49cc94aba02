import type { DateTime } from "effect"
import type { TimePreferences } from "../../domain/InstantText.ts"
import type { Device } from "../../foundation/jobs/Device.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { browserName } from "../account/BrowserName.ts"
import { type Fact, fact } from "./Mail.ts"

/** Something that was done, as mails tell it. */
export interface Act {
  readonly at: DateTime.Utc
  /** Recipient of the mail, as times are written for them. */
  readonly reader: TimePreferences
  /** Where it was done, if its mail may say so. */
  readonly device: Device | undefined
}

/** An app as mails name it. */
export interface NamedApp {
  readonly name: string
  readonly website: string
}

/** Base address of the pages to which mails lead. */
export interface Place {
  readonly authUrl: string
}

/** Name of an app, marked so that it cannot pass for our own words. */
export const appName = (app: Pick<NamedApp, "name">): Phrase => text("mail.app", { name: nameOf(app.name) })

/** Same of an app that may be deleted, about which a sentence says something else. */
export const appIfKnown = (app: NamedApp | undefined) =>
  app === undefined ? { app: "", isKnown: "no" } : { app: appName(app), isKnown: "yes" }

export const nameOf = (name: string): Html => html`<bdi>${name}</bdi>`

/** The site of an app, by which people tell two of one name apart. */
export const websiteFact = (app: NamedApp | undefined): Fact | undefined =>
  app !== undefined && URL.canParse(app.website)
    ? fact(text("mail.website"), html`<bdi>${new URL(app.website).host}</bdi>`)
    : undefined

/** When something was done, and with what device. */
export const actFacts = ({ at, device, reader }: Act): ReadonlyArray<Fact | undefined> => [
  fact(text("mail.when"), dateText(at, reader)),
  device === undefined || device.browser === null
    ? undefined
    : fact(text("mail.browser"), browserName(device.browser)),
  device === undefined || device.address === null
    ? undefined
    : fact(text("mail.address"), html`<bdi>${device.address}</bdi>`)
]

/** Somebody who changed what is the recipient's. */
export type Actor =
  | { readonly _tag: "Recipient" }
  | { readonly _tag: "Operator" }
  | { readonly _tag: "Other"; readonly name: string }

export const actorFact = (by: Actor): Fact =>
  fact(
    text("mail.who"),
    by._tag === "Recipient"
      ? text("mail.yourAccount")
      : by._tag === "Operator"
      ? text("mail.operator")
      : text("mail.administrator", { name: nameOf(by.name) })
  )

export const appAddress = ({ authUrl }: Place, id: string): string =>
  `${authUrl}/settings/apps/${encodeURIComponent(id)}`
