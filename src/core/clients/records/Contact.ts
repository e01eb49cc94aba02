import { Schema } from "effect"
import { isMailAddress } from "../../../domain/Mailbox.ts"
import { Line, SecureAddress } from "../../../domain/Text.ts"

/**
 * Where users reach the people behind an app (`contacts` of RFC 7591 §2): a mail address, or the page of a form. An
 * address of either kind stands in a link of ours, so a mail address has nothing that a `mailto:` link would read as
 * more than the address (RFC 6068 §2).
 */
export const Contact = Schema.Trim.check(
  Schema.makeFilter((text) =>
    isSecureAddress(text) || (isLine(text) && isMailAddress(text) && !/[?&#%"\\]/.test(text)) ||
    "must be an e-mail address or an https address"
  )
)

/** Link to such a contact. */
export const contactHref = (contact: string): string => isMailAddress(contact) ? `mailto:${contact}` : contact

const isSecureAddress = Schema.is(SecureAddress)
const isLine = Schema.is(Line(1, 254))
