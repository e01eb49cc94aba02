import { Effect } from "effect"
import { accountClosed } from "../src/doors/mails/AccountMails.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { AccountClosed } from "../src/foundation/jobs/kinds/AccountClosed.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"

export const worker = Worker.make({
  kind: AccountClosed,
  does: "a mail to the former user of an account that confirms its end",
  concurrency: 4,
  handler: Effect.fn("AccountClosed")(function*({ device, email, name, reader = unknown, userId }, job) {
    const config = yield* AppConfig
    const post = yield* Post
    const to = { id: userId, email, name, locale: reader.locale }
    yield* post.send(job, to, accountClosed(config, { at: job.at, reader, device }))
  })
})

// Jobs of a release before this one have no preferences.
const unknown = { locale: "", timeZone: "UTC", timeFormat: 24 } as const
