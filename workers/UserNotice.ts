import { DateTime, Effect, Option } from "effect"
import { IdentitySource } from "../src/core/accounts/IdentitySource.ts"
import { ClientRegistry } from "../src/core/clients/ClientRegistry.ts"
import type { ClientId, UserId } from "../src/domain/Ids.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import type { JobContext } from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"
import type { MailText } from "./ReviewNoticeTexts.ts"

/** Mails a user about one of their apps; `write` is given the app's name and the local time of the event. */
export const mailer = Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const clients = yield* ClientRegistry
  const identities = yield* IdentitySource
  const post = yield* Post

  return Effect.fn("UserNotice")(function*(
    { clientId, userId }: { readonly clientId: ClientId; readonly userId: UserId },
    job: JobContext,
    write: (app: string, at: string) => MailText
  ) {
    const user = yield* identities.find(userId)
    if (Option.isNone(user)) return yield* Effect.logInfo("The account is gone, so nobody is told")
    const client = yield* clients.find(clientId)
    const app = Option.match(client, {
      onNone: () => "an app that was deleted",
      onSome: ({ name }) => `\u201c${name}\u201d`
    })
    const { lines, subject } = write(app, local(job.at, user.value))
    yield* post.send(job, [user.value], { subject, lines: [...lines, `Your connected apps: ${authUrl}/connections`] })
  })
})

const local = (at: DateTime.Utc, { locale, timeFormat, timeZone }: Place): string => {
  const options = { dateStyle: "long", timeStyle: "short" } as const
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone, hour12: timeFormat === 12 })
      .format(DateTime.toDateUtc(at)) + ` (${timeZone})`
  } catch {
    // The platform's accounts may name a time zone or locale that this machine does not know.
    return DateTime.formatIso(at)
  }
}

interface Place {
  readonly locale: string
  readonly timeFormat: 12 | 24
  readonly timeZone: string
}
