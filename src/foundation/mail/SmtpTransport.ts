import { Redacted } from "effect"

/** Mail server of `SMTP_URL`, and how we come there. */
export interface MailServer {
  readonly url: Redacted.Redacted
  readonly timeoutMillis: number
  /** Our own address, by whose host we introduce ourselves. */
  readonly baseUrl: string
}

/** Way to the mail server. The library is loaded with the first mail: most processes send none for a while. */
export const make = async (server: MailServer) => {
  const { createTransport } = await import("nodemailer")
  return createTransport(optionsOf(server))
}

/**
 * Options for a mail server. The limits are those of single steps, so that none of the library's own is shorter; the
 * caller limits the whole.
 */
export const optionsOf = ({ baseUrl, timeoutMillis, url }: MailServer) => ({
  ...introduction(new URL(baseUrl).hostname),
  url: Redacted.value(url),
  dnsTimeout: timeoutMillis,
  connectionTimeout: timeoutMillis,
  greetingTimeout: timeoutMillis
})

// EHLO wants a name that others can look up (RFC 5321 §4.1.1.1). The library's default, the name of this machine, is
// none in a container, and large relays refuse what it says then.
const introduction = (host: string) => /\.[a-z][a-z0-9-]*$/i.test(host) ? { name: host } : {}

/**
 * Tells an address that a server takes with the extension SMTPUTF8 alone: only its domain would have a form in ASCII.
 */
export const needsUtf8 = (address: string): boolean => /[^\u0000-\u007f].*@/.test(address)
