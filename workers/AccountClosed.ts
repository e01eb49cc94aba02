import { Effect } from "effect"
import { instantText } from "../src/domain/InstantText.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { AccountClosed } from "../src/foundation/jobs/kinds/AccountClosed.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"

export const worker = Worker.make({
  kind: AccountClosed,
  does: "a mail to the former user of an account that confirms its end",
  concurrency: 4,
  handler: Effect.fn("AccountClosed")(function*({ email, name, userId }, job) {
    const { authUrl } = yield* AppConfig
    const post = yield* Post
    yield* post.send(job, { id: userId, email, name }, {
      subject: "Your account is closed",
      lines: [
        `Your account at ${authUrl} was closed on ${
          instantText(job.at, inUtc)
        } by a browser that was signed in and knew your password.`,
        "No app acts for you any more. Your sign-ins and API keys have ended, and the apps that you registered are deleted.",
        "If that was not you, tell an administrator of the server: somebody else knows your password."
      ]
    })
  })
})

// The preferences went with the account.
const inUtc = { timeZone: "UTC", timeFormat: 24 } as const
