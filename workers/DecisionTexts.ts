import type { Client } from "../src/core/clients/records/Client.ts"
import { inQuotes } from "../src/domain/Text.ts"
import type { Change, OwnerEvent } from "../src/foundation/jobs/kinds/ReviewNotice.ts"
import type { MailText } from "../src/foundation/mail/MailText.ts"
import { changeLines, markLines } from "./ReviewMailParts.ts"

/** A decision on an app, as the mail to its owner tells it. */
export interface Decision {
  readonly event: OwnerEvent
  readonly client: Client
  /** Time of the decision, as the owner reads it. */
  readonly at: string
  readonly reason: string | null
  readonly changes: ReadonlyArray<Change>
  /** Address of the app's page. */
  readonly settings: string
}

export const decisionText = (decision: Decision): MailText =>
  texts[decision.event](inQuotes(decision.client.name), decision)

type Write = (name: string, decision: Decision) => MailText

const verdict = (
  subject: (name: string) => string,
  line: (name: string, at: string) => string,
  facts: (decision: Decision) => ReadonlyArray<string> = () => []
): Write =>
(name, decision) => {
  const { at, reason, settings } = decision
  const told = facts(decision)
  return {
    subject: subject(name),
    lines: [
      line(name, at),
      ...(told.length === 0 ? [] : [told.join("\n")]),
      ...(reason === null || reason === "" ? [] : [`The reason given:\n${markLines(reason)}`]),
      `The app's page: ${settings}`
    ]
  }
}

const scopes = ({ client }: Decision) =>
  client.scopes.length === 0 ? [] : [`Scopes that it may ask for: ${client.scopes.join(", ")}`]
const changed = ({ changes }: Decision) => changeLines(changes)

const texts: Readonly<Record<OwnerEvent, Write>> = {
  "approved": verdict(
    (name) => `${name} was approved`,
    (name, at) => `Your app ${name} was approved on ${at}: it may be used now.`,
    scopes
  ),
  "rejected": verdict(
    (name) => `${name} was not approved`,
    (name, at) => `Your app ${name} was not approved on ${at}. You can edit it and submit it again.`
  ),
  "change-approved": verdict(
    (name) => `The change of ${name} was approved`,
    (name, at) => `The change of your app ${name} was approved on ${at} and is in effect.`,
    changed
  ),
  "change-rejected": verdict(
    (name) => `The change of ${name} was not approved`,
    (name, at) => `The change of your app ${name} was not approved on ${at}. The version from before goes on serving.`,
    changed
  ),
  "rejection-undone": verdict(
    (name) => `The rejection of ${name} was taken back`,
    (name, at) =>
      `The rejection of your app ${name} was taken back on ${at}: it waits for review again, and you need not do anything.`
  ),
  "change-rejection-undone": verdict(
    (name) => `The rejection of the change of ${name} was taken back`,
    (name, at) =>
      `The rejection of the change of your app ${name} was taken back on ${at}: the change waits for review again, and ` +
      "you need not do anything.",
    changed
  ),
  "suspended": verdict(
    (name) => `${name} was suspended`,
    (name, at) =>
      `Your app ${name} was suspended on ${at}: it can neither be authorized nor use the tokens that it has.`
  ),
  "resumed": verdict(
    (name) => `${name} may be used again`,
    (name, at) => `The suspension of your app ${name} ended on ${at}.`
  )
}
