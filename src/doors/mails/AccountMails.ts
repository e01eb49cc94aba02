import { type DateTime, Redacted } from "effect"
import type { Role } from "../../core/accounts/people/Account.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { forReader, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { button, fact, facts, link, type Mail, paragraph } from "./Mail.ts"
import { type Act, actFacts, type Actor, actorFact, nameOf, type Place } from "./MailParts.ts"

// Mails about local accounts. The address with a token stands in its link alone.

export const passwordReset = ({ authUrl }: Place, address: Redacted.Redacted, act: Act): Mail => ({
  subject: text("mail.passwordReset.subject"),
  blocks: [
    paragraph(text("mail.passwordReset.what", { host: hostOf(authUrl) })),
    button(text("mail.passwordReset.button"), Redacted.value(address)),
    paragraph(text("mail.passwordReset.notYou")),
    facts(...actFacts(act))
  ]
})

interface Invited {
  /** Name of who invites; `undefined` is an operator. */
  readonly inviter: string | undefined
  readonly role: Role
  readonly expiresAt: DateTime.Utc
}

export const invitation = (
  { authUrl }: Place,
  address: Redacted.Redacted,
  { expiresAt, inviter, role }: Invited
): Mail => {
  const host = hostOf(authUrl)
  return {
    subject: text("mail.invitation.subject", { host }),
    blocks: [
      paragraph(
        inviter === undefined
          ? text("mail.invitation.byOperator", { host, role })
          : text("mail.invitation.what", { inviter: nameOf(inviter), host, role })
      ),
      button(text("mail.invitation.button"), Redacted.value(address)),
      facts(fact(text("mail.invitation.until"), dateText(expiresAt, { timeZone: "UTC", timeFormat: 24 }))),
      paragraph(text("mail.invitation.unknown"))
    ]
  }
}

export const confirmAddress = ({ authUrl }: Place, address: Redacted.Redacted): Mail => ({
  subject: text("mail.confirmAddress.subject"),
  blocks: [
    paragraph(text("mail.confirmAddress.what", { host: hostOf(authUrl) })),
    button(text("mail.confirmAddress.button"), Redacted.value(address)),
    paragraph(text("mail.confirmAddress.notYou"))
  ]
})

/** In place of the confirmation where another account has the address: its owner learns it, and who asked does not. */
export const addressInUse = (place: Place): Mail => ({
  subject: text("mail.addressInUse.subject"),
  blocks: [
    paragraph(text("mail.addressInUse.what", { host: hostOf(place.authUrl) })),
    paragraph(text("mail.addressInUse.remedy")),
    link(text("mail.forgotten"), forgotten(place))
  ]
})

interface AddressChange extends Act {
  readonly email: string
  readonly wanted: string
}

/** To the old address, which its owner may still read when somebody else has the account. */
export const addressWillChange = (place: Place, { email, wanted, ...act }: AddressChange): Mail => ({
  subject: text("mail.addressChange.subject"),
  blocks: [
    paragraph(text("mail.addressChange.what", { host: hostOf(place.authUrl) })),
    facts(
      fact(text("mail.addressChange.old"), html`<bdi>${email}</bdi>`),
      fact(text("mail.addressChange.new"), html`<bdi>${wanted}</bdi>`),
      ...actFacts(act)
    ),
    paragraph(text("mail.addressChange.you")),
    paragraph(text("mail.addressChange.notYou")),
    button(text("mail.anotherPassword"), forgotten(place)),
    paragraph(
      forReader(({ brand: { support } }) =>
        support === undefined ? text("mail.addressChange.late") : text("mail.addressChange.lateSupport", { support })
      )
    )
  ]
})

interface DoneBySomebody extends Act {
  readonly by: Actor
}

export const passwordChanged = (place: Place, { by, ...act }: DoneBySomebody): Mail => ({
  subject: text("mail.passwordChanged.subject"),
  blocks: [
    paragraph(text("mail.passwordChanged.what", { host: hostOf(place.authUrl) })),
    facts(actorFact(by), ...actFacts(act)),
    paragraph(by._tag === "Recipient" ? text("mail.passwordChanged.notYou") : text("mail.passwordChanged.byOther")),
    button(text("mail.anotherPassword"), forgotten(place)),
    link(text("mail.yourApiKeys"), `${place.authUrl}/account`),
    link(text("mail.yourApps"), `${place.authUrl}/connections`)
  ]
})

export const accountClosed = ({ authUrl }: Place, act: Act): Mail => ({
  subject: text("mail.accountClosed.subject"),
  blocks: [
    paragraph(text("mail.accountClosed.what", { host: hostOf(authUrl) })),
    facts(...actFacts(act)),
    paragraph(text("mail.accountClosed.gone")),
    paragraph(text("mail.accountClosed.notYou"))
  ]
})

const forgotten = ({ authUrl }: Place) => `${authUrl}/forgotten-password`

const hostOf = (authUrl: string) => new URL(authUrl).host
