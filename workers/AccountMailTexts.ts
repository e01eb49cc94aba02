import { Redacted } from "effect"
import type { MailedLink } from "../src/core/accounts/local/MailedLink.ts"
import type { Account, Role } from "../src/core/accounts/people/Account.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { inQuotes } from "../src/domain/Text.ts"
import type { MailText } from "../src/foundation/mail/MailText.ts"

/** Server as mails name it. */
interface Server {
  readonly authUrl: string
  readonly host: string
}

export const passwordReset = ({ host }: Server, url: Redacted.Redacted, at: string): MailText => ({
  subject: "Choose a new password",
  lines: [
    `On ${at} somebody asked for a new password for your account at ${host}. To choose one, open this link within an hour:`,
    Redacted.value(url),
    "If that was not you, do nothing: your password stays as it is, and nobody can change it without this mail."
  ]
})

export const invitation = (
  { host }: Server,
  url: Redacted.Redacted,
  { expiresAt, role }: MailedLink,
  inviter: Account | null
): MailText => ({
  subject: `You are invited to ${host}`,
  lines: [
    `${
      inviter === null ? "The operator of this server" : inQuotes(inviter.name)
    } invites you to make an account at ${host}${
      roles[role ?? "user"]
    }. To choose a name and a password, open this link by ${
      instantText(expiresAt, { timeZone: "UTC", timeFormat: 24 })
    }:`,
    Redacted.value(url),
    "If you do not know what this is about, do nothing: without you there will be no account."
  ]
})

export const confirmAddress = ({ host }: Server, url: Redacted.Redacted): MailText => ({
  subject: "Confirm your new e-mail address",
  lines: [
    `Somebody with an account at ${host} wants to use this address for it. If that was you, open this link within an hour:`,
    Redacted.value(url),
    "If it was not you, do nothing: the account keeps the address that it has."
  ]
})

/** In place of the confirmation where another account has the address: its owner learns it, and who asked does not. */
export const addressInUse = ({ authUrl, host }: Server): MailText => ({
  subject: "You have an account with this address",
  lines: [
    `Somebody with an account at ${host} wanted to use this address for it. Your own account there has it already, so ` +
    "nothing was changed.",
    `If that was you, sign in with this address. If you have forgotten the password: ${authUrl}/forgotten-password`
  ]
})

/** To the old address, which its owner may still read when somebody else has the account. */
export const addressWillChange = (
  { authUrl, host }: Server,
  { email, wanted }: { readonly email: string; readonly wanted: string },
  at: string,
  support: string
): MailText => ({
  subject: "The e-mail address of your account is about to change",
  lines: [
    `On ${at} your account at ${host} asked to have the address ${wanted} in place of ${email}. It changes as soon as ` +
    "the link in the mail to the new address is opened. If that was you, you need not do anything here.",
    `If it was not you, somebody knows your password. Choose another one now, which stops the change: ${authUrl}/forgotten-password`,
    `If the address has changed already, write to ${support} and name both addresses: they can give your account the old ` +
    "one back."
  ]
})

const roles: Readonly<Record<Role, string>> = { admin: ", as an administrator", reviewer: ", as a reviewer", user: "" }
