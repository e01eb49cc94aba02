import type { Duration } from "effect"
import type { ManagedClient } from "../src/core/clients/records/Client.ts"
import { inQuotes } from "../src/domain/Text.ts"
import type { Change, WaitingEvent } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import type { MailText } from "../src/foundation/mail/MailText.ts"
import { english } from "../src/foundation/messages/Languages.ts"
import { durationIn } from "../src/foundation/web/DateText.ts"
import { changeLines, markLines } from "./ReviewMailParts.ts"

/** An app that came up for review, as a digest tells it. */
export interface WaitingApp {
  readonly client: ManagedClient
  readonly event: WaitingEvent
  /** Name and address of its owner. */
  readonly owner: string
  /** Time since which it waits, as the reader of the mail reads it. */
  readonly since: string
  /** Change that waits; of a new app nothing. */
  readonly changes: ReadonlyArray<Change>
  /** Address of its page for reviewers. */
  readonly review: string
}

/** Mail to a reviewer about these apps. `total` counts those that it does not name, too. */
export const digestText = (
  apps: ReadonlyArray<WaitingApp>,
  total: number,
  { authUrl, interval }: { readonly authUrl: string; readonly interval: Duration.Duration }
): MailText => {
  const [first] = apps
  return {
    subject: first !== undefined && total === 1
      ? subjects[first.event](inQuotes(first.client.name))
      : `${total} apps wait for review`,
    lines: [
      ...apps.map(about),
      ...(total > apps.length ? [`And ${total - apps.length} more.`] : []),
      `All that waits: ${authUrl}/review`,
      `This mail comes at most once in ${durationIn(english, interval)}, and without what was decided meanwhile.`
    ]
  }
}

const about = (app: WaitingApp): string => {
  const { changes, client, event, owner, review, since } = app
  return [
    headlines[event](inQuotes(client.name)),
    `Owner: ${owner}`,
    `Waiting since: ${since}`,
    ...(changes.length > 0 ? changeLines(changes) : [
      `Website: ${client.website}`,
      `Redirect URIs: ${client.redirectUris.join(", ")}`,
      `Scopes: ${client.scopes.join(", ")}`,
      `Purpose:\n${markLines(client.purpose)}`
    ]),
    `Decide here: ${review}`
  ].join("\n")
}

type Words = Readonly<Record<WaitingEvent, (name: string) => string>>

const subjects: Words = {
  "submitted": (name) => `${name} waits for review`,
  "resubmitted": (name) => `${name} was submitted again`,
  "changed": (name) => `A change of ${name} waits for review`,
  "waiting": (name) => `${name} still waits for review`
}

const headlines: Words = {
  "submitted": (name) => `The new app ${name} cannot be used before somebody has reviewed it.`,
  "resubmitted": (name) => `The app ${name} was rejected before; its owner asks for another review.`,
  "changed": (name) => `The owner of ${name} asks for a change. The approved version serves until you have decided.`,
  "waiting": (name) => `Nobody has decided on ${name} yet.`
}
