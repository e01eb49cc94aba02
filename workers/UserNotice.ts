import { Effect, Option } from "effect"
import { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import type { ClientId, UserId } from "../src/domain/Ids.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { inQuotes } from "../src/domain/Text.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import type { JobContext } from "../src/foundation/jobs/queue/Worker.ts"
import type { MailText } from "../src/foundation/mail/MailText.ts"
import { Post } from "./Post.ts"

/** Mails a user about one of their apps; `write` is given the app's name and the time of the event. */
export const mailer = Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const clients = yield* ClientRegistry
  const post = yield* Post

  return Effect.fn("UserNotice")((
    { clientId, userId }: { readonly clientId: ClientId; readonly userId: UserId },
    job: JobContext,
    write: (app: string, at: string) => MailText
  ) =>
    post.sendTo(job, userId, (user) =>
      Effect.gen(function*() {
        const client = yield* clients.find(clientId)
        const app = Option.match(client, {
          onNone: () => "an app that was deleted",
          onSome: ({ name }) => inQuotes(name)
        })
        const { lines, subject } = write(app, instantText(job.at, user))
        return { subject, lines: [...lines, `Your connected apps: ${authUrl}/connections`] }
      }))
  )
})
