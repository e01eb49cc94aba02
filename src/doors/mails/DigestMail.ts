import type { DateTime, Duration } from "effect"
import type { TimePreferences } from "../../domain/InstantText.ts"
import type { Change, WaitingEvent } from "../../foundation/jobs/kinds/ReviewNotice.ts"
import { dateText, durationText } from "../../foundation/web/DateText.ts"
import { html } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import { fieldLabels } from "../parts/FieldLabels.ts"
import { changeFacts } from "./ChangeFacts.ts"
import { type Block, button, fact, facts, heading, link, list, type Mail, paragraph, quote } from "./Mail.ts"
import { appName, nameOf, type Place } from "./MailParts.ts"

/** An app that came up for review. */
export interface WaitingApp {
  readonly id: string
  readonly name: string
  readonly website: string
  readonly redirectUris: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<string>
  readonly purpose: string
  readonly event: WaitingEvent
  /** `undefined` if the account is gone. */
  readonly owner: { readonly name: string; readonly email: string } | undefined
  /** Of an app that nobody registered: the host at which it describes itself, and why people want it. */
  readonly byItself?: ByItself | undefined
  readonly since: DateTime.Utc
  /** Change that waits; of a new app nothing. */
  readonly changes: ReadonlyArray<Change>
}

interface ByItself {
  /** `undefined` if it registered by itself instead. */
  readonly host: string | undefined
  /** Reason of the person who waits the longest, and how many wait. */
  readonly reason: string | undefined
  readonly waiting: number
}

interface Digest {
  readonly apps: ReadonlyArray<WaitingApp>
  /** Number of apps, with those that the mail does not name. */
  readonly total: number
  /** Shortest time between two such mails. */
  readonly interval: Duration.Duration
  readonly reader: TimePreferences
}

/** Tells a reviewer what came up for review. */
export const digestMail = ({ authUrl }: Place, { apps, interval, reader, total }: Digest): Mail => {
  const [first] = apps
  return {
    subject: first !== undefined && total === 1
      ? text(`mail.digest.${first.event}.subject`, { app: appName(first) })
      : text("mail.digest.subject", { total }),
    blocks: [
      paragraph(text("mail.digest.what", { total })),
      ...apps.flatMap((app) => about(app, authUrl, reader)),
      ...(total > apps.length ? [paragraph(text("mail.digest.more", { count: total - apps.length }))] : []),
      button(text("mail.digest.button"), `${authUrl}/review`),
      paragraph(text("mail.digest.interval", { interval: durationText(interval) }))
    ]
  }
}

const about = (app: WaitingApp, authUrl: string, reader: TimePreferences): ReadonlyArray<Block> => {
  const { byItself, changes, event, id, purpose, redirectUris, scopes, since, website } = app
  const owned = fact(text("mail.digest.owner"), ownerOf(app))
  const waiting = fact(text("mail.digest.since"), dateText(since, reader))
  return [
    heading(
      byItself !== undefined && event === "changed"
        ? text("mail.digest.changed.byItself", { app: appName(app) })
        : text(`mail.digest.${event}.what`, { app: appName(app) })
    ),
    ...(changes.length > 0 ? [facts(owned, waiting, ...changeFacts(changes))] : [
      facts(
        owned,
        waiting,
        fact(fieldLabels.website, nameOf(website)),
        fact(fieldLabels.scopes, listText(scopes.map(nameOf)))
      ),
      ...list(text("mail.before", { label: fieldLabels.redirectUris }), redirectUris.map(nameOf)),
      ...(byItself === undefined ? quote(text("mail.digest.purpose"), purpose) : [])
    ]),
    ...(byItself?.reason === undefined
      ? []
      : quote(text("mail.digest.reasons", { count: byItself.waiting }), byItself.reason)),
    link(text("mail.digest.decide"), `${authUrl}/review/${encodeURIComponent(id)}`)
  ]
}

const ownerOf = ({ byItself, owner }: WaitingApp) => {
  if (byItself !== undefined) {
    return byItself.host === undefined
      ? text("mail.digest.owner.dynamic")
      : text("mail.digest.owner.document", { host: nameOf(byItself.host) })
  }
  return owner === undefined
    ? text("mail.digest.ownerGone")
    : text("mail.digest.ownerNamed", { name: nameOf(owner.name), email: html`<bdi>${owner.email}</bdi>` })
}
