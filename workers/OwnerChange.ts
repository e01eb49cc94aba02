import { Effect, Option } from "effect"
import { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import { inQuotes } from "../src/domain/Text.ts"
import { OwnerChange } from "../src/foundation/jobs/kinds/OwnerChange.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  OwnerChange,
  "a mail to the user who has got an app from another, and one to that other",
  Effect.fn("OwnerChange")(function*({ clientId, isOwner }, { at, authUrl }) {
    const clients = yield* ClientRegistry
    const client = yield* clients.find(clientId)
    if (Option.isNone(client)) return yield* Effect.logInfo("The app was deleted meanwhile, so nobody is told")
    const app = inQuotes(client.value.name)
    return isOwner
      ? {
        subject: `${app} is your app now`,
        lines: [
          `An operator of this server gave you the app ${app} on ${at}. It goes on working for its users, and its mails go to you.`,
          "The owner before may know its secrets: make a new one, use it, and revoke the others.",
          `The app: ${authUrl}/settings/apps/${encodeURIComponent(clientId)}`
        ]
      }
      : {
        subject: `${app} has another owner now`,
        lines: [
          `An operator of this server gave your app ${app} to another user on ${at}. It goes on working for its users.`,
          "Ask the operator if you did not expect that."
        ]
      }
  })
)
