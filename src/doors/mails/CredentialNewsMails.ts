import { type DateTime, Schema } from "effect"
import type { TimePreferences } from "../../domain/InstantText.ts"
import type { CredentialEvent } from "../../foundation/jobs/kinds/CredentialNotice.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { html } from "../../foundation/web/Html.ts"
import { type Message, text } from "../../foundation/web/Message.ts"
import { CredentialActEvent, endings, wayToCredential } from "./CredentialMails.ts"
import { fact, facts, type Mail, paragraph } from "./Mail.ts"
import { appIfKnown, type NamedApp, type Place, websiteFact } from "./MailParts.ts"

// Mails about what becomes of credentials by themselves: a date comes, or somebody finds them in public.

type CredentialNewsEvent = Exclude<CredentialEvent, typeof CredentialActEvent.Type>

/** Tells whether nobody's act is behind an event. */
export const isNews = (event: CredentialEvent): event is CredentialNewsEvent => !isAct(event)

const isAct: (event: CredentialEvent) => boolean = Schema.is(CredentialActEvent)

interface CredentialNews {
  readonly event: CredentialNewsEvent
  /** App of a secret or a token, and its id; `undefined` for an API key. */
  readonly app: { readonly id: string; readonly named: NamedApp } | undefined
  readonly lastFour: ReadonlyArray<string>
  readonly endsAt: DateTime.Utc | undefined
  /** Address as the finder wrote it: it is shown, and no link. */
  readonly foundAt: string | undefined
}

export const credentialNewsMail = (
  place: Place,
  { app, endsAt, event, foundAt, lastFour }: CredentialNews,
  reader: TimePreferences
): Mail => {
  const { remedy, subject, what } = wordsOf(event, app?.named)
  return {
    subject,
    blocks: [
      paragraph(what),
      facts(
        websiteFact(app?.named),
        endings(lastFour),
        endsAt && fact(text("mail.secretEnd"), dateText(endsAt, reader)),
        foundAt === undefined || foundAt === ""
          ? undefined
          : fact(text("mail.leak.foundAt"), html`<bdi>${foundAt}</bdi>`)
      ),
      ...(remedy === undefined ? [] : [paragraph(remedy)]),
      wayToCredential(place, app)
    ]
  }
}

interface Words {
  readonly subject: Message
  readonly what: Message
  readonly remedy?: Message
}

const wordsOf = (event: CredentialNewsEvent, named: NamedApp | undefined): Words => {
  const { app } = appIfKnown(named)
  switch (event) {
    case "secret.ending":
      return {
        subject: text("mail.secretEnding.subject", { app }),
        what: text("mail.secretEnding.what", { app }),
        remedy: text("mail.secretEnding.remedy")
      }
    case "secret.ended":
      return { subject: text("mail.secretEnded.subject", { app }), what: text("mail.secretEnded.what", { app }) }
    case "secret.overdue":
      return {
        subject: text("mail.secretOverdue.subject", { app }),
        what: text("mail.secretOverdue.what", { app }),
        remedy: text("mail.secretOverdue.remedy")
      }
    case "secret.leaked":
      return {
        subject: text("mail.secretLeaked.subject", { app }),
        what: text("mail.secretLeaked.what", { app }),
        remedy: text("mail.secretLeaked.remedy")
      }
    case "secret.replaced":
      return {
        subject: text("mail.secretLeaked.subject", { app }),
        what: text("mail.secretReplaced.what", { app }),
        remedy: text("mail.secretReplaced.remedy")
      }
    case "refresh_token.leaked":
      return {
        subject: text("mail.tokenLeaked.subject", { app }),
        what: text("mail.tokenLeaked.what", { app }),
        remedy: text("mail.tokenLeaked.remedy")
      }
    case "api_key.leaked":
      return {
        subject: text("mail.keyLeaked.subject"),
        what: text("mail.keyLeaked.what"),
        remedy: text("mail.keyLeaked.remedy")
      }
  }
}
