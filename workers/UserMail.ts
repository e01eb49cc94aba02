import { Effect, Option } from "effect"
import type { Account } from "../src/core/accounts/people/Account.ts"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import type { ClientId, UserId } from "../src/domain/Ids.ts"
import type { Mail } from "../src/doors/mails/Mail.ts"
import type { Act, Actor, Place } from "../src/doors/mails/MailParts.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import type { Device } from "../src/foundation/jobs/Device.ts"
import type { JobKind } from "../src/foundation/jobs/Job.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"

/** Facts that mails to a user are written with. */
interface Letter extends Place {
  readonly user: Account
  /** What the mail is about: it was done when its job was published. */
  readonly act: Act
}

/** Worker of a kind of mail to the user of its jobs; `write` has what the mail says, which may be nothing any more. */
export const make = <A extends { readonly userId: UserId; readonly device?: Device }, I, R>(
  kind: JobKind<A, I>,
  does: string,
  write: (payload: A, letter: Letter) => Effect.Effect<Mail | void, never, R>
) =>
  Worker.make({
    kind,
    does,
    concurrency: 4,
    handler: Effect.fn("UserMail")(function*(payload: A, job: Worker.JobContext) {
      const { authUrl } = yield* AppConfig
      const identities = yield* IdentitySource
      const post = yield* Post
      const user = Option.getOrUndefined(yield* identities.find(payload.userId))
      if (user === undefined) return yield* Effect.logInfo("The account is gone, so nobody is told")
      const mail = yield* write(payload, { user, act: { at: job.at, reader: user, device: payload.device }, authUrl })
      if (mail !== undefined) yield* post.send(job, user, mail)
    })
  })

/** App that a mail names, unless it was deleted meanwhile. */
export const findApp = Effect.fnUntraced(function*(id: ClientId) {
  return Option.getOrUndefined(yield* (yield* ClientRegistry).find(id))
})

/** Who did something to the account of this user; `by` is an actor of the audit trail. */
export const actorOf = Effect.fnUntraced(function*(by: string, userId: UserId): Effect.fn.Return<
  Actor,
  never,
  IdentitySource
> {
  if (by === userId) return { _tag: "Recipient" }
  const identities = yield* IdentitySource
  return Option.match(yield* identities.find(by), {
    onNone: () => ({ _tag: "Operator" }),
    onSome: ({ name }) => ({ _tag: "Other", name })
  })
})
