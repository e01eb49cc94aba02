import { DateTime, Effect, Layer, Option } from "effect"
import { IdentitySource } from "../src/core/accounts/IdentitySource.ts"
import { ClientRegistry } from "../src/core/clients/ClientRegistry.ts"
import type { ClientId, UserId } from "../src/domain/Ids.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { NewConnection } from "../src/foundation/jobs/kinds/NewConnection.ts"
import { TokenReuse } from "../src/foundation/jobs/kinds/TokenReuse.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"
import type { Text } from "./ReviewNoticeTexts.ts"

/** Tells users what happens to their data: an app was connected, or cut off because a token of it was stolen. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const clients = yield* ClientRegistry
  const identities = yield* IdentitySource
  const post = yield* Post

  const tell = Effect.fn("UserNotices")(function*(
    { clientId, userId }: { readonly clientId: ClientId; readonly userId: UserId },
    job: Worker.JobInHand,
    write: (app: string, at: string) => Text
  ) {
    const user = yield* identities.find(userId)
    if (Option.isNone(user)) return yield* Effect.logInfo("The account is gone, so nobody is told")
    const client = yield* clients.find(clientId)
    const app = Option.match(client, {
      onNone: () => "an app that was deleted",
      onSome: ({ name }) => `\u201c${name}\u201d`
    })
    yield* post.send(job, [user.value], write(app, local(job.at, user.value)))
  })

  const connections = `Your connected apps: ${authUrl}/connections`

  return Layer.mergeAll(
    Worker.layer({
      kind: NewConnection,
      concurrency: 4,
      handler: (payload, job) =>
        tell(payload, job, (app, at) => ({
          subject: `You connected ${app}`,
          lines: [
            `On ${at} you allowed ${app} to act for you.`,
            "If that was not you, disconnect the app and change your password.",
            connections
          ]
        }))
    }),
    Worker.layer({
      kind: TokenReuse,
      concurrency: 4,
      handler: (payload, job) =>
        tell(payload, job, (app, at) => ({
          subject: `We disconnected ${app}`,
          lines: [
            `On ${at} somebody used a token of ${app} that had been replaced. It may have been stolen, so the ` +
            "connection was ended: nobody can use it any more.",
            "If you still want to use the app, connect it again from there.",
            connections
          ]
        }))
    })
  )
}))

const local = (at: DateTime.Utc, { locale, timeFormat, timeZone }: Place): string => {
  const options = { dateStyle: "long", timeStyle: "short" } as const
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone, hour12: timeFormat === 12 })
      .format(DateTime.toDateUtc(at)) + ` (${timeZone})`
  } catch {
    // A platform's accounts may name a zone or locale that this machine does not know.
    return DateTime.formatIso(at)
  }
}

interface Place {
  readonly locale: string
  readonly timeFormat: 12 | 24
  readonly timeZone: string
}
