import { Effect } from "effect"
import { TokenReuse } from "../src/foundation/jobs/kinds/TokenReuse.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  TokenReuse,
  "a mail to a user whose connection was ended because a token was used twice",
  Effect.fn("TokenReuse")(function*({ clientId }, { at, authUrl }) {
    const app = yield* UserMail.appName(clientId)
    return {
      subject: `We disconnected ${app}`,
      lines: [
        `On ${at} somebody used a token of ${app} that had been replaced. It may have been ` +
        "stolen, so the connection was ended: nobody can use it any more.",
        "If you still want to use the app, connect it again from there.",
        `Your connected apps: ${authUrl}/connections`
      ]
    }
  })
)
