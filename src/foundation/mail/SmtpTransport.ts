import { Redacted } from "effect"

/**
 * The mail server of `SMTP_URL`. The limits are those of single steps, so that none of the library's own is shorter; the
 * caller limits the whole. The library is loaded with the first mail: most processes that start send none for a while.
 */
export const make = async (url: Redacted.Redacted, timeoutMillis: number) => {
  const { createTransport } = await import("nodemailer")
  return createTransport({
    url: Redacted.value(url),
    dnsTimeout: timeoutMillis,
    connectionTimeout: timeoutMillis,
    greetingTimeout: timeoutMillis
  })
}
