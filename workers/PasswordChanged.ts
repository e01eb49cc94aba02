import { Effect } from "effect"
import { PasswordChanged } from "../src/foundation/jobs/kinds/PasswordChanged.ts"
import * as UserMail from "./UserMail.ts"

/** Mails the user of an account that its password was changed: who did not do it learns it from nothing else. */
export const worker = UserMail.make(
  PasswordChanged,
  "a mail to a user whose password was changed",
  Effect.fn("PasswordChanged")(function*({ by, userId }, { at, authUrl }) {
    return {
      subject: "Your password was changed",
      lines: [
        `The password of your account at ${new URL(authUrl).host} was changed on ${at} by ${
          by === userId ? "your account" : "an operator of this server"
        }. It is signed out everywhere else.`,
        by === userId
          ? `If that was not you, choose another password at once, and have your API keys revoked and your apps disconnected with it: ${authUrl}/forgotten-password`
          : `To choose one that you alone know: ${authUrl}/forgotten-password`,
        `See what may act for you: ${authUrl}/account and ${authUrl}/connections`
      ]
    }
  })
)
