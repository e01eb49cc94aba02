import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import type { SendMailOptions } from "nodemailer"
import { messageOf } from "../src/domain/Cause.ts"
import { once } from "../src/domain/Once.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { takesUtf8 } from "../src/foundation/mail/SmtpSender.ts"
import * as SmtpTransport from "../src/foundation/mail/SmtpTransport.ts"
import * as MailFolder from "./MailFolder.ts"
import { isRefusedRecipient } from "./RefusedRecipient.ts"

export interface Mail {
  /** Same for a repeat of the mail, which receivers recognise by the `Message-ID` made from it. */
  readonly id: string
  /** Mail address, with a name or without. */
  readonly from: string
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  /** Same words with a look. */
  readonly html: string
}

/** The mail was not accepted; `final` when the server does not know the recipient. */
export class MailError extends Schema.TaggedError<MailError>()("MailError", {
  message: Schema.String,
  final: Schema.Boolean
}) {}

/** Sends mails to the server of `SMTP_URL`, or keeps them as files in `DATA_DIR/mail`. */
export class Mailer extends Context.Service<Mailer, {
  send(mail: Mail): Effect.Effect<void, MailError>
}>()("slotkey/workers/Mailer") {
  static readonly layer: Layer.Layer<Mailer, never, AppConfig> = Layer.effect(
    Mailer,
    Effect.gen(function*() {
      const { authUrl, baseUrl, dataDir, mailTimeout, smtpUrl } = yield* AppConfig
      const host = new URL(authUrl).hostname
      const deliver = Option.match(smtpUrl, {
        onNone: () => toFolder(MailFolder.folderIn(dataDir)),
        onSome: (url) => toServer({ url, baseUrl, timeoutMillis: Duration.toMillis(mailTimeout) })
      })

      const send = Effect.fn("Mailer.send")((mail: Mail) => {
        const id = createHash("sha256").update(mail.id).digest("hex").slice(0, 32)
        return Effect.tryPromise({
          try: (signal) =>
            deliver({
              from: mail.from,
              to: mail.to,
              subject: mail.subject,
              text: mail.text,
              html: mail.html,
              messageId: `<${id}@${host}>`,
              headers: { "Auto-Submitted": "auto-generated" },
              disableFileAccess: true,
              disableUrlAccess: true,
              signal: AbortSignal.any([signal, AbortSignal.timeout(Duration.toMillis(mailTimeout))])
            }, id),
          catch: mailError
        })
      })

      return Mailer.of({ send })
    })
  )
}

type Letter = Omit<SendMailOptions, "to" | "signal"> & { readonly to: Mail["to"]; readonly signal: AbortSignal }
type Deliver = (mail: Letter, id: string) => Promise<void>

// The signal of the mail limits its delivery as a whole, because a server can be slow without ever being silent.
const toServer = (server: SmtpTransport.MailServer): Deliver => {
  const transport = once(() => SmtpTransport.make(server))
  return async (mail) => {
    // Few people have such an address, so each mail to one asks on a connection of its own.
    if (SmtpTransport.needsUtf8(mail.to.address) && !(await takesUtf8(server, mail.signal))) throw new NoUtf8()
    await (await transport()).sendMail(mail)
  }
}

/** A server without SMTPUTF8 may not be sent such an address (RFC 6531 §3.2), and could not take it another time. */
class NoUtf8 extends Error {
  override readonly message = "the mail server takes no address with characters outside of ASCII (SMTPUTF8)"
}

const toFolder = (folder: string): Deliver => {
  const transport = once(async () =>
    (await import("nodemailer")).createTransport({ streamTransport: true, buffer: true })
  )
  return async (mail, id) => {
    const { message } = await (await transport()).sendMail(mail)
    await MailFolder.write(folder, id, message as Buffer)
  }
}

const mailError = (cause: unknown): MailError =>
  new MailError({
    message: `The mail was not taken: ${messageOf(cause)}`,
    final: cause instanceof NoUtf8 || isRefusedRecipient(cause)
  })
