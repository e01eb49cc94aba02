import { Effect } from "effect"
import { tokenReuse } from "../src/doors/mails/ConnectionMails.ts"
import { TokenReuse } from "../src/foundation/jobs/kinds/TokenReuse.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  TokenReuse,
  "a mail to a user whose connection was ended because a token was used twice",
  Effect.fn("TokenReuse")(function*({ clientId }, letter) {
    return tokenReuse(letter, { ...letter.act, app: yield* UserMail.findApp(clientId) })
  })
)
