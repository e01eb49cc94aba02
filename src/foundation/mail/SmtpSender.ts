import { type MailServer, needsUtf8, optionsOf } from "./SmtpTransport.ts"

/**
 * Signs in to the mail server, if the URL has a user, and has it take the sender but no mail: the transaction is reset
 * (RFC 5321 §4.1.1.5). Many servers refuse a wrong sender, or a missing TLS or sign-in, at this point and not before.
 */
export const trySender = async (from: string, server: MailServer, signal: AbortSignal): Promise<void> => {
  const { default: addressesOf } = await import("nodemailer/lib/addressparser")
  const sender = addressesOf(from, { flatten: true })[0]?.address ?? ""
  await talk(server, signal, async ({ extensions, sendCommand }) => {
    if (needsUtf8(sender) && !extensions.includes(utf8)) {
      throw new Error(`${sender} needs ${utf8}, which it does not offer`)
    }
    const { status } = await sendCommand(`MAIL FROM:<${sender}>${needsUtf8(sender) ? ` ${utf8}` : ""}`)
    // The library adds the answer.
    if (status < 200 || status > 299) throw new Error(`MAIL FROM:<${sender}> was refused`)
    await sendCommand("RSET")
  })
}

/**
 * Asks the mail server whether it takes addresses outside of ASCII: a server that does not say so must not get them.
 */
export const takesUtf8 = async (server: MailServer, signal: AbortSignal): Promise<boolean> => {
  let takes = false
  await talk(server, signal, async ({ extensions }) => {
    takes = extensions.includes(utf8)
  })
  return takes
}

/** Name of the extension (RFC 6531). */
const utf8 = "SMTPUTF8"

interface Connection {
  readonly extensions: ReadonlyArray<string>
  readonly sendCommand: (command: string) => Promise<{ readonly status: number }>
}

/** Connects, signs in, if the URL has a user, and says what there is to say. */
const talk = async (
  server: MailServer,
  signal: AbortSignal,
  say: (connection: Connection) => Promise<void>
): Promise<void> => {
  const [{ default: SMTPTransport }, { default: SMTPConnection }] = await Promise.all([
    import("nodemailer/lib/smtp-transport"),
    import("nodemailer/lib/smtp-connection")
  ])
  const transport = new SMTPTransport(optionsOf(server))
  const auth = transport.getAuth({})
  // The library lets only its handlers for a way to sign in send commands of their own.
  const connection = new SMTPConnection({ ...transport.options, customAuth: { [method]: say } })
  signal.addEventListener("abort", () => connection.close())
  try {
    await new Promise<void>((resolve, reject) => {
      const then = (next: () => void) => (error?: Error | null) => error ? reject(error) : next()
      const speak = () => connection.login({ method }, then(resolve))
      connection.on("error", reject)
      connection.on("end", () => reject(new Error("Connection closed")))
      connection.connect(then(() => auth && connection.allowsAuth ? connection.login(auth, then(speak)) : speak()))
    })
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  }
}

const method = "X-SAY"
