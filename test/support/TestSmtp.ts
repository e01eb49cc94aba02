import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

/** How the server treats incoming mail. */
export type Mood = "accepts" | "refuses" | "stalls"

/** A mail server whose behaviour the test sets. */
export interface TestSmtp {
  readonly url: string
  mood: Mood
  /** Addresses that it refuses as unknown. */
  readonly unknown: Set<string>
  /** Senders that it refuses. */
  readonly refusedSenders: Set<string>
  /** Mails with their headers and text, and apart from that their HTML. */
  readonly received: Array<{ readonly to: string; readonly message: string; readonly html: string }>
  /** Number of mails received completely, whether accepted or not. */
  attempts: number
}

export const make: Effect.Effect<TestSmtp, never, Scope.Scope> = Effect.gen(function*() {
  const smtp: TestSmtp = {
    url: "",
    mood: "accepts",
    unknown: new Set(),
    refusedSenders: new Set(),
    received: [],
    attempts: 0
  }
  const options: SMTPServerOptions = {
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, callback) => callback(null, { user: username }),
    logger: false,
    // As a large part of the servers in use; the tests of the mailer have others.
    hideSMTPUTF8: true,
    onMailFrom: ({ address }, _session, callback) =>
      callback(smtp.refusedSenders.has(address) ? reply(550, "5.7.1 Sender address rejected") : null),
    onRcptTo: ({ address }, _session, callback) =>
      callback(smtp.unknown.has(address) ? reply(550, "no such user") : null),
    onData: (stream, session, callback) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        smtp.attempts++
        if (smtp.mood === "stalls") return
        if (smtp.mood === "refuses") return callback(reply(451, "try again later"))
        const parts = partsOf(Buffer.concat(chunks).toString())
        for (const { address } of session.envelope.rcptTo) smtp.received.push({ to: address, ...parts })
        callback(null)
      })
    }
  }
  const server = new SMTPServer(options)
  server.on("error", () => {})
  const listening = server.listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(listening, "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const address = listening.address()
  if (address === null || typeof address === "string") return yield* Effect.die(new Error("no port"))
  return Object.assign(smtp, { url: `smtp://127.0.0.1:${address.port}` })
})

// The text comes first, then the HTML (RFC 2046 §5.1.4).
const partsOf = (mail: string): { readonly message: string; readonly html: string } => {
  const [, boundary = ""] = /boundary="([^"]*)"/.exec(mail) ?? []
  const [head = "", plain = "", html = ""] = mail.split(`--${boundary}`)
  const [headers = ""] = head.split("\r\n\r\n")
  return { message: `${headers}\r\n\r\n${decoded(plain)}`, html: decoded(html) }
}

// Lines that are long or not ASCII are quoted-printable (RFC 2045 §6.7).
const decoded = (part: string): string => {
  const text = part.slice(part.indexOf("\r\n\r\n") + 4).replaceAll("=\r\n", "")
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString()
}

const reply = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode })
