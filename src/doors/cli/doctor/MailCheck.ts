import { Duration, Effect, Option } from "effect"
import { join } from "node:path"
import { messageOf } from "../../../domain/Cause.ts"
import type { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as SmtpTransport from "../../../foundation/mail/SmtpTransport.ts"
import { type Check, type Finding, probeLimit } from "../../../foundation/operator/Readiness.ts"

/** Connects to the mail server, greets it and signs in, if SMTP_URL has a user; sends nothing (RFC 5321 §4.1.1.1). */
export const mailCheck = (
  { dataDir, database, smtpUrl }: Pick<AppConfig["Service"], "dataDir" | "database" | "smtpUrl">
): Check<"mail"> => ({
  name: "mail",
  otherwise: "failed",
  probe: Option.match(smtpUrl, {
    onNone: () =>
      Effect.succeed<Finding>({
        status: database._tag === "Server" ? "degraded" : "ok",
        detail: `Without SMTP_URL nobody gets a mail: they are files in ${join(dataDir, "mail")}.`
      }),
    onSome: (url) =>
      Effect.acquireUseRelease(
        Effect.promise(() => SmtpTransport.make(url, Duration.toMillis(probeLimit))),
        (transport) => Effect.tryPromise({ try: () => transport.verify(), catch: messageOf }),
        (transport) => Effect.sync(() => transport.close())
      ).pipe(Effect.match({
        onFailure: (reason): Finding => ({
          status: "failed",
          detail: `The mail server cannot be used: ${reason.replaceAll(/\s+/g, " ")}`
        }),
        onSuccess: (): Finding => ({ status: "ok", detail: "The mail server answers." })
      }))
  })
})
