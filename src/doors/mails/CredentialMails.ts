import { type DateTime, Schema } from "effect"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { html, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { type Message, text } from "../../foundation/web/Message.ts"
import { button, fact, facts, list, type Mail, paragraph } from "./Mail.ts"
import {
  type Act,
  actFacts,
  type Actor,
  actorFact,
  appAddress,
  appIfKnown,
  type NamedApp,
  nameOf,
  type Place,
  websiteFact
} from "./MailParts.ts"

// Mails about client secrets and API keys, of which no more than the last four characters are known.

/** Events that somebody's act is behind. */
export const CredentialActEvent = Schema.Literals([
  "secret.generated",
  "secret.revoked",
  "secret.revealed",
  "api_key.created",
  "api_key.revoked"
])
type CredentialActEvent = typeof CredentialActEvent.Type

interface CredentialAct extends Act {
  readonly event: CredentialActEvent
  /** App of a secret, and its id; `undefined` for an API key. */
  readonly app: { readonly id: string; readonly named: NamedApp | undefined } | undefined
  readonly lastFour: ReadonlyArray<string>
  readonly by: Actor
}

export const credentialMail = (place: Place, { app, by, event, lastFour, ...act }: CredentialAct): Mail => {
  const { remedy, subject, what } = wordsOf(event, app?.named, lastFour.length)
  return {
    subject,
    blocks: [
      paragraph(what),
      facts(
        websiteFact(app?.named),
        endings(lastFour),
        actorFact(by),
        ...actFacts(act)
      ),
      paragraph(by._tag === "Recipient" ? remedy : text("mail.askOperator")),
      wayToCredential(place, app)
    ]
  }
}

/** By what readers know credentials again. */
export const endings = (lastFour: ReadonlyArray<string>) => fact(text("mail.endsIn"), listText(lastFour.map(ending)))

/** Button to the page on which the credentials of an app are, or one's API keys. */
export const wayToCredential = (place: Place, app: { readonly id: string } | undefined) =>
  app === undefined
    ? button(text("mail.yourApiKeys"), `${place.authUrl}/account`)
    : button(text("mail.yourApp"), `${appAddress(place, app.id)}/credentials`)

interface Words {
  readonly subject: Message
  readonly what: Message
  /** Next step of an owner who did not do it. */
  readonly remedy: Message
}

const wordsOf = (event: CredentialActEvent, named: NamedApp | undefined, count: number): Words => {
  const { app, isKnown } = appIfKnown(named)
  switch (event) {
    case "secret.generated":
      return {
        subject: text("mail.secretMade.subject", { app, isKnown }),
        what: text("mail.secretMade.what", { app, isKnown }),
        remedy: text("mail.credentialMade.notYou")
      }
    case "secret.revoked":
      return {
        subject: text("mail.secretRevoked.subject", { app, count, isKnown }),
        what: text("mail.secretRevoked.what", { app, count, isKnown }),
        remedy: text("mail.credentialRevoked.notYou")
      }
    case "secret.revealed":
      return {
        subject: text("mail.secretShown.subject", { app, isKnown }),
        what: text("mail.secretShown.what", { app, isKnown }),
        remedy: text("mail.secretShown.notYou")
      }
    case "api_key.created":
      return {
        subject: text("mail.keyMade.subject"),
        what: text("mail.keyMade.what"),
        remedy: text("mail.credentialMade.notYou")
      }
    case "api_key.revoked":
      return {
        subject: text("mail.keyRevoked.subject", { count }),
        what: text("mail.keyRevoked.what", { count }),
        remedy: text("mail.credentialRevoked.notYou")
      }
  }
}

/** Last characters of a credential; of one that another server has made, only its digest may be known. */
const ending = (lastFour: string): Phrase =>
  lastFour === "" ? text("mail.endsUnknown") : html`<bdi>\u2026${lastFour}</bdi>`

interface EndingKey {
  readonly name: string
  readonly lastFour: string
  readonly expiresAt: DateTime.Utc
}

export const keysEnd = ({ authUrl }: Place, keys: ReadonlyArray<EndingKey>, reader: TimePreferences): Mail => ({
  subject: text("mail.keysEnd.subject", { count: keys.length }),
  blocks: [
    paragraph(text("mail.keysEnd.what", { count: keys.length })),
    ...list(
      text("mail.keysEnd.which"),
      keys.map(({ expiresAt, lastFour, name }) =>
        text("mail.keysEnd.key", { name: nameOf(name), lastFour, at: dateText(expiresAt, reader) })
      )
    ),
    paragraph(text("mail.keysEnd.remedy")),
    button(text("mail.yourApiKeys"), `${authUrl}/account`)
  ]
})
