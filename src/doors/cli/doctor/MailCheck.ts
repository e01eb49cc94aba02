import { Duration, Effect, Option } from "effect"
import { join } from "node:path"
import { messageOf } from "../../../domain/Cause.ts"
import type { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { trySender } from "../../../foundation/mail/SmtpSender.ts"
import { type Check, degraded, failed, type Finding, ok, probeLimit } from "../../../foundation/operator/Readiness.ts"

/** Connects to the mail server, signs in, if SMTP_URL has a user, and has it take the senders; sends no mail. */
export const mailCheck = (
  { baseUrl, dataDir, database, smtpUrl }: Pick<
    AppConfig["Service"],
    "baseUrl" | "dataDir" | "database" | "smtpUrl"
  >,
  senders: ReadonlySet<string>
): Check<"mail"> => ({
  name: "mail",
  otherwise: "failed",
  probe: Option.match(smtpUrl, {
    onNone: () =>
      Effect.succeed<Finding>({
        status: database._tag === "Server" ? "degraded" : "ok",
        detail: `Without SMTP_URL nobody gets a mail: they are files in ${join(dataDir, "mail")}.`,
        remedy: "Set SMTP_URL and MAIL_FROM for servers and workers."
      }),
    onSome: (url) =>
      Effect.tryPromise({
        try: async (signal) => {
          const server = { url, baseUrl, timeoutMillis: Duration.toMillis(probeLimit) }
          for (const sender of senders) await trySender(sender, server, signal)
        },
        catch: messageOf
      }).pipe(Effect.match({
        onFailure: (reason) => failed(`The mail server cannot be used: ${reason.replaceAll(/\s+/g, " ")}`),
        onSuccess: () =>
          database._tag === "Server" && [...senders].some((sender) => sender.replace(/>$/, "").endsWith("@localhost"))
            ? degraded(
              "The mail server answers, but MAIL_FROM is at localhost, whose mails others refuse or put aside.",
              "Set MAIL_FROM to an address of a domain from which the mail server may send."
            )
            : ok("The mail server answers, and takes MAIL_FROM.")
      }))
  })
})
