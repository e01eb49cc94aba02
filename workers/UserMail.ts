import { Effect, Option } from "effect"
import type { Account } from "../src/core/accounts/people/Account.ts"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import type { ClientId, UserId } from "../src/domain/Ids.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { inQuotes } from "../src/domain/Text.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import type { JobKind } from "../src/foundation/jobs/Job.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import type { MailText } from "../src/foundation/mail/MailText.ts"
import { Post } from "./Post.ts"

/** Facts that mails to a user are written with. */
interface Letter {
  readonly user: Account
  /** When the job was published, as the user reads it. */
  readonly at: string
  /** Base address of the pages to which a mail leads. */
  readonly authUrl: string
}

/** Worker of a kind of mail to the user of its jobs; `write` has what the mail says, which may be nothing any more. */
export const make = <A extends { readonly userId: UserId }, I, R>(
  kind: JobKind<A, I>,
  does: string,
  write: (payload: A, letter: Letter) => Effect.Effect<MailText | void, never, R>
) =>
  Worker.make({
    kind,
    does,
    concurrency: 4,
    handler: Effect.fn("UserMail")(function*(payload: A, job: Worker.JobContext) {
      const { authUrl } = yield* AppConfig
      const identities = yield* IdentitySource
      const post = yield* Post
      const user = yield* identities.find(payload.userId)
      if (Option.isNone(user)) return yield* Effect.logInfo("The account is gone, so nobody is told")
      const text = yield* write(payload, { user: user.value, at: instantText(job.at, user.value), authUrl })
      if (text !== undefined) yield* post.send(job, user.value, text)
    })
  })

/** App as mails name it, whatever became of it. */
export const appName = Effect.fnUntraced(function*(id: ClientId) {
  const clients = yield* ClientRegistry
  return Option.match(yield* clients.find(id), {
    onNone: () => "an app that was deleted",
    onSome: ({ name }) => inQuotes(name)
  })
})
