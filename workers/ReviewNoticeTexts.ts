import type { Client } from "../src/core/clients/Client.ts"
import type { ReviewEvent } from "../src/foundation/jobs/kinds/ReviewNotice.ts"

/** What a mail says; the recipient's greeting goes before it. */
export interface Text {
  readonly subject: string
  readonly lines: ReadonlyArray<string>
}

/** The addresses of the pages that mails point to. */
export interface Places {
  readonly review: string
  readonly settings: string
}

/** Who is told of an event. */
export const audience = (event: ReviewEvent): "administrators" | "owner" => texts[event].to

export const text = (event: ReviewEvent, client: Client, reason: string | null, places: Places): Text =>
  texts[event].write(quote(client.name), client, reason, places)

interface Entry {
  readonly to: "administrators" | "owner"
  readonly write: (name: string, client: Client, reason: string | null, places: Places) => Text
}

const review = (subject: (name: string) => string, line: (name: string) => string): Entry => ({
  to: "administrators",
  write: (name, client, _, places) => ({
    subject: subject(name),
    lines: [
      line(name),
      `Website: ${client.website}\nPurpose:\n${quoted(client.purpose)}`,
      `Decide here: ${places.review}`
    ]
  })
})

const verdict = (subject: (name: string) => string, line: (name: string) => string): Entry => ({
  to: "owner",
  write: (name, _, reason, places) => ({
    subject: subject(name),
    lines: [
      line(name),
      ...(reason === null || reason === "" ? [] : [`The reason given:\n${quoted(reason)}`]),
      `The app's settings: ${places.settings}`
    ]
  })
})

// What others typed stands behind a mark on each line, so that it cannot pass for our own words.
const quoted = (words: string): string => words.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`).join("\n")

// What a developer typed stands in quotation marks, so that it cannot pass for our own words.
const quote = (name: string): string => `\u201c${name}\u201d`

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
    write: (name, _, reason, places) => ({
      subject: `Please move ${name} to scopes`,
      lines: [
        `Your app ${name} is from before scopes: its tokens reach all that their users may reach.`,
        ...(reason === null ? [] : [`Where it stands: ${reason}.`]),
        "First add scope to the authorization URL of the app, with the scopes that it needs. When no request without scope has come for a while, save the same scopes. Tokens that were issued before keep working until their user authorizes the app again.",
        `See how far it is, and save its scopes: ${places.settings}/migration`
      ]
    })
  }
}
