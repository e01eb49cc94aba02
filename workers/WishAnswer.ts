import { Effect, Option } from "effect"
import { ReviewWishes } from "../src/core/clients/review/ReviewWishes.ts"
import { Grants } from "../src/core/grants/Grants.ts"
import { Catalogue } from "../src/domain/catalogue/Catalogue.ts"
import { wishAnswer } from "../src/doors/mails/WishMails.ts"
import { WishAnswer } from "../src/foundation/jobs/kinds/WishAnswer.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  WishAnswer,
  "a mail to a user who waited for the review of an app, with the way back",
  Effect.fn("WishAnswer")(function*({ clientId, isApproved, reason, scopes, userId }, letter) {
    const catalogue = yield* Catalogue
    const app = yield* UserMail.findApp(clientId)
    if (app === undefined) return yield* Effect.logInfo("The app was deleted meanwhile, so nobody is told")
    const grants = yield* (yield* Grants).listLive(userId, clientId)
    // Whose page has gone on by itself knows.
    if (isApproved && grants.some((grant) => scopes.every((scope) => catalogue.covers(grant.scopes, scope)))) return
    const request = Option.getOrUndefined(yield* (yield* ReviewWishes).lastRequest(userId, clientId))
    const lacking = scopes.filter((scope) => !catalogue.covers(app.scopes, scope))
    return wishAnswer(letter, catalogue, { ...letter.act, app, isApproved, reason, lacking, request })
  })
)
