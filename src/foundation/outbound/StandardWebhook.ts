import { DateTime, Redacted } from "effect"
import { createHmac, randomBytes } from "node:crypto"

// Messages and signatures as Standard Webhooks 1.0 has them (https://www.standardwebhooks.com).

/** Message to a receiver; `id` is the same for each repeat of it. */
export interface Message {
  readonly id: string
  readonly type: string
  readonly at: DateTime.Utc
  /** JSON of what it tells. */
  readonly data: string
}

/**
 * Body and headers of a request with the message. It is signed with each of the secrets, so that receivers can change
 * from one to the next. `millis` is the time of the attempt: receivers refuse what is too old.
 */
export const requestOf = (
  { at, data, id, type }: Message,
  millis: number,
  secrets: ReadonlyArray<Redacted.Redacted>
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } => {
  const named = { type, timestamp: DateTime.formatIso(at) }
  const body = `${JSON.stringify(named).slice(0, -1)},"data":${data}}`
  const timestamp = String(Math.floor(millis / 1000))
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`).join(" ")
    }
  }
}

/** Makes a secret: 32 random bytes. */
export const newSecret = (): Redacted.Redacted =>
  Redacted.make(`${prefix}${randomBytes(32).toString("base64")}`, { label: "webhook secret" })

const prefix = "whsec_"

// A secret with the prefix holds the key in base64; any other is the key itself.
const sign = (secret: Redacted.Redacted, text: string): string => {
  const value = Redacted.value(secret)
  const key = value.startsWith(prefix) ? Buffer.from(value.slice(prefix.length), "base64") : value
  return createHmac("sha256", key).update(text).digest("base64")
}
