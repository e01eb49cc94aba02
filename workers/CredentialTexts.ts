import type { CredentialEvent } from "../src/foundation/jobs/kinds/CredentialNotice.ts"
import type { MailText } from "../src/foundation/mail/MailText.ts"

/** Events of credentials, as the mail to their owner tells them. */
interface CredentialFacts {
  readonly event: CredentialEvent
  /** App of a secret. */
  readonly app: string
  readonly lastFour: ReadonlyArray<string>
  /** True if the owner's own account did it, and no operator. */
  readonly isOwn: boolean
  readonly at: string
  /** Address of the page that lists the credentials. */
  readonly page: string
}

export const credentialText = (facts: CredentialFacts): MailText => {
  const { at, isOwn, page } = facts
  const { alarm, subject, what } = texts[facts.event](facts)
  return {
    subject,
    lines: [
      `${what} on ${at} by ${isOwn ? "your account" : "an operator of this server"}.`,
      isOwn ? `If that was not you, ${alarm}` : "Ask the operator if you did not expect that.",
      `See what there is: ${page}`
    ]
  }
}

type Write = (facts: CredentialFacts) => { readonly subject: string; readonly what: string; readonly alarm: string }

const elsewhere = "change your password and revoke the API keys that you do not know: somebody else acts as you."

const texts: Readonly<Record<CredentialEvent, Write>> = {
  "secret.generated": ({ app, lastFour }) => ({
    subject: `${app} has a new secret`,
    what: `A secret of your app ${app}, ${endsIn(lastFour)}, was made`,
    alarm: `revoke it, ${elsewhere}`
  }),
  "secret.revoked": ({ app, lastFour }) => ({
    subject: `${lastFour.length === 1 ? "A secret" : "All secrets"} of ${app} ${were(lastFour)} revoked`,
    what: `${lastFour.length === 1 ? "A secret" : "All secrets"} of your app ${app}, ${endsIn(lastFour)}, ${
      were(lastFour)
    } revoked`,
    alarm: elsewhere
  }),
  "api_key.created": ({ lastFour }) => ({
    subject: "Your account has a new API key",
    what: `An API key that acts as you, ${endsIn(lastFour)}, was made`,
    alarm: `revoke it, ${elsewhere}`
  }),
  "api_key.revoked": ({ lastFour }) => ({
    subject: lastFour.length === 1 ? "An API key of your account was revoked" : "Your API keys were revoked",
    what: `${lastFour.length === 1 ? "The API key" : "The API keys"} of your account, ${endsIn(lastFour)}, ${
      were(lastFour)
    } revoked`,
    alarm: elsewhere
  })
}

const were = ({ length }: ReadonlyArray<string>): string => length === 1 ? "was" : "were"

const endsIn = (lastFour: ReadonlyArray<string>): string =>
  `ending in ${lastFour.map((end) => end === "" ? "characters that are not known here" : `\u2026${end}`).join(" and ")}`
