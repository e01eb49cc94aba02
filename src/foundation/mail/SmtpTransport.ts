import { Redacted } from "effect"

/** The mail server of `SMTP_URL`. The library is loaded with the first mail: most processes that start send none for a while. */
export const make = async (url: Redacted.Redacted, timeoutMillis: number) => {
  const { createTransport } = await import("nodemailer")
  return createTransport(optionsOf(url, timeoutMillis))
}

/**
 * The options for a mail server. The limits are those of single steps, so that none of the library's own is shorter; the
 * caller limits the whole.
 */
export const optionsOf = (url: Redacted.Redacted, timeoutMillis: number) => ({
  url: Redacted.value(url),
  dnsTimeout: timeoutMillis,
  connectionTimeout: timeoutMillis,
  greetingTimeout: timeoutMillis
})
