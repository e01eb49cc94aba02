import { Effect } from "effect"
import { Catalogue } from "../src/domain/catalogue/Catalogue.ts"
import { newConnection } from "../src/doors/mails/ConnectionMails.ts"
import { NewConnection } from "../src/foundation/jobs/kinds/NewConnection.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  NewConnection,
  "a mail to a user who connected an app",
  Effect.fn("NewConnection")(function*({ clientId, scopes }, letter) {
    const app = yield* UserMail.findApp(clientId)
    return newConnection(letter, yield* Catalogue, { ...letter.act, app, clientId, scopes })
  })
)
