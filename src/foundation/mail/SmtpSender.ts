import type { Redacted } from "effect"
import * as SmtpTransport from "./SmtpTransport.ts"

/**
 * Signs in to the mail server, if the URL has a user, and has it take the sender but no mail: the transaction is reset
 * (RFC 5321 §4.1.1.5). Many servers refuse a wrong sender, or a missing TLS or sign-in, at this point and not before.
 */
export const trySender = async (
  { from, timeoutMillis, url }: {
    readonly url: Redacted.Redacted
    readonly from: string
    readonly timeoutMillis: number
  },
  signal: AbortSignal
): Promise<void> => {
  const [{ default: SMTPTransport }, { default: SMTPConnection }, { default: addressesOf }] = await Promise.all([
    import("nodemailer/lib/smtp-transport"),
    import("nodemailer/lib/smtp-connection"),
    import("nodemailer/lib/addressparser")
  ])
  const transport = new SMTPTransport(SmtpTransport.optionsOf(url, timeoutMillis))
  const auth = transport.getAuth({})
  const sender = addressesOf(from, { flatten: true })[0]?.address ?? ""
  const connection = new SMTPConnection({
    ...transport.options,
    // The library lets only its handlers for a way to sign in send commands of their own.
    customAuth: {
      [senderMethod]: async ({ sendCommand }) => {
        const { status } = await sendCommand(`MAIL FROM:<${sender}>`)
        // The library adds the answer.
        if (status < 200 || status > 299) throw new Error(`MAIL FROM:<${sender}> was refused`)
        await sendCommand("RSET")
      }
    }
  })
  signal.addEventListener("abort", () => connection.close())
  try {
    await new Promise<void>((resolve, reject) => {
      const then = (next: () => void) => (error?: Error | null) => error ? reject(error) : next()
      const mailFrom = () => connection.login({ method: senderMethod }, then(resolve))
      connection.on("error", reject)
      connection.on("end", () => reject(new Error("Connection closed")))
      connection.connect(
        then(() => auth && connection.allowsAuth ? connection.login(auth, then(mailFrom)) : mailFrom())
      )
    })
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  }
}

const senderMethod = "X-SENDER"
