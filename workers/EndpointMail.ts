import { Effect, Option } from "effect"
import { EventEndpoints } from "../src/core/clients/events/EventEndpoints.ts"
import { endpointFails } from "../src/doors/mails/AppMails.ts"
import { EndpointMail } from "../src/foundation/jobs/kinds/EndpointMail.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  EndpointMail,
  "a mail to an owner about events that the endpoint of an app has not taken for a day",
  Effect.fn("EndpointMail")(function*({ clientId }, letter) {
    const app = yield* UserMail.findApp(clientId)
    const endpoint = Option.getOrUndefined(yield* (yield* EventEndpoints).find(clientId))
    if (app === undefined || endpoint === undefined) return yield* Effect.logInfo("The endpoint is gone meanwhile")
    return endpointFails(letter, { app, host: new URL(endpoint.url).host })
  })
)
