import type { Client } from "../src/core/clients/Client.ts"
import type { ReviewEvent } from "../src/foundation/jobs/kinds/ReviewNotice.ts"

/** The content of a mail, which follows the greeting. */
export interface MailText {
  readonly subject: string
  readonly lines: ReadonlyArray<string>
}

/** The addresses of the pages that mails link to. */
export interface Links {
  readonly review: string
  readonly settings: string
}

/** The recipients of an event's mail. */
export const audience = (event: ReviewEvent): "administrators" | "owner" => texts[event].to

export const mailText = (event: ReviewEvent, client: Client, reason: string | null, links: Links): MailText =>
  texts[event].write(inQuotes(client.name), client, reason, links)

interface Entry {
  readonly to: "administrators" | "owner"
  readonly write: (name: string, client: Client, reason: string | null, links: Links) => MailText
}

const review = (subject: (name: string) => string, line: (name: string) => string): Entry => ({
  to: "administrators",
  write: (name, client, _, links) => ({
    subject: subject(name),
    lines: [
      line(name),
      `Website: ${client.website}\nPurpose:\n${markLines(client.purpose)}`,
      `Decide here: ${links.review}`
    ]
  })
})

const verdict = (subject: (name: string) => string, line: (name: string) => string): Entry => ({
  to: "owner",
  write: (name, _, reason, links) => ({
    subject: subject(name),
    lines: [
      line(name),
      ...(reason === null || reason === "" ? [] : [`The reason given:\n${markLines(reason)}`]),
      `The app's settings: ${links.settings}`
    ]
  })
})

// Each line that somebody else wrote is marked, so that it cannot pass for our own words.
const markLines = (words: string): string =>
  words.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`).join("\n")

// A name that a developer chose stands in quotation marks, for the same reason.
const inQuotes = (name: string): string => `\u201c${name}\u201d`

const texts: Readonly<Record<ReviewEvent, Entry>> = {
  "submitted": review(
    (name) => `${name} waits for review`,
    (name) => `The new app ${name} was registered and cannot be used before somebody has reviewed it.`
  ),
  "resubmitted": review(
    (name) => `${name} was submitted again`,
    (name) => `The app ${name} was rejected before; its owner has edited it and asks for another review.`
  ),
  "changed": review(
    (name) => `A change of ${name} waits for review`,
    (name) => `The owner of ${name} asks for a change. The approved version serves until you have decided.`
  ),
  "waiting": review(
    (name) => `${name} still waits for review`,
    (name) => `Nobody has decided on the app ${name} yet.`
  ),
  "approved": verdict(
    (name) => `${name} was approved`,
    (name) => `Your app ${name} was approved: it may be used now.`
  ),
  "rejected": verdict(
    (name) => `${name} was rejected`,
    (name) => `Your app ${name} was not approved. You may edit it and submit it again.`
  ),
  "change-approved": verdict(
    (name) => `The change of ${name} was approved`,
    (name) => `The change of your app ${name} was approved and is in effect.`
  ),
  "change-rejected": verdict(
    (name) => `The change of ${name} was rejected`,
    (name) => `The change of your app ${name} was not approved. The version from before goes on serving.`
  ),
  "suspended": verdict(
    (name) => `${name} was suspended`,
    (name) => `Your app ${name} was suspended: it can neither be authorized nor use the tokens that it has.`
  ),
  "resumed": verdict(
    (name) => `${name} may be used again`,
    (name) => `The suspension of your app ${name} has ended.`
  ),
  "migration": {
    to: "owner",
    write: (name, _, reason, links) => ({
      subject: `Please move ${name} to scopes`,
      lines: [
        `Your app ${name} is from before scopes: its tokens reach all that their users may reach.`,
        ...(reason === null ? [] : [`Where it stands: ${reason}.`]),
        "First add scope to the authorization URL of the app, with the scopes that it needs. When no request without scope has come for a while, save the same scopes. Tokens that were issued before keep working until their user authorizes the app again.",
        `See how far it is, and save its scopes: ${links.settings}/migration`
      ]
    })
  }
}
